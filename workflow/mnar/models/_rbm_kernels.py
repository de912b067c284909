"""Kernels of the Boltzmann machine: hidden from visible units, visible from hidden ones, learning.

Random numbers are counted: those of a user in a pass are elements 1, 2, … of a sequence that
belongs to the two, so it does not matter which thread asks for them.
"""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.models._pairwise_kernels import scramble

ONE = np.float32(1)
# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True)
def uniform(stream, count):
    """A number in [0, 1) from the upper 24 bits of an element."""
    return np.float32(scramble(stream, count) >> np.uint64(40)) * np.float32(2.0**-24)


@njit(cache=True, nogil=True, fastmath=SUMS)
def light_up(given, items, levels, weights, chance):
    """P(h = 1) of every hidden unit; `given` is their bias with the condition."""
    chance[:] = given
    for n in range(len(items)):
        row = weights[items[n], levels[n]]
        for f in range(len(chance)):
            chance[f] += row[f]
    for f in range(len(chance)):
        chance[f] = ONE / (ONE + np.exp(-chance[f]))


@njit(cache=True, nogil=True, fastmath=SUMS)
def level_chances(item, hidden, weights, visible_bias, chances):
    """Numbers in proportion to P(level = k | hidden); returns their sum."""
    largest = np.float32(-np.inf)
    for k in range(len(chances)):
        total = visible_bias[item, k]
        row = weights[item, k]
        for f in range(len(hidden)):
            total += hidden[f] * row[f]
        chances[k] = total
        largest = max(largest, total)
    whole = np.float32(0)
    for k in range(len(chances)):
        chances[k] = np.exp(chances[k] - largest)
        whole += chances[k]
    return whole


@njit(cache=True, nogil=True)
def condition(items, rated_weights, hidden_bias, given):
    given[:] = hidden_bias
    for item in items:
        given += rated_weights[item]


@njit(cache=True, nogil=True)
def contrast(
    first,
    last,
    users,
    starts,
    indptr,
    items,
    weights,
    rated_weights,
    visible_bias,
    hidden_bias,
    key,
    steps,
    before,
    after,
    drawn,
):
    """`steps` of Gibbs sampling for each user of a batch.

    `before` and `after` get P(h = 1) given the data and the last reconstruction; `drawn` has the
    levels of the data and gets those of the reconstruction.
    """
    given = np.empty(len(hidden_bias), np.float32)
    active = np.empty(len(hidden_bias), np.float32)
    chances = np.empty(visible_bias.shape[1], np.float32)
    for n in range(first, last):
        row = items[indptr[users[n]] : indptr[users[n] + 1]]
        levels = drawn[starts[n] : starts[n + 1]]
        stream = scramble(key, users[n] + 1)
        count = 0
        condition(row, rated_weights, hidden_bias, given)
        light_up(given, row, levels, weights, before[n])
        after[n] = before[n]
        for _ in range(steps):
            for f in range(len(active)):
                count += 1
                active[f] = ONE if uniform(stream, count) < after[n, f] else np.float32(0)
            for entry in range(len(row)):
                whole = level_chances(row[entry], active, weights, visible_bias, chances)
                count += 1
                left = uniform(stream, count) * whole
                k = 0
                while k < len(chances) - 1 and left >= chances[k]:
                    left -= chances[k]
                    k += 1
                levels[entry] = k
            light_up(given, row, levels, weights, after[n])


@njit(cache=True, nogil=True)
def learn(
    first,
    last,
    items,
    item_starts,
    order,
    owner,
    levels,
    drawn,
    before,
    after,
    weights,
    rated_weights,
    visible_bias,
    rate,
    shrink,
):
    """Each item's weights move by what its entries say: data minus reconstruction."""
    width = weights.shape[2]
    for m in range(first, last):
        i = items[m]
        keep = max(ONE - shrink * np.float32(item_starts[m + 1] - item_starts[m]), np.float32(0))
        weights[i] *= keep
        rated_weights[i] *= keep
        for at in range(item_starts[m], item_starts[m + 1]):
            entry = order[at]
            n = owner[entry]
            gain = weights[i, levels[entry]]
            for f in range(width):
                gain[f] += rate * before[n, f]
            loss = weights[i, drawn[entry]]
            for f in range(width):
                loss[f] -= rate * after[n, f]
            for f in range(width):
                rated_weights[i, f] += rate * (before[n, f] - after[n, f])
            visible_bias[i, levels[entry]] += rate
            visible_bias[i, drawn[entry]] -= rate


@njit(cache=True, nogil=True)
def hide(first, last, indptr, items, levels, weights, rated_weights, hidden_bias, hidden):
    """P(h = 1) of users, given their ratings."""
    given = np.empty(len(hidden_bias), np.float32)
    for u in range(first, last):
        row = slice(indptr[u], indptr[u + 1])
        condition(items[row], rated_weights, hidden_bias, given)
        light_up(given, items[row], levels[row], weights, hidden[u])


@njit(cache=True, nogil=True)
def expect(users, items, hidden, weights, visible_bias, values, found):
    """The expected rating of (user, item) pairs."""
    chances = np.empty(len(values), np.float32)
    for n in range(len(users)):
        whole = level_chances(items[n], hidden[users[n]], weights, visible_bias, chances)
        total = np.float32(0)
        for k in range(len(values)):
            total += chances[k] * values[k]
        found[n] = total / whole
