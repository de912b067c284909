"""MF-IPS: observed ratings weighed by 1/propensity."""

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar.core.errors import UserError
from mnar.models import mf_ips, observed_only
from mnar.models._als import start

SETTINGS = {"factors": 3, "lambda": 0.1, "sweeps": 4}


def test_equal_propensities_are_observed_only():
    train = random_ratings()
    plain = observed_only.fit(train, SETTINGS, seed=1, threads=1)
    weighed = mf_ips.fit(train, SETTINGS | {"gamma": 0}, seed=1, threads=1)
    np.testing.assert_allclose(weighed.user_vectors, plain.user_vectors, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(weighed.item_vectors, plain.item_vectors, rtol=1e-4, atol=1e-6)


def test_users_solve_their_weighted_problem():
    """Each user's vector is the ridge regression with weights 1/propensity, written out."""
    train = random_ratings()
    model = mf_ips.fit(train, SETTINGS | {"gamma": 1}, seed=1, threads=1)
    counts = np.bincount(train.items, minlength=train.n_items)
    weights = 1 / counts[train.items]
    weights = weights / weights.mean()
    for user in np.flatnonzero(np.diff(train.indptr)):
        mine = slice(train.indptr[user], train.indptr[user + 1])
        q = model.item_vectors[train.items[mine]].astype(float)
        w = weights[mine]
        left = (q * w[:, None]).T @ q + 0.1 * w.sum() * np.eye(3)
        expected = np.linalg.solve(left, q.T @ (w * train.values[mine]))
        np.testing.assert_allclose(model.user_vectors[user], expected, rtol=2e-3, atol=1e-4)


def test_items_solve_theirs_with_weights_in_their_own_order():
    """After one sweep items answer to the users at the start; each rating has a weight of its own."""
    train = random_ratings()
    chances = np.random.default_rng(3).random(len(train.items)) + 0.1
    settings = SETTINGS | {"sweeps": 1, "propensities": chances}
    model = mf_ips.fit(train, settings, seed=1, threads=1)
    users = start(train.n_users, 3, 1)[:, :3].astype(float)
    weights = 1 / chances / (1 / chances).mean()
    for item in range(train.n_items - 1):
        mine = train.items == item
        p, w = users[train.users[mine]], weights[mine]
        left = (p * w[:, None]).T @ p + 0.1 * w.sum() * np.eye(3)
        expected = np.linalg.solve(left, p.T @ (w * train.values[mine]))
        np.testing.assert_allclose(model.item_vectors[item], expected, rtol=2e-3, atol=1e-4)


def test_given_propensities_take_the_place_of_counts():
    train = random_ratings()
    counts = np.bincount(train.items, minlength=train.n_items)[train.items]
    one = mf_ips.fit(train, SETTINGS | {"gamma": 1}, seed=1, threads=1)
    # A common factor changes nothing.
    other = mf_ips.fit(train, SETTINGS | {"propensities": counts / 1000}, seed=1, threads=1)
    np.testing.assert_allclose(one.user_vectors, other.user_vectors, rtol=1e-5, atol=1e-7)


def test_weights_are_clipped_before_scaling():
    train = random_ratings()
    whole = mf_ips.weights_of(train, {"gamma": 1}).astype(float)
    cut = mf_ips.weights_of(train, {"gamma": 1, "clip": 0.8}).astype(float)
    expected = np.minimum(whole, np.quantile(whole, 0.8))
    np.testing.assert_allclose(cut, expected / expected.mean(), rtol=1e-5)


def test_wrong_propensities_are_refused():
    train = random_ratings()
    for given in ("known", "published"):
        with pytest.raises(UserError, match=f"`propensities: {given}` is for the experiment trust"):
            mf_ips.fit(train, SETTINGS | {"propensities": given}, seed=1, threads=1)
    with pytest.raises(UserError, match="one for each training rating"):
        mf_ips.fit(train, SETTINGS | {"propensities": np.ones(3)}, seed=1, threads=1)
    with pytest.raises(UserError, match="above 0"):
        mf_ips.fit(train, SETTINGS | {"propensities": np.zeros(len(train.items))}, 1, 1)
