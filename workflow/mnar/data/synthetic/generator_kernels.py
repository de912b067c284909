"""Compiled parts of the synthetic generator (docs/datasets.md): truth cells, and observed ratings.

Nothing here keeps a state between calls. Every random number is a 64-bit hash of a key and a
counter, so a cell, an item or a user gives the same bits in any order and on any thread.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit

# Weyl step and finaliser of splitmix64 (Steele, Lea, Flood 2014): counters to random 64-bit words.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)

# The normal quantile is tabulated at tail probabilities spaced like floating-point numbers, 256 a
# power of two, from 2^-32 to 1/2. Between knots a straight line errs by less than 1e-6.
_DROPPED_BITS = np.int32(15)
_FRACTION_MASK = np.int32(2**15 - 1)
_FIRST_KNOT = np.int32(np.float32(1).view(np.int32) >> 15)
_LAST_KNOT = np.int32(np.float32(2**31).view(np.int32) >> 15)
_FRACTION_UNIT = np.float32(2.0**-15)

# A rating opens a new session with this probability; gaps in seconds, exponential.
_NEW_SESSION = 1 / 12
_GAP_BETWEEN_SESSIONS = 7 * 86400.0
_GAP_WITHIN_SESSION = 20.0
_LEAST_GAP = 5


class Cells(NamedTuple):
    """All that a cell (u, i) of the complete rating matrix depends on."""

    seed: np.uint64
    user_vectors: NDArray[np.float32]
    item_vectors: NDArray[np.float32]
    quality: NDArray[np.float32]
    noise: np.float32
    thresholds: tuple[np.float32, np.float32, np.float32, np.float32]
    quantiles: NDArray[np.float32]


def tabulate_normal_quantiles() -> NDArray[np.float32]:
    """Standard normal quantiles at the knots; one knot past 1/2 so that each has a successor."""
    from scipy.special import ndtri

    words = np.arange(_FIRST_KNOT, _LAST_KNOT + 2, dtype=np.int32) << _DROPPED_BITS
    return ndtri(words.view(np.float32).astype(np.float64) * 2.0**-32).astype(np.float32)


@njit(cache=True, nogil=True)
def hash_counter(key, counter):
    """The random 64-bit word number `counter` of the stream `key`."""
    word = key + np.uint64(counter) * _STEP
    word = (word ^ (word >> np.uint64(30))) * _FIRST_FACTOR
    word = (word ^ (word >> np.uint64(27))) * _SECOND_FACTOR
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def draw_uniform(key, counter):
    """A uniform number strictly between 0 and 1."""
    return (np.float64(hash_counter(key, counter) >> np.uint64(12)) + 0.5) * 2.0**-52


@njit(cache=True, nogil=True)
def look_up_normal(word, quantiles):
    """A standard normal number from 32 bits of a random word: tail probability and sign."""
    bits = np.float32(np.int64(word >> np.uint64(33)) + 1).view(np.int32)
    # An unsigned index spares the test for a negative one.
    knot = np.uint64((bits >> _DROPPED_BITS) - _FIRST_KNOT)
    fraction = np.float32(bits & _FRACTION_MASK) * _FRACTION_UNIT
    left = quantiles[knot]
    value = left + fraction * (quantiles[knot + np.uint64(1)] - left)
    return value * np.float32(np.int64(word & np.uint64(2)) - 1)


@njit(cache=True, nogil=True)
def rate_score(score, word, noise, thresholds, quantiles):
    """r(u, i) = 1 + the number of thresholds below p_u · q_i + b_i + noise · e(u, i)."""
    noisy = score + noise * look_up_normal(word, quantiles)
    second, third, fourth, fifth = thresholds
    return 1 + (noisy > second) + (noisy > third) + (noisy > fourth) + (noisy > fifth)


@njit(cache=True, nogil=True)
def score_cell(user_vectors, item_vectors, quality, user, item):
    """b_i + p_u · q_i, summed in the order in which :func:`rate_rows` sums."""
    score = quality[item]
    for k in range(user_vectors.shape[1]):
        score += user_vectors[user, k] * item_vectors[item, k]
    return score


@njit(cache=True, nogil=True)
def rate_pairs(cells, users, items, ratings):
    """The complete matrix at (users[n], items[n])."""
    seed, user_vectors, item_vectors, quality, noise, thresholds, quantiles = cells
    for n in range(len(users)):
        score = score_cell(user_vectors, item_vectors, quality, users[n], items[n])
        word = hash_counter(hash_counter(seed, users[n]), items[n])
        ratings[n] = rate_score(score, word, noise, thresholds, quantiles)


@njit(cache=True, nogil=True)
def rate_rows(cells, factors, first_user, ratings):
    """Complete rows of the matrix, from `first_user` on; `factors` are the item vectors transposed.

    Scores are summed factor by factor along a row, because that runs in vector instructions.
    """
    seed, user_vectors, _, quality, noise, thresholds, quantiles = cells
    scores = np.empty(len(quality), np.float32)
    for row in range(ratings.shape[0]):
        for item in range(len(scores)):
            scores[item] = quality[item]
        for k in range(len(factors)):
            weight = user_vectors[first_user + row, k]
            for item in range(len(scores)):
                scores[item] += weight * factors[k, item]
        user_key = hash_counter(seed, first_user + row)
        for item in range(len(scores)):
            word = hash_counter(user_key, item)
            ratings[row, item] = rate_score(scores[item], word, noise, thresholds, quantiles)


@njit(cache=True, nogil=True)
def lengthen(values):
    """A copy with as much again at its end."""
    longer = np.empty(2 * len(values), values.dtype)
    for n in range(len(values)):
        longer[n] = values[n]
    return longer


@njit(cache=True, nogil=True)
def observe_items(cells, seed, alpha, beta, first_item, counts):
    """Which users rate the items: with probability alpha_i if r(u, i) >= 4, else beta_i <= alpha_i.

    pradel2012 section 3.2. Users are reached with probability alpha_i by geometric skips; one whose
    rating is not positive stays with probability beta_i / alpha_i. Returns users and ratings, item
    after item from `first_item` on, in buffers with room to spare, and fills `counts`.
    """
    cells_seed, user_vectors, item_vectors, quality, noise, thresholds, quantiles = cells
    n_users = len(user_vectors)
    users = np.empty(1024, np.int32)
    ratings = np.empty(1024, np.uint8)
    n = 0
    for n_item in range(len(counts)):
        item = first_item + n_item
        key = hash_counter(seed, item)
        log_miss = math.log1p(-alpha[item])
        stay = beta[item] / alpha[item]
        start = n
        counter = 0
        user = 0
        while True:
            skipped = math.log(draw_uniform(key, counter)) / log_miss
            if skipped >= n_users - user:
                break
            user += int(skipped)
            score = score_cell(user_vectors, item_vectors, quality, user, item)
            word = hash_counter(hash_counter(cells_seed, user), item)
            rating = rate_score(score, word, noise, thresholds, quantiles)
            if rating >= 4 or draw_uniform(key, counter + 1) < stay:
                if n == len(users):
                    users = lengthen(users)
                    ratings = lengthen(ratings)
                users[n] = user
                ratings[n] = rating
                n += 1
            counter += 2
            user += 1
        counts[n_item] = n - start
    return users, ratings


@njit(cache=True, nogil=True)
def move_to_users(users, ratings, counts, first_item, cursor, items_out, ratings_out):
    """Move ratings listed item by item to their users' rows; cursor[u] is u's next free index."""
    n = 0
    for k in range(len(counts)):
        for _ in range(counts[k]):
            at = cursor[users[n]]
            cursor[users[n]] = at + 1
            items_out[at] = first_item + k
            ratings_out[at] = ratings[n]
            n += 1


@njit(cache=True, nogil=True)
def date_ratings(seed, indptr, first_user, last_user, start, span, timestamps):
    """Seconds: a user joins at a uniform moment of the span and rates in sessions, in random order.

    The order does not depend on item or rating, so nothing but time itself is drawn here.
    """
    for user in range(first_user, last_user):
        key = hash_counter(seed, user)
        row = timestamps[indptr[user] : indptr[user + 1]]
        now = start + int(draw_uniform(key, 0) * span)
        for n in range(len(row)):
            row[n] = now
            new_session = draw_uniform(key, 3 * n + 1) < _NEW_SESSION
            gap = _GAP_BETWEEN_SESSIONS if new_session else _GAP_WITHIN_SESSION
            now += _LEAST_GAP + int(-math.log(draw_uniform(key, 3 * n + 2)) * gap)
        for n in range(len(row) - 1, 0, -1):
            other = int(draw_uniform(key, 3 * n + 3) * (n + 1))
            row[n], row[other] = row[other], row[n]


@njit(cache=True, nogil=True)
def choose_random_items(seed, users, n_items, chosen):
    """For each user a uniform subset of the items, in no order (Floyd's sampling)."""
    size = chosen.shape[1]
    for row in range(len(users)):
        key = hash_counter(seed, users[row])
        taken = chosen[row]
        for n in range(size):
            newest = n_items - size + n
            candidate = int(draw_uniform(key, n) * (newest + 1))
            for m in range(n):
                if taken[m] == candidate:
                    candidate = newest
                    break
            taken[n] = candidate
