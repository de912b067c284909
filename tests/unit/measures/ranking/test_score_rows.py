"""Ranking dense scores against plain numpy, and against factor models."""

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import COUNTS, slow_counts_of, whole_number_model
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.core.errors import UserError
from mnar.matrices.model import ScoreMatrix
from mnar.measures.ranking import rank_counts, rank_sets, score_rows


def drawn_scores(rng, shape, levels) -> np.ndarray:
    """Scores of few levels, the lowest of which is minus infinity."""
    scores = rng.integers(0, levels, shape).astype(np.float32)
    scores[scores == 0] = -np.inf
    return scores


@pytest.mark.parametrize("few", [0, 3, score_rows.FEW], ids=["sorted", "both", "compared"])
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_users=st.integers(1, 9),
    n_items=st.integers(1, 40),
    levels=st.sampled_from([2, 5, 10**6]),
    density=st.floats(0, 1),
)
def test_counts_equal_the_definition(few, seed, n_users, n_items, levels, density):
    rng = np.random.default_rng(seed)
    scores = drawn_scores(rng, (n_users, n_items), levels)
    targets = rng.random((n_users, n_items)) < density
    # Targets may have been seen as well; they stay candidates.
    seen = rng.random((n_users, n_items)) < 0.4
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_rows, "FEW", few)
        counts = rank_counts(ScoreMatrix(scores), ratings_of(targets), seen=ratings_of(seen))
    found = np.array([getattr(counts, name) for name in ("user", "item", *COUNTS)])
    np.testing.assert_array_equal(found, slow_counts_of(scores, targets, seen))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n_items=st.integers(1, 300))
def test_factor_models_have_the_same_counts_as_their_dense_scores(seed, n_items):
    rng = np.random.default_rng(seed)
    model = whole_number_model(rng, 12, n_items)
    scores = model.user_vectors @ model.item_vectors.T + model.item_bias
    masks = rng.random((3, 12, n_items)) < [[[0.1]], [[0.5]], [[0.3]]]
    *sets, seen = map(ratings_of, masks)
    for left_out in (seen, None):
        expected = rank_sets(model, sets, seen=left_out, threads=2)
        found = rank_sets(ScoreMatrix(scores), sets, seen=left_out, threads=2)
        for one, other in zip(expected, found, strict=True):
            for name in COUNTS:
                np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_scores_are_not_written_to():
    scores = np.arange(12, dtype=np.float32).reshape(2, 6)
    scores.setflags(write=False)

    class Stored(ScoreMatrix):
        def scores(self, users):
            return self.matrix[users[0] : users[-1] + 1]

    seen = ratings_of([[0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 0, 0]])
    counts = rank_counts(Stored(scores), ratings_of(np.eye(2, 6)), seen=seen)
    np.testing.assert_array_equal(counts.above, [2, 4])


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_user_with_a_score_that_is_no_number_is_named(threads):
    scores = np.zeros((1000, 5), np.float32)
    scores[[411, 730, 990], 2] = np.nan, np.inf, np.nan
    # Users without targets are not scored.
    scores[100] = np.nan
    targets = np.ones((1000, 5))
    targets[100] = 0
    with pytest.raises(UserError, match="user 411 are NaN or plus infinity"):
        rank_counts(ScoreMatrix(scores), ratings_of(targets), threads=threads)


def test_any_number_of_threads_gives_the_same_counts():
    rng = np.random.default_rng(6)
    scores = drawn_scores(rng, (900, 70), 30)
    targets, seen = (ratings_of(rng.random((900, 70)) < share) for share in (0.3, 0.2))
    one, three = (
        rank_counts(ScoreMatrix(scores), targets, seen=seen, threads=threads) for threads in (1, 3)
    )
    for name in COUNTS:
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))
