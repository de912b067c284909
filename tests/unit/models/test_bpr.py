"""BPR against plain Python, one pair at a time, and the gradient of its loss."""

from math import exp, log

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar.matrices.ratings import Ratings
from mnar.models import bpr, fit_grid

WORD = 2**64
POINT = {"factors": 5, "rate": 0.1, "lambda": 0.05, "iterations": 500}


def scramble(start, count):
    """splitmix64 in Python integers."""
    bits = (start + count * 0x9E3779B97F4A7C15) % WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % WORD
    return bits ^ bits >> 31


def choose(bits, things):
    return things[(bits % 2**32) * len(things) >> 32]


def loss(users, items, bias, pair, penalty):
    """What a step goes down: of one pair, with the penalty on the three vectors it moves."""
    u, i, v = pair
    margin = users[u] @ items[i] + bias[i] - users[u] @ items[v] - bias[v]
    squares = users[u] @ users[u] + items[i] @ items[i] + items[v] @ items[v]
    return log(1 + exp(-margin)) + penalty / 2 * squares


def slow_step(arrays, pair, rate, penalty):
    """By differences of the loss, for every parameter of the pair."""
    moved = [array.copy() for array in arrays]
    u, i, v = pair
    for which, rows in ((0, [u]), (1, [i, v]), (2, [i, v])):
        for row in rows:
            for at in np.ndindex(arrays[which][row].shape):
                values = []
                for change in (1e-5, -1e-5):
                    shifted = [array.copy() for array in arrays]
                    shifted[which][(row, *at)] += change
                    values.append(loss(*shifted, pair, penalty))
                moved[which][(row, *at)] -= rate * (values[0] - values[1]) / 2e-5
    return moved


@pytest.mark.parametrize("factors", [3, 20])
def test_kernel_equals_the_plain_version_step_by_step(factors):
    train = random_ratings(share=0.5)
    settings = POINT | {"factors": factors, "initial_scale": 1.0}
    state = bpr.start(train, settings, seed=3)
    liked = {}
    for user, item, relevant in zip(train.users, train.items, train.relevant, strict=True):
        if relevant:
            liked.setdefault(int(user), []).append(int(item))
    arrays = [
        state.user_vectors[:, :factors].astype(float),
        state.item_vectors[:, :factors].astype(float),
        state.item_bias.astype(float),
    ]
    for iteration in range(60):
        bits = scramble(int(state.key), iteration)
        u = choose(bits >> 32, sorted(liked))
        others = [item for item in range(train.n_items) if item not in liked[u]]
        pair = u, choose(bits, liked[u]), choose(scramble(bits, 1), others)
        arrays = slow_step(arrays, pair, settings["rate"], settings["lambda"])
        bpr.advance(state, settings, 1)
        found = state.user_vectors[:, :factors], state.item_vectors[:, :factors], state.item_bias
        for mine, expected in zip(found, arrays, strict=True):
            np.testing.assert_allclose(mine, expected, atol=2e-5)
    assert state.steps == state.draws == 60


def test_parts_and_threads_change_no_bit():
    train = random_ratings()
    whole = bpr.fit(train, POINT, seed=3, threads=1)
    state = bpr.start(train, POINT, seed=3)
    for part in (1, 130, 369):
        bpr.advance(state, POINT, part)
    grid = list(fit_grid("bpr", train, [POINT, POINT | {"rate": 0.2}, POINT], 3, 2))
    for other in (state.model(), grid[0], grid[2]):
        assert other.user_vectors.tobytes() == whole.user_vectors.tobytes()
        assert other.item_bias.tobytes() == whole.item_bias.tobytes()
    assert grid[1].item_bias.tobytes() != whole.item_bias.tobytes()


def test_a_user_who_likes_everything_has_no_pair():
    everything = Ratings.from_triplets(
        np.zeros(4, int), np.arange(4), np.ones(4), np.ones(4, bool), (1, 4)
    )
    state = bpr.start(everything, POINT, seed=1)
    before = state.user_vectors.copy()
    bpr.advance(state, POINT, 50)
    assert state.draws == 0
    assert np.array_equal(before, state.user_vectors)
