"""Stochastic gradient kernels: MF-ADG (lim2015 Algorithm 1), MF-AUC (section 6) and BPR.

Random numbers are counted, not carried along: the bits of an iteration are a hash of (key,
iteration), those of its n-th draw a hash of (bits, n). So a run can stop anywhere and go on, and
what comes next is known early enough to be fetched from memory before it is needed.
"""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.kernels.prefetch import prefetch

# Rows of vectors are padded with zeros to whole cache lines of 16 floats.
LANES = 16
# Positives are drawn in blocks, so that the waits for memory overlap, and fetched this far ahead.
BLOCK = 128
AHEAD = 4

ONE = np.float32(1)
STRIDE = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64, as are the constants in `scramble`
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)

# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True)
def scramble(start, count):
    """64 random bits: element `count` of the splitmix64 sequence that begins at `start`."""
    bits = start + np.uint64(count) * STRIDE
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@njit(cache=True, nogil=True)
def below(bits, bound):
    """A uniform integer in [0, bound) from the low half of `bits`; bias at most bound / 2³²."""
    return np.int64(((bits & LOW_HALF) * np.uint64(bound)) >> HALF)


@njit(cache=True, nogil=True)
def draw_positives(key, first, users, indptr, items, bits, user, positive):
    """For iterations from `first` on: u uniform from `users`, i+ uniform from its relevant items.

    Fills `bits` (of each iteration), `user` and `positive`, as far as `bits` is long. Each loop has
    independent loads, so that the processor waits for many of them at once.
    """
    for t in range(len(bits)):
        bits[t] = scramble(key, first + t)
        user[t] = users[below(bits[t] >> HALF, len(users))]
    for t in range(len(bits)):
        start, stop = indptr[user[t]], indptr[user[t] + 1]
        positive[t] = start + below(bits[t], stop - start)
    for t in range(len(bits)):
        positive[t] = items[positive[t]]


@njit(cache=True, nogil=True)
def other_item(bits, draw, positive, n_items):
    """Draw number `draw` of an iteration: uniform from all items but the positive one."""
    item = below(scramble(bits, draw), n_items - 1)
    return item + (item >= positive)


@njit(cache=True, nogil=True)
def irrelevant_item(bits, relevant, n_items):
    """Uniform from the items that are not among `relevant` (ascending); -1 where there are none."""
    if len(relevant) == n_items:
        return np.int64(-1)
    rank = below(scramble(bits, 1), n_items - len(relevant))
    # relevant[j] - j irrelevant items come before relevant[j]: count those j with at most `rank`.
    low = 0
    high = len(relevant)
    while low < high:
        middle = (low + high) // 2
        if relevant[middle] - middle <= rank:
            low = middle + 1
        else:
            high = middle
    return rank + low


@njit(cache=True, nogil=True)
def fetch(vectors, row, width):
    """Have a row of vectors loaded by the time it is needed."""
    for k in range(0, width, LANES):
        prefetch(vectors, row, k)  # type: ignore[call-arg]  # numba adds the first argument


@njit(cache=True, nogil=True, fastmath=SUMS)
def score(user_vectors, item_vectors, item_bias, u, i, width):
    """f(u, i) = user · item + item bias (lim2015 Eq. 1)."""
    total = np.float32(0)
    for k in range(width):
        total += user_vectors[u, k] * item_vectors[i, k]
    return total + item_bias[i]


@njit(cache=True, nogil=True, fastmath=SUMS)
def take_step(user_vectors, item_vectors, item_bias, u, i, v, width, pace, keep):
    """Descend the gradient of f(u, v) - f(u, i) + 1 by `pace`; shrink the vectors by `keep`."""
    for k in range(width):
        user = user_vectors[u, k]
        liked = item_vectors[i, k]
        other = item_vectors[v, k]
        user_vectors[u, k] = keep * user + pace * (liked - other)
        item_vectors[i, k] = keep * liked + pace * user
        item_vectors[v, k] = keep * other - pace * user
    item_bias[i] += pace
    item_bias[v] -= pace


@njit(cache=True, nogil=True, fastmath=SUMS)
def climb_adg(
    lanes,
    user_vectors,
    item_vectors,
    item_bias,
    users,
    indptr,
    items,
    paces,
    keep,
    key,
    first,
    last,
):
    """Iterations first … last - 1 of lim2015 Algorithm 1 (MF-ADG); returns steps and draws.

    `paces[N - 1]` is rate · C(⌊(|I| - 1)/N⌋) for a violator found by draw N; its length is the
    limit on draws. `lanes` is any tuple with one element per 16 columns: its length is known when
    the kernel is compiled, which unrolls the sums.
    """
    width = LANES * len(lanes)
    n_items = len(item_vectors)
    bits = np.zeros(BLOCK + AHEAD, np.uint64)
    user = np.zeros(BLOCK + AHEAD, np.int64)
    positive = np.zeros(BLOCK + AHEAD, np.int64)
    steps = 0
    draws = 0
    for start in range(first, last, BLOCK):
        size = min(BLOCK, last - start)
        draw_positives(key, start, users, indptr, items, bits[:size], user, positive)
        for t in range(size):
            soon = t + AHEAD
            fetch(user_vectors, user[soon], width)
            fetch(item_vectors, positive[soon], width)
            fetch(item_vectors, other_item(bits[soon], 1, positive[soon], n_items), width)
            u = user[t]
            i = positive[t]
            threshold = score(user_vectors, item_vectors, item_bias, u, i, width) - ONE
            draw = 0
            v = i
            found = False
            while not found and draw < len(paces):
                draw += 1
                v = other_item(bits[t], draw, i, n_items)
                found = score(user_vectors, item_vectors, item_bias, u, v, width) > threshold
            draws += draw
            if found:
                steps += 1
                pace = paces[draw - 1]
                take_step(user_vectors, item_vectors, item_bias, u, i, v, width, pace, keep)
    return steps, draws


@njit(cache=True, nogil=True, fastmath=SUMS)
def climb_pairs(
    logistic,
    lanes,
    user_vectors,
    item_vectors,
    item_bias,
    users,
    indptr,
    items,
    pace,
    keep,
    key,
    first,
    last,
):
    """Iterations first … last - 1 of MF-AUC (lim2015 section 6) or BPR; returns steps and draws.

    The same positives as :func:`climb_adg`, each against one irrelevant item. The hinge of MF-AUC
    steps where the pair is not apart by 1; the logistic loss of BPR always does, by its slope. A user
    to whom every item is relevant has no pair: the iteration passes without a draw.
    """
    width = LANES * len(lanes)
    n_items = len(item_vectors)
    bits = np.zeros(BLOCK, np.uint64)
    user = np.zeros(BLOCK + AHEAD, np.int64)
    positive = np.zeros(BLOCK + AHEAD, np.int64)
    negative = np.zeros(BLOCK + AHEAD, np.int64)
    steps = 0
    draws = 0
    for start in range(first, last, BLOCK):
        size = min(BLOCK, last - start)
        draw_positives(key, start, users, indptr, items, bits[:size], user, positive)
        for t in range(size):
            relevant = items[indptr[user[t]] : indptr[user[t] + 1]]
            negative[t] = irrelevant_item(bits[t], relevant, n_items)
        for t in range(size):
            soon = t + AHEAD
            fetch(user_vectors, user[soon], width)
            fetch(item_vectors, positive[soon], width)
            fetch(item_vectors, negative[soon], width)
            u, i, v = user[t], positive[t], negative[t]
            if v < 0:
                continue
            draws += 1
            liked = score(user_vectors, item_vectors, item_bias, u, i, width)
            other = score(user_vectors, item_vectors, item_bias, u, v, width)
            slope = ONE
            if logistic:
                slope = np.float32(1 / (1 + np.exp(np.float64(liked - other))))
            if logistic or other > liked - ONE:
                steps += 1
                take_step(user_vectors, item_vectors, item_bias, u, i, v, width, pace * slope, keep)
    return steps, draws
