"""RMSE of factor models and of others."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import ratings_of

from mnar.core.errors import UserError
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import ScoreMatrix
from mnar.measures import evaluate
from mnar.measures import rmse as rmse_module


def test_rmse_is_pooled_under_the_root(monkeypatch):
    model = FactorModel(
        np.zeros((2, 1), np.float32),
        np.zeros((3, 1), np.float32),
        np.array([0, 1, 2], np.float32),
        np.array([0, 1], np.float32),
        offset=1.0,
    )
    rated = ratings_of([[1, 1, 1], [0, 0, 1]], values=[[1, 4, 3], [0, 0, 5]])
    values = evaluate(model, rated, None, ["rmse"], Context(), 1)["rmse"]
    errors = np.array([0, 2, 0, 1])
    for average in ("user", "pair"):
        assert values.mean(average) == pytest.approx(np.sqrt(np.mean(errors**2)))
    # One user at a time gives the same as all at once.
    monkeypatch.setattr(rmse_module, "_USERS", 1)
    again = evaluate(model, rated, None, ["rmse"], Context(), 1)["rmse"]
    np.testing.assert_array_equal(again.total, values.total)
    np.testing.assert_allclose(values.total, [4, 1])


def test_rmse_equals_that_of_dense_predictions():
    rng = np.random.default_rng(4)
    shape, factors = (30, 20), 7
    model = FactorModel(
        *(rng.standard_normal((n, factors)).astype(np.float32) for n in shape),
        *(rng.standard_normal(n).astype(np.float32) for n in reversed(shape)),
        offset=3.5,
    )
    rated, values = rng.random(shape) < 0.4, rng.integers(1, 6, shape)
    predicted = model.user_vectors @ model.item_vectors.T + model.item_bias + 3.5
    predicted += model.user_bias[:, np.newaxis]
    squares = np.where(rated, (predicted - values) ** 2, 0).sum(axis=1)
    found = evaluate(model, ratings_of(rated, values=values), None, ["rmse"], Context(), 2)["rmse"]
    np.testing.assert_allclose(found.total, squares, rtol=1e-5)
    np.testing.assert_array_equal(found.weight, rated.sum(axis=1))


def test_any_model_is_measured_by_its_predictions_or_its_scores():
    stars, scores = np.array([[1, 4, 3], [0, 0, 5]]), np.float32([[2, 4, 5], [np.nan, -np.inf, 5]])
    rated = ratings_of(stars > 0, values=stars)

    class Predicting(ScoreMatrix):
        def predict(self, users, items):
            return stars[users, items] + 1.0

    found = evaluate(Predicting(scores), rated, None, ["rmse"], Context(), 1)["rmse"]
    np.testing.assert_array_equal(found.total, [3, 1])
    scores[1, 0] = 0
    found = evaluate(ScoreMatrix(scores), rated, None, ["rmse"], Context(), 1)["rmse"]
    np.testing.assert_array_equal(found.total, [5, 0])
    np.testing.assert_array_equal(found.weight, [3, 1])


def test_a_model_that_moves_with_time_is_asked_for_the_moment_of_the_rating():
    rated = ratings_of([[1, 1, 0], [0, 1, 1]], values=[[3, 4, 0], [0, 5, 1]])

    class Moving(ScoreMatrix):
        def predict_at(self, users, items, times):
            return times / 10.0

    model = Moving(np.float32([[3, 4, 0], [0, 5, 1]]))
    timed = replace(rated, times=np.array([10, 40, 50, 30]))
    found = evaluate(model, timed, None, ["rmse"], Context(), 1)["rmse"]
    np.testing.assert_array_equal(found.total, [4, 4])
    # Where no moment is known, the scores are all there is.
    assert evaluate(model, rated, None, ["rmse"], Context(), 1)["rmse"].mean("pair") == 0


def test_a_rating_that_is_not_predicted_is_an_error():
    scores = np.zeros((3, 2), np.float32)
    scores[1, 1] = -np.inf
    with pytest.raises(UserError, match="predicted rating of user 1 is not a finite number"):
        evaluate(ScoreMatrix(scores), ratings_of(np.ones((3, 2))), None, ["rmse"], Context(), 1)
