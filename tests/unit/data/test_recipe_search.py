"""The recipe that comes nearest to a published size."""

from collections import Counter

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.data.recipe_search import search

PAIRS = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 9)), min_size=1)


def core(pairs, min_per_user, min_per_item):
    """Removes users and items below their minimum until there are none."""
    while True:
        users = Counter(user for user, _ in pairs)
        items = Counter(item for _, item in pairs)
        kept = {
            (user, item)
            for user, item in pairs
            if users[user] >= min_per_user and items[item] >= min_per_item
        }
        if kept == pairs:
            return kept
        pairs = kept


@settings(deadline=None)
@given(PAIRS)
def test_sizes_are_those_of_plain_peeling(pairs):
    frame = pl.DataFrame(sorted(pairs), ["user", "item"], orient="row")
    found = {row[:2]: row[2:5] for row in search(frame, 5, 5, 10).rows()}
    for min_per_user in range(1, 9):
        for min_per_item in range(1, 11):
            left = core(pairs, min_per_user, min_per_item)
            size = (len({u for u, _ in left}), len({i for _, i in left}), len(left))
            assert found.get((min_per_user, min_per_item), (0, 0, 0)) == size


def test_finds_the_recipe_that_made_the_size():
    generator = np.random.default_rng(7)
    users = generator.zipf(1.4, 30_000) % 900
    items = generator.zipf(1.3, 30_000) % 700
    pairs = set(zip(users.tolist(), items.tolist(), strict=True))
    # Ids of any type, and in any order.
    names = [(f"u{user}", f"i{item}") for user, item in pairs]
    left = core(pairs, 4, 7)
    size = (len({u for u, _ in left}), len({i for _, i in left}), len(left))
    frame = pl.DataFrame(names, ["user", "item"], orient="row")
    best = search(frame, *size).row(0, named=True)
    assert (best["min_per_user"], best["min_per_item"]) == (4, 7)
    assert (best["users"], best["items"], best["interactions"]) == size
    assert best["distance"] == 0


def test_distance_is_the_sum_of_log_ratios():
    frame = pl.DataFrame({"user": [1, 1, 2], "item": [1, 2, 1]})
    best = search(frame, 4, 4, 6).row(0, named=True)
    assert np.isclose(best["distance"], 3 * np.log(2))


def test_the_grid_grows_as_far_as_it_must():
    """Cliques of 30, 60 and 120: only a minimum above 60 leaves the last alone."""
    pairs = [
        (size * 1000 + user, size * 1000 + item)
        for size in (30, 60, 120)
        for user in range(size)
        for item in range(size)
    ]
    frame = pl.DataFrame(pairs, ["user", "item"], orient="row")
    best = search(frame, 120, 120, 14400).row(0, named=True)
    assert best["distance"] == 0
    assert max(best["min_per_user"], best["min_per_item"]) == 61
