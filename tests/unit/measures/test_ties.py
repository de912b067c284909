"""Every measure against brute force: the mean over all orders of the tied items."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from helpers.rankings import MAKERS, discounts, measured
from hypothesis import given, settings
from hypothesis import strategies as st

TOP = 2
SHARE = 0.3
SAMPLE = 4
BETA = 0.5


def orders(scores, items):
    """All orders of items by falling score."""
    levels = sorted({scores[item] for item in items}, reverse=True)
    groups = [[item for item in items if scores[item] == level] for level in levels]
    for parts in product(*(permutations(group) for group in groups)):
        yield [item for part in parts for item in part]


def positions(size):
    return int(SHARE * (size - 1) + 1e-9) + 1


def of_order(order, relevant, weights, head):
    """All measures of one order of the candidates, by their strict definitions."""
    size, n = len(order), len(relevant)
    rank = {item: position for position, item in enumerate(order)}
    ranks = sorted(rank[item] for item in relevant)
    pairs = [(good, bad) for good in relevant for bad in order if bad not in relevant]
    values = {
        "atop": np.mean([(size - 1 - position) / (size - 1) for position in ranks]),
        f"topk({SHARE})": np.mean([position < positions(size) for position in ranks]),
        f"recall@{TOP}": np.mean([position < TOP for position in ranks]),
        "adg": np.mean([1 / np.log2(position + 2) for position in ranks]),
        "ndcg": sum(1 / np.log2(position + 2) for position in ranks) / discounts(n).sum(),
        "map": np.mean([(found + 1) / (position + 1) for found, position in enumerate(ranks)]),
        "auc_aman": np.mean([rank[good] < rank[bad] for good, bad in pairs]) if pairs else None,
        f"head_{TOP}": np.mean([item in head for item in order[:TOP]]),
        f"recall@{TOP}({BETA})": sum(weights[item] for item in relevant if rank[item] < TOP)
        / sum(weights[item] for item in relevant),
    }
    sampled_topk, sampled_atop = [], []
    drawn = min(SAMPLE, size)
    for item in relevant:
        for others in combinations([other for other in order if other != item], drawn - 1):
            position = sum(rank[other] < rank[item] for other in others)
            sampled_topk.append(position < positions(drawn))
            sampled_atop.append((drawn - 1 - position) / (drawn - 1))
    values[f"sampled_topk({SHARE},{SAMPLE})"] = np.mean(sampled_topk)
    values[f"sampled_atop({SAMPLE})"] = np.mean(sampled_atop)
    return values


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_measures_are_means_over_all_orders_of_ties(make, data):
    n_items = data.draw(st.integers(2, 7))
    scores = data.draw(st.lists(st.integers(0, 2), min_size=n_items, max_size=n_items))
    roles = data.draw(
        st.lists(st.sampled_from(["held out", "seen", ""]), min_size=n_items, max_size=n_items)
    )
    candidates = [item for item in range(n_items) if roles[item] != "seen"]
    # More candidates have too many orders for a quick test.
    candidates = candidates[:6]
    relevant = [item for item in candidates if roles[item] == "held out"]
    if len(candidates) < 2 or not relevant:
        return
    head = set(data.draw(st.lists(st.integers(0, n_items - 1), max_size=3)))
    positives = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n_items, max_size=n_items)))
    every = [
        of_order(order, relevant, positives**-BETA, head) for order in orders(scores, candidates)
    ]
    expected = {
        name: np.mean([values[name] for values in every])
        for name, value in every[0].items()
        if value is not None
    }
    found = measured(
        scores,
        np.isin(np.arange(n_items), relevant),
        list(expected),
        seen=~np.isin(np.arange(n_items), candidates),
        positives=positives,
        head=np.isin(np.arange(n_items), list(head)),
        make=make,
    )
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@settings(max_examples=30, deadline=None)
@given(scores=st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_comparisons_of_rated_items_are_means_over_all_orders_of_ties(make, scores):
    good = {0, 1, 2}
    errors, wins = [], []
    for order in orders(scores, range(6)):
        errors.append(1 - len(good & set(order[:3])) / 3)
        wins.append(np.mean([order.index(i) < order.index(j) for i in good for j in {3, 4, 5}]))
    relevant = np.arange(6) < 3
    drawn = (np.zeros(3, int), np.array([3, 4, 5]))
    found = measured(scores, relevant, ["track2_error"], drawn=drawn, make=make)
    assert found["track2_error"] == pytest.approx(np.mean(errors), abs=1e-12)
    found = measured(scores, np.ones(6), ["auc"], relevant=[relevant], make=make)
    assert found["auc"] == pytest.approx(np.mean(wins), abs=1e-12)
