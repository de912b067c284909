"""Neighbourhoods of items and of users, against loops over every pair."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings
from hypothesis import given
from hypothesis import strategies as st

from mnar import models
from mnar.core.errors import UserError
from mnar.models import _square, item_knn, user_knn
from mnar.models._baseline import PENALTY, SWEEPS, fit_baseline
from mnar.models._similarity import cosine, keep_nearest, nearest, pearson

SHRINKAGE = 2.0
METHODS = pytest.mark.parametrize("method", [item_knn, user_knn])


def slow_baseline(train):
    """One rating at a time."""
    mean = sum(map(float, train.values)) / len(train.values)
    users, items = np.zeros(train.n_users), np.zeros(train.n_items)
    entries = list(zip(train.users, train.items, train.values, strict=True))
    for _ in range(SWEEPS):
        for i in range(train.n_items):
            left = [r - mean - users[u] for u, j, r in entries if j == i]
            items[i] = sum(left) / (len(left) + PENALTY)
        for u in range(train.n_users):
            left = [r - mean - items[i] for v, i, r in entries if v == u]
            users[u] = sum(left) / (len(left) + PENALTY)
    return mean + users[:, None] + items[None]


def slow_pearson(residuals):
    """Of the rows of a matrix that is NaN where nothing is known."""
    n = len(residuals)
    alike = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            both = ~np.isnan(residuals[i]) & ~np.isnan(residuals[j])
            a, b = residuals[i][both], residuals[j][both]
            if i != j and both.any():
                rho = a @ b / np.sqrt((a @ a) * (b @ b))
                alike[i, j] = rho * both.sum() / (both.sum() + SHRINKAGE)
    return alike


def slow_cosine(relevant):
    n = len(relevant)
    alike = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            both = relevant[i] @ relevant[j]
            if i != j and both:
                cosine = both / np.sqrt(relevant[i].sum() * relevant[j].sum())
                alike[i, j] = cosine * both / (both + SHRINKAGE)
    return alike


def slow_means(residuals, alike, k):
    """For each row of a matrix, and each column that is NaN or not: from the k nearest rows."""
    found = np.zeros_like(residuals)
    for i, column in np.ndindex(residuals.shape):
        known = [j for j in range(len(residuals)) if not np.isnan(residuals[j, column])]
        known = sorted((j for j in known if alike[i, j] > 0), key=lambda j: -alike[i, j])[:k]
        weights = [alike[i, j] for j in known]
        if known:
            found[i, column] = np.dot(weights, residuals[known, column]) / sum(weights)
    return found


def slow_sums(relevant, alike, k):
    found = np.zeros(relevant.shape)
    for i in range(len(relevant)):
        near = sorted((j for j in range(len(alike)) if alike[i, j] > 0), key=lambda j: -alike[i, j])
        for j in near[:k]:
            found[i] += alike[i, j] * relevant[j]
    return found


@METHODS
@pytest.mark.parametrize("k", [1, 3, 100])
def test_ratings_are_the_baseline_and_the_mean_of_the_nearest(method, k):
    train = random_ratings(users=25, share=0.4)
    model = method.fit(train, {"k": k, "shrinkage": SHRINKAGE}, seed=1, threads=1)
    baseline = slow_baseline(train)
    residuals = np.where(dense(train, 1, 0) > 0, dense(train, train.values, 0) - baseline, np.nan)
    rows = residuals.T if method is item_knn else residuals
    np.testing.assert_allclose(model.alike, slow_pearson(rows), atol=1e-6)
    # Those who have one rating in common are all alike: rounding must not tell them apart.
    expected = slow_means(rows, model.alike, k)
    expected = expected.T if method is item_knn else expected
    users, items = (part.ravel() for part in np.indices(residuals.shape))
    predicted = model.predict(users, items).reshape(residuals.shape)
    np.testing.assert_allclose(predicted, baseline + expected, atol=1e-5)
    some = np.array([7, 0, 24, 7])
    scores = model.scores(some)
    assert scores.dtype == np.float32
    assert scores.tobytes() == predicted[some].astype(np.float32).tobytes()


@METHODS
@pytest.mark.parametrize("k", [1, 4, 100])
def test_ranking_sums_the_nearest(method, k):
    train = random_ratings(users=25, share=0.5)
    settings = {"mode": "ranking", "k": k, "shrinkage": SHRINKAGE}
    model = method.fit(train, settings, seed=1, threads=1)
    relevant = dense(train, train.relevant, 0)
    if method is item_knn:
        expected = slow_sums(relevant.T, slow_cosine(relevant.T), k).T
    else:
        expected = slow_sums(relevant, slow_cosine(relevant), k)
    some = np.array([7, 0, 24, 7])
    scores = model.scores(some)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, expected[some], atol=1e-5)
    assert not hasattr(model, "predict")


@METHODS
@pytest.mark.parametrize("mode", ["ratings", "ranking"])
def test_threads_and_blocks_change_no_bit(method, mode):
    train = random_ratings(users=150, items=140)
    settings = {"mode": mode, "k": 5, "shrinkage": SHRINKAGE}
    one, two = (method.fit(train, settings, 1, threads) for threads in (1, 3))
    assert (one.n_users, one.n_items) == (150, 140)
    at_once = one.scores(np.arange(150))
    assert at_once.tobytes() == two.scores(np.arange(150)).tobytes()
    for user in (0, 63, 149):
        assert one.scores(np.array([user])).tobytes() == at_once[user].tobytes()


@pytest.mark.parametrize("mode", ["ratings", "ranking"])
def test_folding_the_training_data_in_gives_the_same_users(mode):
    train = random_ratings()
    settings = {"mode": mode, "k": 5, "shrinkage": SHRINKAGE}
    model = item_knn.fit(train, settings, 1, 1)
    folded = item_knn.fold_in(model, train, settings, 1)
    users = np.arange(train.n_users)
    np.testing.assert_allclose(folded.scores(users), model.scores(users), atol=1e-6)


@given(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0]), max_size=40), st.integers(1, 8))
def test_the_heap_keeps_the_nearest_and_of_equals_the_first(offered, k):
    keys, positions, size = np.empty(k, np.float32), np.empty(k, np.int64), 0
    for position, key in enumerate(offered):
        size = keep_nearest(keys, positions, size, np.float32(key), position)
    expected = sorted(range(len(offered)), key=lambda at: (-offered[at], at))[:k]
    assert sorted(positions[:size].tolist()) == sorted(expected)
    assert [offered[at] for at in positions[:size]] == keys[:size].tolist()


def test_neighbours_are_the_most_similar_and_only_similar_ones():
    alike = np.array([[0, 0.2, -1, 0.5], [0.2, 0, 0.2, 0.2], [0, 0, 0, 0], [1, 2, 3, 0]])
    found = nearest(alike.astype(np.float32), 2, threads=1)
    assert found.tolist() == [[1, 3], [0, 2], [-1, -1], [1, 2]]


def test_similarities_are_symmetric_and_shrunk():
    train = random_ratings(share=0.6)
    residuals = replace(train, values=fit_baseline(train).residuals(train).astype(np.float32))
    for measure in (pearson, cosine):
        plain = measure(residuals.by_item, residuals, 0.0, 1)
        shrunk = measure(residuals.by_item, residuals, 9.0, 2)
        np.testing.assert_allclose(plain, plain.T, atol=1e-7)
        assert np.abs(plain).max() <= 1 + 1e-6
        assert np.all(np.abs(shrunk[plain != 0]) < np.abs(plain[plain != 0]))


@METHODS
def test_what_cannot_be_fitted_says_so(method, monkeypatch):
    with pytest.raises(UserError, match="mode is 'both'; it must be ratings or ranking"):
        method.fit(random_ratings(), {"mode": "both"}, 1, 1)
    monkeypatch.setattr(_square, "LARGEST_SIDE", 10)
    with pytest.raises(UserError, match="takes up to 10 of them"):
        method.fit(random_ratings(), {}, 1, 1)


@pytest.mark.parametrize("method", ["item-knn", "user-knn"])
def test_a_grid_gives_the_models_of_its_points(method):
    """Points share the similarities only where mode and shrinkage are the same."""
    train = random_ratings()
    modes = [{"mode": mode, "shrinkage": s} for mode in ("ratings", "ranking") for s in (0.0, 9.0)]
    points = [{**mode, "k": k} for mode in modes for k in (2, 5)]
    everyone = np.arange(train.n_users)
    fitted = models.fit_grid(method, train, points, 1, 1)
    for settings, model in zip(points, fitted, strict=True):
        alone = models.load(method).fit(train, settings, 1, 1)
        assert model.scores(everyone).tobytes() == alone.scores(everyone).tobytes()
