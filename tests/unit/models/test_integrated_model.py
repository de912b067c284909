"""The integrated model against Koren's update rules, every vector moved at every rating."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.models import _square, fit_grid, integrated_model
from mnar.models._baseline import fit_baseline
from mnar.models._similarity import nearest, pearson
from mnar.models.integrated_model import DECAY, first_parameters, shuffled

SETTINGS = {
    "factors": 3,
    "passes": 3,
    "neighbours": 6,
    "shrinkage": 4.0,
    "rate": 0.05,
    "neighbour_rate": 0.03,
    "bias_penalty": 0.02,
    "lambda": 0.07,
    "neighbour_penalty": 0.11,
}


class Plain:
    """Eq. 16 and its gradient steps in float64, one rating at a time."""

    def __init__(self, train, settings, seed):
        self.settings, self.baseline = settings, fit_baseline(train)
        residuals = self.baseline.residuals(train)
        self.rated = [{} for _ in range(train.n_users)]
        for u, i, left in zip(train.users, train.items, residuals, strict=True):
            self.rated[u][int(i)] = left
        values = replace(train, values=residuals.astype(np.float32))
        near = nearest(
            pearson(values.by_item, values, settings["shrinkage"], 1), settings["neighbours"], 1
        )
        parts = first_parameters(train, near, settings["factors"], seed)
        self.near = [[int(j) for j in row if j >= 0] for row in near]
        self.p, self.q, self.y = (
            vectors.astype(float)
            for vectors in (parts.user_vectors, parts.item_vectors, parts.rated_vectors)
        )
        self.w, self.c = (np.zeros((train.n_items, train.n_items)) for _ in range(2))
        self.bu, self.bi = self.baseline.user_bias.copy(), self.baseline.item_bias.copy()

    def vector(self, u):
        rated = list(self.rated[u])
        return self.p[u] + (self.y[rated].sum(axis=0) / np.sqrt(len(rated)) if rated else 0)

    def predict(self, u, i):
        known = [j for j in self.near[i] if j in self.rated[u]]
        around = sum(self.rated[u][j] * self.w[i, j] + self.c[i, j] for j in known)
        around /= np.sqrt(max(len(known), 1))
        return self.baseline.mean + self.bu[u] + self.bi[i] + self.q[i] @ self.vector(u) + around

    def step(self, u, i, value, decay):
        s = self.settings
        rate, neighbour_rate = decay * s["rate"], decay * s["neighbour_rate"]
        error = value - self.predict(u, i)
        vector, q, rated = self.vector(u), self.q[i].copy(), list(self.rated[u])
        self.bu[u] += rate * (error - s["bias_penalty"] * self.bu[u])
        self.bi[i] += rate * (error - s["bias_penalty"] * self.bi[i])
        self.q[i] += rate * (error * vector - s["lambda"] * q)
        self.p[u] += rate * (error * q - s["lambda"] * self.p[u])
        for j in rated:
            self.y[j] += rate * (error / np.sqrt(len(rated)) * q - s["lambda"] * self.y[j])
        known = [j for j in self.near[i] if j in self.rated[u]]
        for j in known:
            pull = error / np.sqrt(len(known))
            w, c = self.w[i, j], self.c[i, j]
            self.w[i, j] += neighbour_rate * (pull * self.rated[u][j] - s["neighbour_penalty"] * w)
            self.c[i, j] += neighbour_rate * (pull - s["neighbour_penalty"] * c)


def test_training_equals_the_plain_version():
    train = random_ratings(share=0.5)
    model = integrated_model.fit(train, SETTINGS, seed=4, threads=1)
    plain = Plain(train, SETTINGS, seed=4)
    random = generator(4, "order of ratings")
    for number in range(SETTINGS["passes"]):
        for entry in shuffled(train, random)[1]:
            pair = train.users[entry], int(train.items[entry])
            plain.step(*pair, train.values[entry], DECAY**number)
    expected = np.array(
        [[plain.predict(u, i) for i in range(train.n_items)] for u in range(train.n_users)]
    )
    scores = model.scores(np.arange(train.n_users))
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, expected, atol=1e-4)
    assert np.abs(plain.w).max() > 0.01  # the neighbourhood has learned something
    users, items = np.array([3, 0, 3, 29]), np.array([1, 2, 0, 5])
    np.testing.assert_allclose(model.predict(users, items), expected[users, items], atol=1e-4)


def test_entries_come_user_by_user_each_once():
    train = random_ratings()
    users, order = shuffled(train, np.random.default_rng(1))
    assert sorted(users) == list(range(train.n_users))
    assert sorted(order) == list(range(len(train.items)))
    found = train.users[order]
    assert [u for n, u in enumerate(found) if n == 0 or u != found[n - 1]] == [
        u for u in users if u in set(found)
    ]


def test_stars_and_points_give_the_same_model_in_units_of_a_star():
    stars = random_ratings()
    points = replace(stars, values=25 * (stars.values - 1))
    one = integrated_model.fit(stars, SETTINGS, 2, 1)
    other = integrated_model.fit(points, SETTINGS | {"unit": 25}, 2, 1)
    pairs = stars.users, stars.items
    np.testing.assert_allclose(other.predict(*pairs), 25 * (one.predict(*pairs) - 1), atol=5e-3)


def test_threads_and_blocks_change_no_bit():
    train = random_ratings(users=60, items=50)
    one, two = (integrated_model.fit(train, SETTINGS, 1, threads) for threads in (1, 3))
    at_once = one.scores(np.arange(60))
    assert at_once.tobytes() == two.scores(np.arange(60)).tobytes()
    for user in (0, 31, 59):
        assert one.scores(np.array([user])).tobytes() == at_once[user].tobytes()


def test_too_many_items_are_refused(monkeypatch):
    monkeypatch.setattr(_square, "LARGEST_SIDE", 10)
    with pytest.raises(UserError, match="integrated-model holds a dense matrix of items × items"):
        integrated_model.fit(random_ratings(), SETTINGS, 1, 1)


def test_a_grid_gives_the_models_of_its_points():
    """Points share the similarities only where they are the same."""
    train = random_ratings()
    changes = ({}, {"lambda": 0.2}, {"shrinkage": 50.0}, {"neighbours": 2}, {"unit": 2.0})
    points = [SETTINGS | change for change in changes]
    everyone = np.arange(train.n_users)
    for settings, model in zip(
        points, fit_grid("integrated-model", train, points, 4, 1), strict=True
    ):
        alone = integrated_model.fit(train, settings, 4, 1)
        assert model.scores(everyone).tobytes() == alone.scores(everyone).tobytes()
