"""EASE against its definition: least squares for each item with the others as regressors."""

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings, ratings_of

from mnar.core.errors import UserError
from mnar.models import _square, ease, fit_grid

LAMBDA = 3.0


def slow_weights(matrix, penalty):
    """One ridge regression an item, which may not use itself."""
    n = matrix.shape[1]
    weights = np.zeros((n, n))
    for j in range(n):
        others = [i for i in range(n) if i != j]
        design = matrix[:, others]
        normal = design.T @ design + penalty * np.eye(n - 1)
        weights[others, j] = np.linalg.solve(normal, design.T @ matrix[:, j])
    return weights


def test_weights_equal_one_regression_an_item():
    train = random_ratings(users=40)
    relevant = dense(train, train.relevant, 0)
    model = ease.fit(train, {"lambda": LAMBDA}, seed=1, threads=1)
    expected = slow_weights(relevant, LAMBDA)
    np.testing.assert_allclose(model.weights, expected, atol=1e-6)
    users = np.array([5, 0, 7, 5])
    scores = model.scores(users)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, relevant[users] @ expected, atol=1e-5)
    assert (model.n_users, model.n_items) == (40, 20)


def test_a_grid_gives_the_models_of_its_points():
    train = random_ratings(users=40)
    points = [{"lambda": 1.0}, {"lambda": 50.0}]
    for settings, model in zip(points, fit_grid("ease", train, points, 1, 1), strict=True):
        alone = ease.fit(train, settings, 1, 2)
        assert model.weights.tobytes() == alone.weights.tobytes()


def test_new_users_are_scored_by_the_same_weights():
    train, others = random_ratings(), random_ratings(users=9, seed=3)
    model = ease.fit(train, {"lambda": LAMBDA}, 1, 1)
    folded = ease.fold_in(model, others, {"lambda": LAMBDA}, 1)
    assert folded.n_users == 9
    expected = dense(others, others.relevant, 0) @ model.weights
    np.testing.assert_allclose(folded.scores(np.arange(9)), expected, atol=1e-5)


def test_scores_of_a_user_do_not_depend_on_the_others_asked_for():
    model = ease.fit(random_ratings(users=40), {"lambda": LAMBDA}, 1, 1)
    at_once = model.scores(np.arange(40))
    for user in range(40):
        assert model.scores(np.array([user])).tobytes() == at_once[user].tobytes()


def test_what_cannot_be_fitted_says_so(monkeypatch):
    with pytest.raises(UserError, match="lambda 0, for some items"):
        ease.fit(ratings_of(np.ones((3, 2))), {"lambda": 0}, 1, 1)
    monkeypatch.setattr(_square, "LARGEST_SIDE", 19)
    with pytest.raises(UserError, match="takes up to 19 of them, but the view has 20"):
        ease.fit(random_ratings(), {"lambda": 1}, 1, 1)


def test_fewer_users_than_items_give_the_same_scores():
    """Solved by users or by items, for users trained on and for new ones."""
    train, others = random_ratings(users=12, items=20), random_ratings(users=9, items=20, seed=3)
    relevant, new = (dense(ratings, ratings.relevant, 0) for ratings in (train, others))
    expected = slow_weights(relevant, LAMBDA)
    model = ease.fit(train, {"lambda": LAMBDA}, 1, 1)
    assert isinstance(model, ease.UserTable)
    assert (model.n_users, model.n_items) == (12, 20)
    scores = model.scores(np.array([5, 0, 5]))
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, relevant[[5, 0, 5]] @ expected, atol=1e-6)
    folded = ease.fold_in(model, others, {"lambda": LAMBDA}, 1)
    np.testing.assert_allclose(folded.scores(np.arange(9)), new @ expected, atol=1e-6)
    # Without a penalty only the way by items can tell that there is no solution.
    with pytest.raises(UserError, match="set a larger lambda"):
        ease.fit(train, {"lambda": 0.0}, 1, 1)
