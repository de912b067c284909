"""Ranking factor models in tiles."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import COUNTS, slow_counts, whole_number_model

from mnar.kernels.score_tiles import (
    BLOCK,
    WORDS,
)
from mnar.matrices import factor_scores
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import all_finite, lengths_of
from mnar.matrices.ratings import Ratings
from mnar.measures.ranking import rank_counts
from mnar.measures.ranking.counts import compare
from mnar.measures.ranking.tiles import count_above, mark, order_falling


@pytest.mark.parametrize("biased", [False, True])
def test_blocks_that_cannot_reach_a_target_are_left_out(monkeypatch, biased):
    rng = np.random.default_rng(7)
    n_users, n_items = 40, 5 * BLOCK - 3
    model = whole_number_model(rng, n_users, n_items)
    # From long to short and to none, in no order; whole numbers still, so that ties are many.
    model.item_vectors[:] *= rng.permutation(np.repeat([16, 8, 4, 1, 0], BLOCK)[:n_items])[:, None]
    if not biased:
        model.item_bias[:] = 0
    scores = model.user_vectors @ model.item_vectors.T + model.item_bias
    targets = rng.random((n_users, n_items)) < 0.02
    # Half of the users have high targets alone.
    targets[::2] &= scores[::2] > 4
    seen = rng.random((n_users, n_items)) < 0.1
    asked = []

    def count(users, user_vectors, panels, needed, *others):
        asked.extend(needed[users])
        count_above(users, user_vectors, panels, needed, *others)

    monkeypatch.setattr("mnar.measures.ranking.tiles.count_above", count)
    counts = rank_counts(model, ratings_of(targets), seen=ratings_of(seen))
    found = np.array([getattr(counts, name) for name in ("user", "item", *COUNTS)])
    np.testing.assert_array_equal(found, slow_counts(model, targets, seen))
    assert asked == sorted(asked, reverse=True)
    assert asked[0] == 5
    assert 0 < asked[-1] < 5


def test_scores_next_to_nothing_are_ranked_as_they_are():
    n_users, n_items, factors = 60, 3 * BLOCK, 5
    # All point the same way, and differ by less than the smallest numbers that there are. Each user
    # has one target, the last of the first block or one of a few before.
    lengths = [np.linspace(2, 1, n)[:, np.newaxis] for n in (n_users, n_items)]
    targets = np.zeros((n_users, n_items))
    targets[np.arange(n_users), BLOCK - 1 - np.arange(n_users) % 8] = 1
    for scale in (1e-20, 1e-21, 1e-22):
        vectors = [(scale * part * np.ones(factors)).astype(np.float32) for part in lengths]
        model = FactorModel.without_biases(*vectors)
        scorer = model.item_scores
        scores = scorer(np.arange(n_users))[:, scorer.columns]
        counts = rank_counts(model, ratings_of(targets))
        own = scores[counts.user, counts.item][:, np.newaxis]
        np.testing.assert_array_equal(counts.above, (scores[counts.user] > own).sum(axis=1))
        np.testing.assert_array_equal(counts.tied, (scores[counts.user] == own).sum(axis=1))


def test_a_large_catalogue_is_scored_in_smaller_blocks(monkeypatch):
    rng = np.random.default_rng(7)
    model = whole_number_model(rng, 40, 25)
    targets = ratings_of(rng.random((40, 25)) < 0.2)
    expected = rank_counts(model, targets)
    monkeypatch.setattr(factor_scores, "_MOST_CELLS", 60)
    assert model.item_scores.rows_per_block == 2
    np.testing.assert_array_equal(rank_counts(model, targets).above, expected.above)
    monkeypatch.setattr(factor_scores, "_MOST_CELLS", 5)
    assert model.item_scores.rows_per_block == 1


@pytest.mark.parametrize("others", [1, 0], ids=["above", "tied"])
def test_many_blocks_of_items(others):
    n_items = 600 * BLOCK + 3
    bias = np.full(n_items, others, np.float32)
    bias[[5, n_items - 9]] = 0
    model = replace(
        FactorModel.without_biases(np.zeros((1, 1)), np.zeros((n_items, 1))), item_bias=bias
    )
    targets = Ratings.from_triplets(
        np.zeros(2, int), np.array([5, n_items - 9]), np.ones(2), np.ones(2, bool), (1, n_items)
    )
    counts = rank_counts(model, targets)
    zeros = np.sum(bias == 0)
    assert counts.above.tolist() == [n_items - zeros] * 2
    assert counts.tied.tolist() == [zeros] * 2


def test_small_kernels_equal_numpy():
    rng = np.random.default_rng(10)
    scores = rng.integers(0, 4, 37).astype(np.float32)
    for score in np.arange(-1, 5, dtype=np.float32):
        assert compare(scores, score) == (np.sum(scores > score), np.sum(scores == score))
    order, above, tied = (np.empty(37, np.int64) for _ in range(3))
    order_falling(scores, order, above, tied)
    np.testing.assert_array_equal(order, np.argsort(-scores, kind="stable"))
    np.testing.assert_array_equal(above, np.sum(scores > scores[:, np.newaxis], axis=1))
    np.testing.assert_array_equal(tied, np.sum(scores == scores[:, np.newaxis], axis=1))
    columns = rng.permutation(BLOCK).astype(np.int32)
    items = np.array([3, 0, BLOCK - 1], np.int32)
    bits = np.zeros(WORDS, np.uint64)
    mark(bits, columns, items)
    for column in range(BLOCK):
        marked = int(bits[column // 64]) >> (column % 64) & 1
        assert marked == (column in columns[items])
    vectors = np.float32([[3, 4], [0, 0], [3e-25, 4e-25], [np.inf, 1]])
    np.testing.assert_allclose(lengths_of(vectors), [5, 0, 5e-25, np.inf], rtol=1e-6)
    scores[5] = -np.inf
    assert not all_finite(scores[np.newaxis])
    assert all_finite(np.zeros((2, 3), np.float32))
