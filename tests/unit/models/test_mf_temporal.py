"""Biases that move with time, against one rating at a time in plain Python."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.models import mf_temporal
from mnar.models.mf_temporal import DAY, DECAY, Clock, start

SETTINGS = {
    "factors": 3,
    "passes": 3,
    "bins": 4,
    "rate": 0.05,
    "bias_penalty": 0.03,
    "lambda": 0.08,
}
FIRST = 1_000 * DAY


def timed_ratings(**changes):
    """Over twelve days, so that users have several sessions."""
    train = random_ratings(**changes)
    random = np.random.default_rng(9)
    return replace(train, times=FIRST + random.integers(12 * DAY, size=len(train.items)))


class Plain:
    """Dictionaries of biases by what they belong to."""

    def __init__(self, train, settings, seed):
        self.settings = settings
        parts = start(train, Clock.of(train, settings["bins"]), settings["factors"], seed)
        self.p, self.q = parts.user_vectors.astype(float), parts.item_vectors.astype(float)
        self.mean = train.values.mean(dtype=float)
        self.bias: dict[tuple, float] = {}
        self.first, self.last = int(train.times.min()), int(train.times.max())
        self.times = {u: train.times[train.users == u] for u in range(train.n_users)}
        self.days = {(u, t // DAY) for u, t in zip(train.users, train.times, strict=True)}

    def drift(self, u, t):
        if not len(self.times[u]):
            return 0.0
        away = (t - np.mean(self.times[u])) / (self.last - self.first)
        return np.sign(away) * min(abs(away), 1) ** 0.4

    def terms(self, u, i, t):
        """Every bias of a prediction and what it is multiplied by."""
        part = int((t - self.first) * self.settings["bins"] / (self.last - self.first + 1))
        part = min(max(part, 0), self.settings["bins"] - 1)
        found = {("user", u): 1.0, ("item", i): 1.0, ("bin", i, part): 1.0}
        found["drift", u] = self.drift(u, t)
        if (u, t // DAY) in self.days:
            found["session", u, t // DAY] = 1.0
        return found

    def predict(self, u, i, t):
        biases = sum(self.bias.get(key, 0) * by for key, by in self.terms(u, i, t).items())
        return self.mean + biases + self.p[u] @ self.q[i]

    def step(self, u, i, t, value, decay):
        rate, s = decay * self.settings["rate"], self.settings
        error = value - self.predict(u, i, t)
        for key, by in self.terms(u, i, t).items():
            bias = self.bias.get(key, 0.0)
            if s.get("moving", True) or key[0] in ("user", "item"):
                self.bias[key] = bias + rate * (error * by - s["bias_penalty"] * bias)
        p, q = self.p[u].copy(), self.q[i].copy()
        self.p[u] += rate * (error * q - s["lambda"] * p)
        self.q[i] += rate * (error * p - s["lambda"] * q)


@pytest.mark.parametrize("moving", [True, False])
def test_training_equals_the_plain_version(moving):
    train, settings = timed_ratings(share=0.5), SETTINGS | {"moving": moving}
    model = mf_temporal.fit(train, settings, seed=4, threads=1)
    plain = Plain(train, settings, seed=4)
    random = generator(4, "order of ratings")
    for number in range(settings["passes"]):
        for at in random.permutation(len(train.items)):
            where = train.users[at], train.items[at], int(train.times[at])
            plain.step(*where, train.values[at], DECAY**number)
    users, items = (part.ravel() for part in np.indices((train.n_users, train.n_items)))
    # Before, in and after the time of training, on days with and without a session.
    times = FIRST + np.random.default_rng(2).integers(-3 * DAY, 15 * DAY, size=len(users))
    expected = [plain.predict(*pair) for pair in zip(users, items, times.tolist(), strict=True)]
    np.testing.assert_allclose(model.predict(users, items, times), expected, atol=1e-4)


def test_scores_are_of_the_users_last_moment_in_training():
    train = timed_ratings()
    model = mf_temporal.fit(train, SETTINGS, seed=4, threads=1)
    users = np.array([5, 0, 29])
    scores = model.scores(users)
    assert scores.dtype == np.float32
    for row, user in zip(scores, users, strict=True):
        mine = train.times[train.users == user]
        last = int(mine.max()) if len(mine) else int(train.times.max())
        everyone = np.full(train.n_items, user), np.arange(train.n_items)
        at_last = model.predict(*everyone, np.full(train.n_items, last))
        np.testing.assert_allclose(row, at_last, rtol=1e-6)
        assert model.scores(np.array([user])).tobytes() == row.tobytes()


def test_stars_and_points_give_the_same_model_in_units_of_a_star():
    stars = timed_ratings()
    points = replace(stars, values=25 * (stars.values - 1))
    one = mf_temporal.fit(stars, SETTINGS, 2, 1)
    other = mf_temporal.fit(points, SETTINGS | {"unit": 25}, 2, 1)
    pairs = stars.users, stars.items, stars.times
    np.testing.assert_allclose(other.predict(*pairs), 25 * (one.predict(*pairs) - 1), atol=5e-3)


def test_a_moved_bias_is_learned():
    """One user's level rises by two stars from one day to the next: sessions tell, biases cannot."""
    train = timed_ratings(users=40, items=30, share=0.6)
    second = train.times >= FIRST + 6 * DAY
    train = replace(train, values=np.where(second, 4, 2).astype(np.float32))
    settings = SETTINGS | {"passes": 30, "rate": 0.05}
    errors = []
    for moving in (True, False):
        model = mf_temporal.fit(train, settings | {"moving": moving}, 1, 1)
        predicted = model.predict(train.users, train.items, train.times)
        errors.append(np.sqrt(np.mean((predicted - train.values) ** 2)))
    assert errors[0] < 0.3 < 0.7 < errors[1]


def test_ratings_without_times_are_refused():
    with pytest.raises(UserError, match="mf-temporal needs the time of every rating"):
        mf_temporal.fit(random_ratings(), SETTINGS, 1, 1)
