"""Rank counts against plain numpy, and the trap of ties that BLAS breaks."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import COUNTS, slow_counts, whole_number_model
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.core.errors import UserError
from mnar.kernels.score_tiles import (
    BLOCK,
)
from mnar.matrices.factor_model import FactorModel
from mnar.measures.ranking import rank_counts, rank_sets


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_users=st.integers(1, 9),
    n_items=st.integers(1, 30),
    density=st.floats(0, 1),
)
def test_counts_equal_the_definition(seed, n_users, n_items, density):
    rng = np.random.default_rng(seed)
    model = whole_number_model(rng, n_users, n_items)
    targets = rng.random((n_users, n_items)) < density
    # Targets may have been seen as well; they stay candidates.
    seen = rng.random((n_users, n_items)) < 0.4
    counts = rank_counts(model, ratings_of(targets), seen=ratings_of(seen))
    found = np.array([getattr(counts, name) for name in ("user", "item", *COUNTS)])
    np.testing.assert_array_equal(found, slow_counts(model, targets, seen))


def test_without_seen_every_item_is_a_candidate():
    rng = np.random.default_rng(1)
    model = whole_number_model(rng, 5, 12)
    targets = rng.random((5, 12)) < 0.3
    counts = rank_counts(model, ratings_of(targets), seen=None)
    expected = slow_counts(model, targets, np.zeros_like(targets))
    np.testing.assert_array_equal([getattr(counts, name) for name in COUNTS], expected[2:])
    assert set(counts.n_candidates) == {12}


def test_only_relevant_targets_count_unless_all_are_asked_for():
    rng = np.random.default_rng(2)
    model = whole_number_model(rng, 6, 15)
    held_out = rng.random((6, 15)) < 0.5
    relevant = rng.random((6, 15)) < 0.5
    rated = ratings_of(held_out, relevant)
    nothing = np.zeros_like(held_out)
    for relevant_only, targets in ((True, held_out & relevant), (False, held_out)):
        counts = rank_counts(model, rated, relevant_only=relevant_only)
        expected = slow_counts(model, targets, nothing)
        np.testing.assert_array_equal([getattr(counts, name) for name in COUNTS], expected[2:])


@pytest.mark.parametrize("factors", [3, 50, 129])
def test_equal_items_tie_at_every_place_of_the_matrix(factors):
    rng = np.random.default_rng(factors)
    for n_items in (*range(1, 34), 48, 49, 127, 128, 129, 1001):
        for n_users in (1, 2, 7, 130):
            vector = rng.standard_normal(factors)
            model = FactorModel.without_biases(
                rng.standard_normal((n_users, factors)), np.tile(vector, (n_items, 1))
            )
            targets = np.zeros((n_users, n_items), bool)
            targets[:, [0, n_items // 2, -1]] = True
            counts = rank_counts(model, ratings_of(targets))
            assert set(counts.above) == {0}
            assert set(counts.tied) == {n_items}


def test_copies_of_an_item_tie_with_it_alone():
    rng = np.random.default_rng(3)
    n_users, n_items = 300, 997
    model = FactorModel.without_biases(
        rng.standard_normal((n_users, 20)), rng.standard_normal((n_items, 20))
    )
    positions = [0, 15, 16, 500, n_items - 2, n_items - 1]
    model.item_vectors[positions] = model.item_vectors[7]
    targets = np.zeros((n_users, n_items), bool)
    targets[:, [7, *positions]] = True
    counts = rank_counts(model, ratings_of(targets))
    assert set(counts.tied) == {len(positions) + 1}


def test_equal_vectors_with_other_biases_do_not_tie():
    model = FactorModel(
        np.ones((1, 2), np.float32),
        np.ones((3, 2), np.float32),
        np.array([0, 1, 0], np.float32),
        np.zeros(1, np.float32),
    )
    counts = rank_counts(model, ratings_of([[1, 1, 1]]))
    np.testing.assert_array_equal(counts.above, [1, 0, 1])
    np.testing.assert_array_equal(counts.tied, [2, 1, 2])


def test_negative_zero_equals_zero():
    vectors = np.array([[0.0, 1.0], [-0.0, 1.0]])
    model = FactorModel.without_biases(np.ones((1, 2)), vectors)
    np.testing.assert_array_equal(rank_counts(model, ratings_of([[1, 1]])).tied, [2, 2])


def test_a_model_without_factors_ranks_by_its_bias():
    bias = np.array([5, 9, 5, 0], np.float32)
    empty = np.zeros((2, 0), np.float32)
    model = FactorModel(empty, np.zeros((4, 0), np.float32), bias, np.zeros(2, np.float32))
    counts = rank_counts(model, ratings_of([[1, 0, 0, 1], [0, 1, 0, 0]]))
    np.testing.assert_array_equal(counts.above, [1, 3, 0])
    np.testing.assert_array_equal(counts.tied, [2, 1, 1])


def test_any_number_of_threads_gives_the_same_counts():
    rng = np.random.default_rng(6)
    n_users, n_items = 700, 333
    model = FactorModel.without_biases(
        rng.standard_normal((n_users, 17)), rng.standard_normal((n_items, 17))
    )
    targets, seen = (ratings_of(rng.random((n_users, n_items)) < 0.05) for _ in range(2))
    one, two, many = (rank_counts(model, targets, seen=seen, threads=n) for n in (1, 2, 5))
    for name in COUNTS:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_is_an_error(bad):
    model = whole_number_model(np.random.default_rng(8), 300, 6)
    bias = model.item_bias.copy()
    bias[4] = bad
    targets = np.zeros((300, 6), bool)
    targets[[211, 250], 1] = True
    with pytest.raises(UserError, match="user 211"):
        rank_counts(replace(model, item_bias=bias), ratings_of(targets), threads=2)


def test_a_score_that_overflows_is_an_error():
    model = FactorModel.without_biases(np.full((1, 2), 1e30), np.full((2, 2), 1e30))
    with pytest.raises(UserError, match="finite"):
        rank_counts(model, ratings_of([[1, 0]]))


def test_nobody_to_score():
    model = whole_number_model(np.random.default_rng(9), 3, 4)
    assert len(rank_counts(model, ratings_of(np.zeros((3, 4)))).above) == 0


def test_sets_ranked_together_are_ranked_as_if_alone():
    rng = np.random.default_rng(11)
    model = whole_number_model(rng, 40, 3 * BLOCK)
    masks = rng.random((4, 40, 3 * BLOCK)) < 0.03
    masks[1, :20] = False
    *sets, seen = map(ratings_of, masks)
    for left_out in (seen, None):
        together = rank_sets(model, sets, seen=left_out, threads=2)
        for part, found in zip(sets, together, strict=True):
            alone = rank_counts(model, part, seen=left_out)
            for name in COUNTS:
                np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
