"""The Boltzmann machine against a plain version with the same random numbers."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar.core.errors import UserError
from mnar.core.seeds import generator, seed_of
from mnar.models import rbm
from mnar.models.rbm import first_parameters

WORD = 2**64
SETTINGS = {"hidden": 6, "passes": 3, "steps": 2, "batch": 7, "rate": 0.05, "lambda": 0.1}


def scramble(begin, count):
    """splitmix64 in Python integers."""
    bits = (begin + count * 0x9E3779B97F4A7C15) % WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % WORD
    return bits ^ bits >> 31


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Plain:
    """Whole matrices in float64: a user is a 0/1 array of items × levels, zero where unrated."""

    def __init__(self, train, settings, seed):
        self.values, levels = np.unique(train.values, return_inverse=True)
        parts = first_parameters(train, levels, len(self.values), settings["hidden"], seed)
        self.W, self.D, self.bv, self.bh = (part.astype(float) for part in vars(parts).values())
        self.data = np.zeros((train.n_users, train.n_items, len(self.values)))
        self.data[train.users, train.items, levels] = 1
        self.rated = self.data.any(axis=2)

    def hidden(self, u, visible):
        given = self.bh + self.rated[u] @ self.D
        return sigmoid(given + np.einsum("ik,ikf->f", visible, self.W))

    def softmax(self, hidden):
        odds = np.exp(self.bv + self.W @ hidden)
        return odds / odds.sum(axis=1, keepdims=True)

    def reconstruct(self, u, key, steps):
        stream, count = scramble(key, u + 1), 0
        visible = self.data[u]
        chance = self.hidden(u, visible)
        for _ in range(steps):
            active = np.zeros(len(chance))
            for f in range(len(chance)):
                count += 1
                active[f] = (scramble(stream, count) >> 40) / 2**24 < chance[f]
            chances, drawn = self.softmax(active), np.zeros_like(visible)
            for i in np.flatnonzero(self.rated[u]):
                count += 1
                number = (scramble(stream, count) >> 40) / 2**24
                drawn[i, np.searchsorted(np.cumsum(chances[i])[:-1], number, "right")] = 1
            visible = drawn
            chance = self.hidden(u, visible)
        return visible, chance

    def learn(self, users, key, steps, rate, penalty):
        dW, dD, dbv, dbh = (np.zeros_like(part) for part in (self.W, self.D, self.bv, self.bh))
        for u in users:
            before = self.hidden(u, self.data[u])
            drawn, after = self.reconstruct(u, key, steps)
            dW += self.data[u][..., None] * before - drawn[..., None] * after
            dD += self.rated[u][:, None] * (before - after)
            dbv += self.data[u] - drawn
            dbh += before - after
        entries = self.rated[users].sum(axis=0)
        self.W += rate * (dW - penalty * entries[:, None, None] * self.W)
        self.D += rate * (dD - penalty * entries[:, None] * self.D)
        self.bv += rate * dbv
        self.bh += rate * dbh


def test_training_equals_the_plain_version():
    train = random_ratings(share=0.5)
    model = rbm.fit(train, SETTINGS, seed=4, threads=1)
    plain = Plain(train, SETTINGS, seed=4)
    users = generator(4, "batches").permutation(np.flatnonzero(plain.rated.any(axis=1)))
    for number in range(3):
        for first in range(0, len(users), 7):
            some = users[first : first + 7].tolist()
            plain.learn(some, seed_of(4, "units", number), 2, 0.05 * (1 - number / 3), 0.1)
    for found, expected in zip(
        vars(model.parts).values(), (plain.W, plain.D, plain.bv, plain.bh), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-4)
    expected = np.array(
        [plain.softmax(plain.hidden(u, plain.data[u])) @ plain.values for u in range(train.n_users)]
    )
    scores = model.scores(np.arange(train.n_users))
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, expected, atol=1e-4)
    users, items = np.array([3, 0, 3, 29]), np.array([1, 2, 0, 5])
    np.testing.assert_allclose(model.predict(users, items), expected[users, items], atol=1e-4)


def test_it_starts_from_the_shares_of_each_value():
    train = random_ratings()
    model = rbm.fit(train, SETTINGS | {"rate": 0.0}, 1, 1)
    mine = train.values[train.items == 3]
    expected = (mine.sum() + 1 + 2 + 3 + 4 + 5) / (len(mine) + 5)
    np.testing.assert_allclose(model.predict(np.array([0]), np.array([3])), expected, rtol=0.05)


def test_it_learns_two_kinds_of_users():
    """Half of the users like the even items, the others the odd ones."""
    random = np.random.default_rng(3)
    train = random_ratings(users=200, items=20, share=0.5)
    likes = (train.users % 2 == train.items % 2) ^ (random.random(len(train.items)) < 0.05)
    train = replace(train, values=np.where(likes, 5, 1).astype(np.float32))
    held_out = random.random(len(train.items)) < 0.2
    settings = {"hidden": 10, "passes": 40, "batch": 20, "rate": 0.02, "lambda": 0.001}
    model = rbm.fit(train.select(~held_out), settings, 1, 2)
    test = train.select(held_out)
    error = np.sqrt(np.mean((model.predict(test.users, test.items) - test.values) ** 2))
    assert error < 1.3  # the mean of each item has 2, the noise alone 0.9


def test_threads_and_blocks_change_no_bit():
    train = random_ratings(users=60, items=300)
    one, two = (rbm.fit(train, SETTINGS | {"batch": 25}, 1, threads) for threads in (1, 3))
    at_once = one.scores(np.arange(60))
    assert at_once.tobytes() == two.scores(np.arange(60)).tobytes()
    for user in (0, 31, 59):
        assert one.scores(np.array([user])).tobytes() == at_once[user].tobytes()


def test_folding_the_training_data_in_gives_the_same_users():
    train = random_ratings()
    model = rbm.fit(train, SETTINGS, 1, 1)
    folded = rbm.fold_in(model, train, SETTINGS, 1)
    assert folded.hidden.tobytes() == model.hidden.tobytes()


@pytest.mark.parametrize(("values", "found"), [([3], 1), (range(21), 21)])
def test_too_few_or_too_many_values_are_refused(values, found):
    train = random_ratings(users=60)
    train = replace(train, values=np.resize(np.array(values, np.float32), len(train.values)))
    with pytest.raises(UserError, match=f"2 to 20 different values, but the view has {found}"):
        rbm.fit(train, SETTINGS, 1, 1)
