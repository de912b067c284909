"""Rank counts against plain numpy, and the trap of ties that BLAS breaks."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import ratings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from mnar.core.errors import UserError
from mnar.kernels.score_tiles import (
    BLOCK,
    GROUP,
    TALLIED,
    WORDS,
    count_line,
    find_top,
    panels_of,
    score_tile,
    sum_tallies,
)
from mnar.kernels.vectors import LANES
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.measures import scores as scores_module
from mnar.measures.ranks import (
    compare,
    count_above,
    mark,
    order_falling,
    rank_counts,
    rank_sets,
)
from mnar.measures.scores import (
    ItemScores,
    all_finite,
    lengths_of,
    pack_users,
    score_pairs,
    score_some,
)

COUNTS = ("above", "tied", "relevant_above", "relevant_tied", "n_relevant", "n_candidates")


def whole_number_model(rng, n_users, n_items, factors=3) -> FactorModel:
    """Small whole numbers: products are exact, and ties are many."""

    def draw(*shape):
        return rng.integers(-1, 2, shape).astype(np.float32)

    user_bias = draw(n_users)
    return FactorModel(
        draw(n_users, factors), draw(n_items, factors), draw(n_items), user_bias, 0.5
    )


def slow_counts(model, targets, seen):
    """The counts by their definition, one user and one item at a time."""
    rows = []
    for user in range(targets.shape[0]):
        scores = model.user_vectors[user] @ model.item_vectors.T + model.item_bias
        candidates = targets[user] | ~seen[user]
        for item in np.flatnonzero(targets[user]):
            score = scores[item]
            rows.append(
                (
                    user,
                    item,
                    np.sum(scores[candidates] > score),
                    np.sum(scores[candidates] == score),
                    np.sum(scores[targets[user]] > score),
                    np.sum(scores[targets[user]] == score),
                    np.sum(targets[user]),
                    np.sum(candidates),
                )
            )
    return np.array(rows).reshape(-1, 8).T


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

    monkeypatch.setattr("mnar.measures.ranks.count_above", count)
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
        scorer = ItemScores(model)
        scores = scorer(np.arange(n_users))[:, scorer.columns]
        counts = rank_counts(model, ratings_of(targets))
        own = scores[counts.user, counts.item][:, np.newaxis]
        np.testing.assert_array_equal(counts.above, (scores[counts.user] > own).sum(axis=1))
        np.testing.assert_array_equal(counts.tied, (scores[counts.user] == own).sum(axis=1))


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
    places = [0, 15, 16, 500, n_items - 2, n_items - 1]
    model.item_vectors[places] = model.item_vectors[7]
    targets = np.zeros((n_users, n_items), bool)
    targets[:, [7, *places]] = True
    counts = rank_counts(model, ratings_of(targets))
    assert set(counts.tied) == {len(places) + 1}


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


@pytest.mark.parametrize("factors", [0, 1, 7, 50])
@pytest.mark.parametrize("n_items", [1, BLOCK - 1, BLOCK, 2 * BLOCK + 5])
def test_scores_are_products_and_biases(factors, n_items):
    rng = np.random.default_rng(n_items)
    n_users = 2 * GROUP + 1
    vectors = [rng.standard_normal((n, factors)).astype(np.float32) for n in (n_users, n_items)]
    bias = rng.standard_normal(n_items).astype(np.float32)
    scorer = ItemScores(FactorModel(*vectors, bias, np.zeros(n_users, np.float32)))
    users = rng.permutation(n_users)[:-2]
    scores = scorer(users)[:, scorer.columns]
    dense = vectors[0].astype(float) @ vectors[1].astype(float).T + bias
    np.testing.assert_allclose(scores, dense[users], rtol=1e-5, atol=1e-5)
    # No item from a block on has a higher score than the lengths and the bias there allow.
    sorted_scores = dense[:, np.argsort(scorer.columns)]
    for block, (longest, bias_there) in enumerate(
        zip(scorer.longest, scorer.highest_bias, strict=True)
    ):
        bound = np.linalg.norm(vectors[0], axis=1) * longest + bias_there
        assert (sorted_scores[:, block * BLOCK :].max(axis=1) <= bound + 1e-5).all()
    # One by one they are the same to the bit, so that an item ties with itself.
    for row, user in enumerate(users):
        some = rng.integers(0, n_items, 1 + row % 6).astype(np.int32)
        alone = np.empty(len(some), np.float32)
        score_some(scorer.user_vectors[user], scorer.table, some, alone)
        np.testing.assert_array_equal(alone, scores[row, some])


def test_packed_users():
    vectors = np.arange(27, dtype=np.float32).reshape(9, 3)
    users = np.array([8, 0, 3, 4, 5, 6, 7])
    packed = pack_users(users, vectors)
    assert packed.shape == (2, 4, GROUP)
    unpacked = packed.transpose(0, 2, 1).reshape(-1, 4)
    np.testing.assert_array_equal(unpacked[:7, :3], vectors[users])
    np.testing.assert_array_equal(unpacked[:, 3], [1] * 7 + [0] * 5)


def test_a_model_without_factors_ranks_by_its_bias():
    bias = np.array([5, 9, 5, 0], np.float32)
    empty = np.zeros((2, 0), np.float32)
    model = FactorModel(empty, np.zeros((4, 0), np.float32), bias, np.zeros(2, np.float32))
    counts = rank_counts(model, ratings_of([[1, 0, 0, 1], [0, 1, 0, 0]]))
    np.testing.assert_array_equal(counts.above, [1, 3, 0])
    np.testing.assert_array_equal(counts.tied, [2, 1, 1])


def test_pairs_of_equal_items_have_equal_scores():
    rng = np.random.default_rng(4)
    for factors in (1, 5, 50, 51):
        model = FactorModel.without_biases(
            np.tile(rng.standard_normal(factors), (9, 1)),
            np.tile(rng.standard_normal(factors), (70, 1)),
            offset=3.0,
        )
        users, items = (part.ravel() for part in np.indices((9, 70)))
        assert len(set(score_pairs(model, users, items))) == 1


def test_scores_of_pairs_are_item_bias_and_product_alone():
    rng = np.random.default_rng(5)
    for factors in (0, 1, 7, 50):
        vectors = [rng.standard_normal((n, factors)).astype(np.float32) for n in (9, 50)]
        bias = [rng.standard_normal(n).astype(np.float32) for n in (50, 9)]
        model = FactorModel(*vectors, *bias, offset=3.0)
        users, items = (part.ravel() for part in np.indices((9, 50)))
        dense = bias[0] + vectors[0] @ vectors[1].T
        np.testing.assert_allclose(
            score_pairs(model, users, items), dense.ravel(), rtol=1e-5, atol=1e-5
        )


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


def test_a_large_catalogue_is_scored_in_smaller_blocks(monkeypatch):
    rng = np.random.default_rng(7)
    model = whole_number_model(rng, 40, 25)
    targets = ratings_of(rng.random((40, 25)) < 0.2)
    expected = rank_counts(model, targets)
    monkeypatch.setattr(scores_module, "_MOST_CELLS", 60)
    assert ItemScores(model).rows_per_block == 2
    np.testing.assert_array_equal(rank_counts(model, targets).above, expected.above)
    monkeypatch.setattr(scores_module, "_MOST_CELLS", 5)
    assert ItemScores(model).rows_per_block == 1


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


@njit
def compared(lines, row, targets, tallies):
    for target in range(len(targets)):
        count_line(lines, row, targets[target], tallies, target)
    return find_top(lines, row)


def test_lines_of_a_block_equal_numpy():
    rng = np.random.default_rng(12)
    lines = rng.integers(0, 50, (GROUP, BLOCK)).astype(np.float32)
    lines[rng.random(lines.shape) < 0.1] = -np.inf
    lines[1] = -np.inf
    lines[2] = 3
    targets = np.arange(-1, 51, dtype=np.float32)
    tallies = np.zeros((len(targets), LANES), np.int32)
    higher, equal = np.zeros((2, len(targets)), np.int32)
    for row in range(GROUP):
        assert compared(lines, row, targets, tallies) == lines[row].max()
        sum_tallies(tallies, higher, equal)
        so_far = lines[: row + 1].ravel()
        np.testing.assert_array_equal(higher, [np.sum(so_far > score) for score in targets])
        np.testing.assert_array_equal(equal, [np.sum(so_far == score) for score in targets])


@pytest.mark.parametrize("others", [1, 0], ids=["above", "tied"])
def test_more_items_than_a_tally_holds(others):
    n_items = (TALLIED + 2) * BLOCK
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


@njit
def scored(users, group, panels, block, bits, row, lines):
    score_tile(users, group, panels, block, bits, row, lines)


def test_a_tile_has_the_scores_of_columns_that_are_not_left_out():
    rng = np.random.default_rng(13)
    users, blocks, first = 2 * GROUP, 3, 4
    model = whole_number_model(rng, users, blocks * BLOCK)
    scorer = ItemScores(model)
    packed = pack_users(np.arange(users), scorer.user_vectors)
    left_out = rng.random((first + users, blocks * BLOCK)) < 0.3
    left_out[first] = False
    left_out[first + 1] = True
    bits = np.packbits(left_out, axis=1, bitorder="little").view(np.uint64)
    panels = panels_of(scorer.table, np.arange(blocks * BLOCK))
    lines = np.zeros((GROUP, BLOCK), np.float32)
    expected = np.where(
        left_out[first:], -np.inf, model.user_vectors @ model.item_vectors.T + model.item_bias
    )
    for group in range(2):
        for block in range(blocks):
            row = group * GROUP
            scored(packed, group, panels, block, bits, first + row, lines)
            columns = slice(block * BLOCK, (block + 1) * BLOCK)
            np.testing.assert_array_equal(lines, expected[row : row + GROUP, columns])


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
