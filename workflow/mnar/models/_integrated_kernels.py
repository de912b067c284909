"""Kernels of the integrated model (Koren 2008, Eq. 16): a pass of descent, and predictions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit

# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}
ONE = np.float32(1)

Floats = NDArray[np.float32]


class Parameters(NamedTuple):
    user_bias: Floats
    item_bias: Floats
    user_vectors: Floats
    item_vectors: Floats
    # y: what having rated an item says of a user.
    rated_vectors: Floats
    # The nearest items of each item (-1: no more), and for each of them w and c.
    near: NDArray[np.int32]
    weights: Floats
    offsets: Floats


class Rated(NamedTuple):
    """Training ratings by user, their values residuals of the baseline."""

    indptr: NDArray[np.int64]
    items: NDArray[np.int32]
    residuals: Floats


class Rates(NamedTuple):
    """Steps and penalties of a pass."""

    rate: np.float32
    neighbour_rate: np.float32
    bias_penalty: np.float32
    penalty: np.float32
    neighbour_penalty: np.float32


class Facing(NamedTuple):
    """By item j: the items that have j among their nearest, with w and c of j there."""

    indptr: NDArray[np.int64]
    items: NDArray[np.int32]
    weights: Floats
    offsets: Floats


@njit(cache=True, nogil=True)
def note_rated(user, rated, owner, known):
    """Mark the items of a user, and what is known of them."""
    for entry in range(rated.indptr[user], rated.indptr[user + 1]):
        owner[rated.items[entry]] = user
        known[rated.items[entry]] = rated.residuals[entry]


@njit(cache=True, nogil=True)
def find_known(near, owner, user, slots):
    """Which of an item's nearest the user has rated; their number."""
    filled = len(near)
    while filled > 0 and near[filled - 1] < 0:
        filled -= 1
    count = 0
    for slot in range(filled):
        # Without a branch, which would be guessed wrong half of the time.
        slots[count] = slot
        count += owner[near[slot]] == user
    return count


@njit(cache=True, nogil=True, fastmath=SUMS)
def guess(user, item, vector, parts, known, slots, count):
    """Eq. 16 without the mean; `vector` is the user's, with the y of all rated items."""
    total = np.float32(0)
    for n in range(count):
        slot = slots[n]
        weighted = known[parts.near[item, slot]] * parts.weights[item, slot]
        total += weighted + parts.offsets[item, slot]
    total /= np.sqrt(np.float32(max(count, 1)))
    for f in range(len(vector)):
        total += parts.item_vectors[item, f] * vector[f]
    return total + parts.user_bias[user] + parts.item_bias[item]


@njit(cache=True, nogil=True, fastmath=SUMS)
def move_vectors(user, item, step, keep, root, vector, added, parts):
    """One step of q_i and p_u; of all y_j of the user by `added`, of p_u and their sum by `vector`."""
    for f in range(len(vector)):
        q = parts.item_vectors[item, f]
        parts.item_vectors[item, f] = keep * q + step * vector[f]
        parts.user_vectors[user, f] = keep * parts.user_vectors[user, f] + step * q
        # |R(u)| vectors each move by root · step · q, and root² |R(u)| = 1: as much as p_u again.
        vector[f] = keep * vector[f] + np.float32(2) * step * q
        added[f] = keep * added[f] + root * step * q


@njit(cache=True, nogil=True, fastmath=SUMS)
def move_neighbours(item, pull, rates, parts, known, slots, count):
    for n in range(count):
        slot = slots[n]
        w, c = parts.weights[item, slot], parts.offsets[item, slot]
        pulled = pull * known[parts.near[item, slot]]
        parts.weights[item, slot] = w + rates.neighbour_rate * (
            pulled - rates.neighbour_penalty * w
        )
        parts.offsets[item, slot] = c + rates.neighbour_rate * (pull - rates.neighbour_penalty * c)


@njit(cache=True, nogil=True, fastmath=SUMS)
def go_over(users, order, targets, rated, parts, rates):
    """One pass over all ratings, user by user; `order` has the entries of each user in turn.

    A rating of user u adds the same to y_j of every j in R(u) and shrinks all of them alike. So
    their sum is kept up to date, and they themselves are set when the user is done.
    """
    owner = np.full(len(parts.item_bias), -1, np.int32)
    known = np.zeros(len(parts.item_bias), np.float32)
    slots = np.empty(parts.near.shape[1], np.int32)
    vector = np.empty(parts.user_vectors.shape[1], np.float32)
    added = np.empty_like(vector)
    keep = ONE - rates.rate * rates.penalty
    at = 0
    for u in users:
        mine = rated.items[rated.indptr[u] : rated.indptr[u + 1]]
        if len(mine) == 0:
            continue
        root = ONE / np.sqrt(np.float32(len(mine)))
        note_rated(u, rated, owner, known)
        vector[:] = parts.user_vectors[u]
        for j in mine:
            vector += root * parts.rated_vectors[j]
        added[:] = 0
        kept = ONE
        for entry in order[at : at + len(mine)]:
            i = rated.items[entry]
            count = find_known(parts.near[i], owner, u, slots)
            error = targets[entry] - guess(u, i, vector, parts, known, slots, count)
            bias, other = parts.user_bias[u], parts.item_bias[i]
            parts.user_bias[u] = bias + rates.rate * (error - rates.bias_penalty * bias)
            parts.item_bias[i] = other + rates.rate * (error - rates.bias_penalty * other)
            move_vectors(u, i, rates.rate * error, keep, root, vector, added, parts)
            pull = error / np.sqrt(np.float32(max(count, 1)))
            move_neighbours(i, pull, rates, parts, known, slots, count)
            kept *= keep
        for j in mine:
            for f in range(len(vector)):
                parts.rated_vectors[j, f] = kept * parts.rated_vectors[j, f] + added[f]
        at += len(mine)


@njit(cache=True, nogil=True)
def add_rated(rated, user_vectors, rated_vectors):
    """p_u becomes p_u + |R(u)|^-½ Σ y_j."""
    for u in range(len(user_vectors)):
        mine = rated.items[rated.indptr[u] : rated.indptr[u + 1]]
        for j in mine:
            user_vectors[u] += rated_vectors[j] / np.float32(np.sqrt(len(mine)))


@njit(cache=True, nogil=True)
def predict_pairs(users, items, rated, parts, found):
    """Eq. 16 without the mean. Quickest where pairs of a user stand together."""
    owner = np.full(len(parts.item_bias), -1, np.int32)
    known = np.zeros(len(parts.item_bias), np.float32)
    slots = np.empty(parts.near.shape[1], np.int32)
    for n in range(len(users)):
        u, i = users[n], items[n]
        if n == 0 or u != users[n - 1]:
            note_rated(u, rated, owner, known)
        count = find_known(parts.near[i], owner, u, slots)
        found[n] = guess(u, i, parts.user_vectors[u], parts, known, slots, count)


@njit(cache=True, nogil=True, fastmath=SUMS)
def score_users(users, rated, parts, facing, found):
    """Eq. 16 without the mean for all items: what each rated item adds to those it is near to."""
    counts = np.empty(len(parts.item_bias), np.int32)
    for n in range(len(users)):
        u, row = users[n], found[n]
        row[:] = 0
        counts[:] = 0
        for entry in range(rated.indptr[u], rated.indptr[u + 1]):
            j = rated.items[entry]
            for at in range(facing.indptr[j], facing.indptr[j + 1]):
                weighted = rated.residuals[entry] * facing.weights[at]
                row[facing.items[at]] += weighted + facing.offsets[at]
                counts[facing.items[at]] += 1
        for i in range(len(row)):
            total = row[i] / np.sqrt(np.float32(max(counts[i], 1)))
            for f in range(parts.user_vectors.shape[1]):
                total += parts.item_vectors[i, f] * parts.user_vectors[u, f]
            row[i] = total + parts.user_bias[u] + parts.item_bias[i]
