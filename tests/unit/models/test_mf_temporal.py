"""Biases that move with time, against normal equations and loops in plain Python."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings

from mnar.core.errors import UserError
from mnar.models import mf_biased, mf_temporal
from mnar.models._als import start
from mnar.models.mf_temporal import DAY

SETTINGS = {"factors": 3, "lambda": 0.05, "sweeps": 3, "bins": 4, "moving_penalty": 2.0}
FIRST = 1_000 * DAY


def timed_ratings(**changes):
    """Over twelve days, so that users have several sessions."""
    train = random_ratings(**changes)
    random = np.random.default_rng(9)
    return replace(train, times=FIRST + random.integers(12 * DAY, size=len(train.items)))


def solve_rows(observed, targets, bias, vectors):
    """[bias, vector] of each row by the normal equations of its observed entries."""
    design = np.column_stack([np.ones(len(vectors)), vectors])
    rows = np.zeros((len(observed), design.shape[1]))
    for u, seen in enumerate(observed):
        if seen.any():
            ridge = SETTINGS["lambda"] * seen.sum() * np.eye(design.shape[1])
            right = design[seen].T @ (targets[u] - bias)[seen]
            rows[u] = np.linalg.solve(design[seen].T @ design[seen] + ridge, right)
    return rows


class Plain:
    """Moving biases in a dictionary, by what they belong to."""

    def __init__(self, train):
        self.train = train
        self.mean = train.values.mean(dtype=float)
        self.moving: dict[tuple, float] = {}
        self.first, self.last = int(train.times.min()), int(train.times.max())
        self.times = {u: train.times[train.users == u] for u in range(train.n_users)}
        self.days = {(u, t // DAY) for u, t in zip(train.users, train.times, strict=True)}
        self.users = start(train.n_users, 4, seed=4)[:, :4].astype(float)
        self.users[:, 0] = 0

    def drift(self, u, t):
        if not len(self.times[u]):
            return 0.0
        away = (t - np.mean(self.times[u])) / (self.last - self.first)
        return np.sign(away) * min(abs(away), 1) ** 0.4

    def terms(self, u, i, t):
        """Every moving bias of a prediction and what it is multiplied by."""
        part = int((t - self.first) * SETTINGS["bins"] / (self.last - self.first + 1))
        found = {("drift", u): self.drift(u, t)}
        if (u, t // DAY) in self.days:
            found["session", u, t // DAY] = 1.0
        found["bin", i, min(max(part, 0), SETTINGS["bins"] - 1)] = 1.0
        return found

    def moved(self, u, i, t):
        return sum(self.moving.get(key, 0) * by for key, by in self.terms(u, i, t).items())

    def static(self, u, i):
        mine, its = self.users[u], self.items[i]
        return self.mean + mine[0] + its[0] + mine[1:] @ its[1:]

    def predict(self, u, i, t):
        return self.static(u, i) + self.moved(u, i, t)

    def sweep(self):
        train = self.train
        where = list(zip(train.users, train.items, train.times.tolist(), strict=True))
        observed = dense(train, 1, 0) > 0
        left = train.values - self.mean - [self.moved(*pair) for pair in where]
        left = dense(train, left, 0)
        self.items = solve_rows(observed.T, left.T, self.users[:, 0], self.users[:, 1:])
        self.users = solve_rows(observed, left, self.items[:, 0], self.items[:, 1:])
        for kind in ("drift", "session", "bin"):
            sums, weights = {}, {}
            for (u, i, t), value in zip(where, train.values, strict=True):
                terms = self.terms(u, i, t)
                (key,) = (key for key in terms if key[0] == kind)
                rest = value - self.predict(u, i, t) + self.moving.get(key, 0) * terms[key]
                sums[key] = sums.get(key, 0) + terms[key] * rest
                weights[key] = weights.get(key, SETTINGS["moving_penalty"]) + terms[key] ** 2
            self.moving |= {key: sums[key] / weights[key] for key in sums}


def test_training_equals_the_plain_version():
    train = timed_ratings(share=0.5)
    model = mf_temporal.fit(train, SETTINGS, seed=4, threads=1)
    plain = Plain(train)
    for _ in range(SETTINGS["sweeps"]):
        plain.sweep()
    users, items = (part.ravel() for part in np.indices((train.n_users, train.n_items)))
    # Before, in and after the time of training, on days with and without a session.
    times = FIRST + np.random.default_rng(2).integers(-3 * DAY, 15 * DAY, size=len(users))
    expected = [plain.predict(*pair) for pair in zip(users, items, times.tolist(), strict=True)]
    np.testing.assert_allclose(model.predict_at(users, items, times), expected, atol=1e-3)


def test_without_what_moves_it_is_mf_biased():
    train = timed_ratings()
    model = mf_temporal.fit(train, SETTINGS | {"moving_penalty": 1e12}, seed=4, threads=2)
    still = mf_biased.fit(train, SETTINGS, seed=4, threads=1)
    pairs = train.users, train.items
    np.testing.assert_allclose(model.predict(*pairs), still.predict(*pairs), atol=1e-5)


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
        at_last = model.predict_at(*everyone, np.full(train.n_items, last))
        np.testing.assert_allclose(row, at_last, rtol=1e-6)
        assert model.scores(np.array([user])).tobytes() == row.tobytes()


def test_stars_and_points_give_the_same_model_in_units_of_a_star():
    stars = timed_ratings()
    points = replace(stars, values=25 * (stars.values - 1))
    one = mf_temporal.fit(stars, SETTINGS, 2, 1)
    other = mf_temporal.fit(points, SETTINGS | {"unit": 25}, 2, 1)
    pairs = stars.users, stars.items, stars.times
    found, expected = other.predict_at(*pairs), 25 * (one.predict_at(*pairs) - 1)
    np.testing.assert_allclose(found, expected, atol=5e-3)


def test_a_moved_bias_is_learned():
    """One user's level rises by two stars from one day to the next: sessions tell, biases cannot."""
    train = timed_ratings(users=40, items=30, share=0.6)
    second = train.times >= FIRST + 6 * DAY
    train = replace(train, values=np.where(second, 4, 2).astype(np.float32))
    pairs = train.users, train.items
    model = mf_temporal.fit(train, SETTINGS | {"sweeps": 10}, 1, 1)
    still = mf_biased.fit(train, SETTINGS | {"sweeps": 10}, 1, 1)
    moving = np.sqrt(np.mean((model.predict_at(*pairs, train.times) - train.values) ** 2))
    assert moving < 0.3 < 0.6 < np.sqrt(np.mean((still.predict(*pairs) - train.values) ** 2))


def test_threads_change_no_bit():
    train = timed_ratings(users=600)
    one, two = (mf_temporal.fit(train, SETTINGS, 1, threads) for threads in (1, 3))
    assert one.scores(np.arange(600)).tobytes() == two.scores(np.arange(600)).tobytes()


def test_ratings_without_times_are_refused():
    with pytest.raises(UserError, match="mf-temporal needs the time of every rating"):
        mf_temporal.fit(random_ratings(), SETTINGS, 1, 1)
