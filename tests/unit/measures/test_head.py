"""Head items in top lists."""

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import MAKERS, measured

from mnar.matrices.context import Context
from mnar.measures import evaluate
from mnar.measures.head import find_best


def test_seen_items_do_not_fill_a_list_longer_than_the_candidates():
    # Two candidates, one of them in the head: half of the list, whatever its length.
    scores, held_out, seen = [5, 4, 3, 2], [0, 0, 1, 0], [1, 1, 0, 0]
    head = np.array([True, True, True, False])
    names = ["head_1", "head_2", "head_3", "head_9", "head_2147483647", "recall@9"]
    found = measured(scores, held_out, names, seen=seen, head=head)
    assert list(found.values()) == [1, 0.5, 0.5, 0.5, 0.5, 1]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_head_shares_equal_the_sum_over_head_items(make):
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 12, (20, 60)).astype(float)
    seen = rng.random((20, 60)) < 0.2
    head = rng.random(60) < 0.2
    names = {size: f"head_{size}" for size in (1, 7, 20, 60)}
    found = evaluate(
        make(scores),
        ratings_of(np.eye(20, 60)),
        ratings_of(seen),
        list(names.values()),
        Context(head=head),
        threads=1,
    )
    for user in range(20):
        own = scores[user, ~seen[user]]
        of_head = scores[user, head & ~seen[user]]
        for size, name in names.items():
            above, tied = np.sum(own > of_head[:, None], 1), np.sum(own == of_head[:, None], 1)
            expected = np.clip((size - above) / tied, 0, 1).sum() / min(size, len(own))
            assert found[name].total[user] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 9, 40])
def test_the_best_scores_are_found_in_order(size):
    scores = np.random.default_rng(size).integers(0, 9, 30).astype(np.float32)
    best = np.empty(size, np.float32)
    for given_order in (scores, np.sort(scores), np.sort(scores)[::-1].copy()):
        find_best(given_order, best)
        expected = np.append(np.sort(scores)[::-1], np.full(10, -np.inf))[:size]
        np.testing.assert_array_equal(best, expected)
