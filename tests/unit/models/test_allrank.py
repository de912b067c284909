"""The least-squares methods of steck2010: what each of them takes for weights and targets."""

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings

from mnar import models
from mnar.core.errors import UserError
from mnar.models import allrank_binary_regression, allrank_regression, dense_svd, observed_only
from mnar.models._als import start

LAMBDA = 0.05
SETTINGS = {
    "allrank-regression": {"missing_weight": 0.1, "imputed": 2.0},
    "allrank-binary-regression": {"missing_weight": 0.1},
    "observed-only": {},
    "dense-svd": {"imputed": 2.0},
}
METHODS = pytest.mark.parametrize("name", SETTINGS)


def settings_of(name, **more):
    return {"factors": 5, "lambda": LAMBDA} | SETTINGS[name] | more


def alternate(weights, targets, factors, sweeps, seed):
    """Alternating least squares with the whole matrices W and R − r_m (Eqs. 15 and 16)."""
    p = start(len(weights), factors, seed)[:, :factors].astype(np.float64)
    for _ in range(sweeps):
        q = one_side(weights.T, targets.T, p)
        p = one_side(weights, targets, q)
    return p, q


def one_side(weights, targets, design):
    rows = np.zeros((len(weights), design.shape[1]))
    for u, weight in enumerate(weights):
        if weight.any():
            matrix = (design.T * weight) @ design + LAMBDA * weight.sum() * np.eye(len(design[0]))
            rows[u] = np.linalg.solve(matrix, design.T @ (weight * targets[u]))
    return rows


def expected_of(name, train):
    """W and R − r_m of each method, as the table of methods has them."""
    if name == "allrank-binary-regression":
        return dense(train, np.where(train.relevant, 1.0, 0.1), 0.1), dense(
            train, train.relevant, 0.0
        )
    if name == "observed-only":
        return dense(train, 1.0, 0.0), dense(train, train.values, 0.0)
    missing = {"allrank-regression": 0.1, "dense-svd": 1.0}[name]
    return dense(train, 1.0, missing), dense(train, train.values - 2, 0.0)


@METHODS
def test_model_equals_the_method_written_out(name):
    train = random_ratings()
    settings = settings_of(name, sweeps=4)
    model = models.load(name).fit(train, settings, seed=3, threads=1)
    p, q = alternate(*expected_of(name, train), factors=5, sweeps=4, seed=3)
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, p @ q.T, atol=2e-4)
    assert model.offset == settings.get("imputed", 0.0)
    assert not model.item_bias.any()
    assert not model.user_bias.any()


@METHODS
def test_folding_the_training_data_in_gives_the_same_users(name):
    train = random_ratings()
    method = models.load(name)
    model = method.fit(train, settings_of(name), seed=3, threads=1)
    folded = method.fold_in(model, train, settings_of(name), threads=2)
    assert folded.user_vectors.tobytes() == model.user_vectors.tobytes()
    assert folded.item_vectors is model.item_vectors
    assert folded.offset == model.offset


@METHODS
def test_fold_in_of_other_users_is_one_solve(name):
    train, others = random_ratings(), random_ratings(users=7, seed=5)
    method = models.load(name)
    model = method.fit(train, settings_of(name), seed=3, threads=1)
    folded = method.fold_in(model, others, settings_of(name), threads=1)
    expected = one_side(*expected_of(name, others), model.item_vectors.astype(np.float64))
    np.testing.assert_allclose(folded.user_vectors, expected, atol=1e-4)
    assert len(folded.user_bias) == 7


@METHODS
def test_fold_in_of_new_items_is_one_solve(name):
    train, others = random_ratings(), random_ratings(items=9, seed=5)
    method = models.load(name)
    model = method.fit(train, settings_of(name), seed=3, threads=1)
    folded = method.fold_in_items(model, others, settings_of(name), threads=1)
    weights, targets = expected_of(name, others)
    expected = one_side(weights.T, targets.T, model.user_vectors.astype(np.float64))
    np.testing.assert_allclose(folded.item_vectors, expected, atol=1e-4)
    assert len(folded.item_bias) == 9
    assert folded.user_vectors is model.user_vectors


def test_fold_in_wants_the_catalogue_of_the_training():
    model = observed_only.fit(random_ratings(), settings_of("observed-only"), 3, 1)
    with pytest.raises(UserError, match=r"knows 20 items but .* have 21"):
        observed_only.fold_in(model, random_ratings(items=21), settings_of("observed-only"), 1)
    with pytest.raises(UserError, match=r"knows 30 users but .* have 8"):
        observed_only.fold_in_items(model, random_ratings(users=8), settings_of("observed-only"), 1)


@METHODS
def test_a_grid_gives_what_its_points_give_alone(name):
    train = random_ratings()
    points = [settings_of(name, **{"lambda": penalty}) for penalty in (0.2, 0.01, 0.2)]
    grid = list(models.fit_grid(name, train, points, seed=3, threads=1))
    for settings, model in zip(points, grid, strict=True):
        alone = models.load(name).fit(train, settings, seed=3, threads=2)
        assert model.item_vectors.tobytes() == alone.item_vectors.tobytes()
    assert not np.array_equal(grid[0].item_vectors, grid[1].item_vectors)


def test_seed_decides():
    train = random_ratings()
    one, same, other = (
        allrank_regression.fit(train, settings_of("allrank-regression"), seed, 1)
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one.user_vectors, same.user_vectors)
    assert not np.array_equal(one.user_vectors, other.user_vectors)


def test_dense_svd_is_a_softly_thresholded_svd():
    """Weight 1 everywhere makes the penalty a nuclear norm: singular values shrink by λ√(mn)."""
    train = random_ratings(users=30, items=20, share=0.5)
    settings = settings_of("dense-svd", factors=20, sweeps=400, **{"lambda": 0.02})
    model = dense_svd.fit(train, settings, seed=3, threads=1)
    left, values, right = np.linalg.svd(dense(train, train.values - 2, 0.0), full_matrices=False)
    shrunk = np.maximum(values - 0.02 * np.sqrt(30 * 20), 0)
    expected = (left * shrunk) @ right
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, expected, atol=2e-3)


@pytest.mark.parametrize("factors", [4, 20])
def test_dense_svd_without_penalty_is_the_truncated_svd(factors):
    train = random_ratings(users=30, items=20, share=0.5)
    settings = settings_of("dense-svd", factors=factors, sweeps=300, **{"lambda": 0})
    model = dense_svd.fit(train, settings, seed=3, threads=1)
    left, values, right = np.linalg.svd(dense(train, train.values - 2, 0.0), full_matrices=False)
    expected = (left[:, :factors] * values[:factors]) @ right[:factors]
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, expected, atol=2e-3)


@pytest.mark.parametrize("name", ["allrank-regression", "allrank-binary-regression"])
def test_missing_weights_make_up_for_no_penalty(name, monkeypatch):
    monkeypatch.setitem(globals(), "LAMBDA", 0.0)
    train = random_ratings()
    settings = settings_of(name, sweeps=4)
    model = models.load(name).fit(train, settings, seed=3, threads=1)
    p, q = alternate(*expected_of(name, train), factors=5, sweeps=4, seed=3)
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, p @ q.T, atol=2e-3)
    folded = models.load(name).fold_in(model, train, settings, threads=1)
    assert folded.user_vectors.tobytes() == model.user_vectors.tobytes()


@pytest.mark.parametrize(
    "name",
    [
        "observed-only",
        "allrank-regression",
        "allrank-binary-regression",
        "allrank-binary-values",
        "mf-biased",
        "mf-balanced",
    ],
)
def test_observed_ratings_alone_need_a_penalty(name):
    settings = {"factors": 5, "lambda": 0, "missing_weight": 0, "imputed": 2}
    with pytest.raises(UserError, match="undetermined; use a lambda above 0"):
        models.load(name).fit(random_ratings(), settings, seed=3, threads=1)


def test_weights_by_rating_value():
    train = random_ratings()
    levels = {1: 0.2, "2": 0.5, 3.0: 1.0, 4: 1.5, 5: 0.05}
    settings = settings_of("allrank-regression", weights=levels, sweeps=3)
    model = allrank_regression.fit(train, settings, seed=3, threads=1)
    weight = np.array([0, 0.2, 0.5, 1.0, 1.5, 0.05])[train.values.astype(int)]
    _, targets = expected_of("allrank-regression", train)
    p, q = alternate(dense(train, weight, 0.1), targets, factors=5, sweeps=3, seed=3)
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, p @ q.T, atol=2e-4)


def test_a_rating_value_that_is_not_named_weighs_one():
    train = random_ratings()
    some, every = (
        allrank_regression.fit(train, settings_of("allrank-regression", weights=levels), 3, 1)
        for levels in ({5: 2}, {1: 1, 2: 1, 3: 1, 4: 1, 5: 2})
    )
    assert some.item_vectors.tobytes() == every.item_vectors.tobytes()


def test_low_ratings_are_missing_for_the_binary_method():
    train = random_ratings()
    settings = settings_of("allrank-binary-regression")
    with_low = allrank_binary_regression.fit(train, settings, 3, 1)
    without = allrank_binary_regression.fit(train.select(train.relevant), settings, 3, 1)
    assert with_low.item_vectors.tobytes() == without.item_vectors.tobytes()


@METHODS
def test_an_item_nobody_rated_has_no_taste(name):
    model = models.load(name).fit(random_ratings(), settings_of(name), 3, 1)
    assert not model.item_vectors[-1].any()
    assert not model.user_vectors[0].any()
    assert np.abs(model.item_vectors).sum() > 0.1
