"""Scores and predictions of any model."""

import numpy as np
import pytest

from mnar.core.errors import UserError
from mnar.matrices import model as model_module
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import (
    ScoreMatrix,
    first_wrong_row,
    for_scores,
    predict_pairs,
    rows_per_block,
    score_pairs,
)


def random_model(n_users=30, n_items=40, factors=4) -> FactorModel:
    rng = np.random.default_rng(0)
    return FactorModel(
        *(rng.standard_normal((n, factors)).astype(np.float32) for n in (n_users, n_items)),
        *(rng.standard_normal(n).astype(np.float32) for n in (n_items, n_users)),
        offset=3.0,
    )


def test_a_factor_model_has_the_scores_that_it_is_ranked_by():
    model = random_model()
    users = np.array([3, 0, 29])
    dense = model.user_vectors @ model.item_vectors.T + model.item_bias
    found = model.scores(users)
    np.testing.assert_allclose(found, dense[users], rtol=1e-5, atol=1e-5)
    # Equal items have equal scores, wherever they stand.
    model.item_vectors[:] = model.item_vectors[0]
    model.item_bias[:] = 1
    again = FactorModel(model.user_vectors, model.item_vectors, model.item_bias, model.user_bias)
    assert all(len(set(line)) == 1 for line in again.scores(users))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("make", [lambda scores: ScoreMatrix(scores), None], ids=["dense", "tiled"])
def test_blocks_have_the_scores_of_their_users(monkeypatch, make, threads):
    monkeypatch.setattr(model_module, "_MOST_ROWS", 4)
    factors = random_model()
    matrix = factors.scores(np.arange(30))
    model = make(matrix) if make else factors
    users = np.array([1, 2, 3, 7, 11, 13, 17, 19, 29])
    found = np.zeros((len(users), 40), np.float32)

    def work(first, last, scores, columns):
        found[first:last] = scores[:, columns]

    for_scores(model, users, threads, work)
    np.testing.assert_array_equal(found, matrix[users])


def test_scores_of_pairs_in_any_order(monkeypatch):
    monkeypatch.setattr(model_module, "_MOST_ROWS", 2)
    matrix = np.arange(60, dtype=np.float32).reshape(10, 6)
    users, items = np.array([9, 0, 9, 4, 0, 9, 7]), np.array([5, 1, 0, 3, 1, 5, 2])
    for threads in (1, 2):
        found = score_pairs(ScoreMatrix(matrix), users, items, threads)
        np.testing.assert_array_equal(found, matrix[users, items])


def test_predictions_come_from_predict_or_else_from_scores():
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    users, items = np.array([0, 2]), np.array([1, 3])

    class Predicting(ScoreMatrix):
        def predict(self, users, items):
            return [1.5, 2.5]

    np.testing.assert_array_equal(predict_pairs(ScoreMatrix(matrix), users, items), [1, 11])
    np.testing.assert_array_equal(predict_pairs(Predicting(matrix), users, items), [1.5, 2.5])


def test_scores_of_another_shape_are_refused():
    class Wrong(ScoreMatrix):
        def scores(self, users):
            return self.matrix

    with pytest.raises(
        UserError, match=r"Wrong.scores gave an array of shape \(3, 4\) for 2 users"
    ):
        score_pairs(Wrong(np.zeros((3, 4))), np.array([0, 1]), np.array([0, 1]))


def test_rows_that_hold_no_numbers():
    scores = np.zeros((4, 3), np.float32)
    scores[0] = -np.inf
    assert first_wrong_row(scores) == 4
    for bad in (np.nan, np.inf):
        scores[2, 1] = bad
        assert first_wrong_row(scores) == 2


def test_blocks_of_large_catalogues_have_fewer_rows():
    assert rows_per_block(100) == 256
    assert rows_per_block(1 << 20) == 4
    assert rows_per_block(1 << 30) == 1
    assert rows_per_block(0) == 256
