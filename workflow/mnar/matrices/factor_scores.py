"""Scores of factor models for blocks of users; equal items have equal scores."""

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.kernels.compiled import njit
from mnar.kernels.score_tiles import BLOCK, GROUP, WORDS, panels_of, score_tile
from mnar.kernels.vectors import aligned_zeros

# Enough rows for a block of items to be read once for many, few enough to share a small set of users
# among threads.
_MOST_ROWS = 32 * GROUP
# 64 MB of scores in each thread, however large the catalogue.
_MOST_CELLS = 1 << 24
# No score is larger than the lengths of two vectors multiplied (Cauchy and Schwarz): below this, far
# from the largest number there is, nothing overflows on the way either.
_SAFE = 1e30
# Sums in any order, so that they run in vector registers; infinities stay what they are.
SUMS = {"reassoc", "contract", "nsz"}

Floats = NDArray[np.float32]


@njit(cache=True, nogil=True)
def all_finite(scores):
    """Whether no score is infinite or NaN."""
    finite = True
    for row in range(scores.shape[0]):
        for item in range(scores.shape[1]):
            finite &= abs(scores[row, item]) < np.inf
    return finite


@njit(cache=True, nogil=True, fastmath=SUMS)
def multiply_pairs(user_vectors, item_vectors, users, items, products):
    """products[n] = user_vectors[users[n]] · item_vectors[items[n]]."""
    for pair in range(len(users)):
        total = np.float32(0)
        for k in range(user_vectors.shape[1]):
            total += user_vectors[users[pair], k] * item_vectors[items[pair], k]
        products[pair] = total


@njit(cache=True, nogil=True)
def pack_users(users, vectors):
    """Some users' vectors, with a 1 for the item bias, as (group, factor, user of the group)."""
    factors = vectors.shape[1]
    packed = np.zeros((-(-len(users) // GROUP), factors + 1, GROUP), np.float32)
    for row in range(len(users)):
        for k in range(factors):
            packed[row // GROUP, k, row % GROUP] = vectors[users[row], k]
        packed[row // GROUP, factors, row % GROUP] = 1
    return packed


@njit(cache=True, nogil=True)
def fill_scores(users, vectors, panels, scores):
    """scores[n, c] = the score that user users[n] gives the item of column c."""
    packed = pack_users(users, vectors)
    lines = aligned_zeros(GROUP * BLOCK, np.float32).reshape((GROUP, BLOCK))
    n_rows, n_columns = scores.shape
    nothing = np.zeros((GROUP, len(panels) * WORDS), np.uint64)
    for block in range(len(panels)):
        first = block * BLOCK
        size = min(BLOCK, n_columns - first)
        for group in range(len(packed)):
            score_tile(packed, group, panels, block, nothing, 0, lines)
            for row in range(group * GROUP, min(group * GROUP + GROUP, n_rows)):
                scores[row, first : first + size] = lines[row % GROUP, :size]


@njit(cache=True, nogil=True, fastmath={"contract"})
def score_some(vector, table, items, scores):
    """scores[n] = vector · table[items[n]] + its last number, the bias, to the bit as in a tile.

    Four sums at a time: each waits for its last product.
    """
    factors = len(vector)
    last = len(items) - 1
    for first in range(0, len(items), 4):
        n1, n2, n3 = min(first + 1, last), min(first + 2, last), min(first + 3, last)
        i0, i1, i2, i3 = items[first], items[n1], items[n2], items[n3]
        s0 = s1 = s2 = s3 = np.float32(0)
        for k in range(factors):
            s0 += vector[k] * table[i0, k]
            s1 += vector[k] * table[i1, k]
            s2 += vector[k] * table[i2, k]
            s3 += vector[k] * table[i3, k]
        scores[first], scores[n1] = s0 + table[i0, factors], s1 + table[i1, factors]
        scores[n2], scores[n3] = s2 + table[i2, factors], s3 + table[i3, factors]


class ItemScores:
    """The scores of all items for given users, without offset and user bias.

    Those do not change the order of a user's items; adding them would round scores into ties. Items
    stand in falling order of the highest score that an average user may give them: item i has
    column columns[i]. So high scores are next to each other, and most items need not be looked at
    when a high score is ranked.
    """

    def __init__(self, user_vectors: Floats, item_vectors: Floats, item_bias: Floats) -> None:
        self.user_vectors = np.ascontiguousarray(user_vectors, np.float32)
        # The item bias is one more factor.
        table = np.column_stack((item_vectors, item_bias))
        self.table = table.astype(np.float32, copy=False)
        lengths, bias = lengths_of(item_vectors), item_bias.astype(np.float64)
        self.user_lengths = lengths_of(user_vectors)
        with np.errstate(over="ignore", invalid="ignore"):
            highest = self.user_lengths.mean() * lengths + bias if len(user_vectors) else bias
        order = np.argsort(-highest, kind="stable")
        self.columns = np.empty(len(self.table), np.int32)
        self.columns[order] = np.arange(len(self.table), dtype=np.int32)
        self.panels = panels_of(self.table, order)
        # Of each block of items and all that follow.
        self.longest, self.highest_bias = (
            _from_here_on(values[order], len(self.panels)) for values in (lengths, bias)
        )
        with np.errstate(over="ignore", invalid="ignore"):
            largest = self.user_lengths.max(initial=0) * lengths.max(initial=0)
            self.surely_finite = bool(largest + np.abs(bias).max(initial=0) < _SAFE)

    @property
    def rows_per_block(self) -> int:
        return max(1, min(_MOST_ROWS, _MOST_CELLS // len(self.table)))

    def __call__(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        """Scores of shape (users, items)."""
        scores = np.empty((len(users), len(self.table)), np.float32)
        fill_scores(users, self.user_vectors, self.panels, scores)
        if not self.surely_finite:
            check_finite(scores, users)
        return scores

    def check(self, users: NDArray[np.integer]) -> None:
        """Raise a UserError where a score is no finite number."""
        if not self.surely_finite:
            for first in range(0, len(users), self.rows_per_block):
                self(users[first : first + self.rows_per_block])


@njit(cache=True, nogil=True, fastmath=SUMS)
def lengths_of(vectors):
    """The length of each row, in double precision: squares of next to nothing are not nothing."""
    lengths = np.empty(len(vectors))
    for row in range(len(vectors)):
        total = 0.0
        for k in range(vectors.shape[1]):
            total += np.float64(vectors[row, k]) ** 2
        lengths[row] = np.sqrt(total)
    return lengths


def _from_here_on(values: NDArray[np.float64], blocks: int) -> NDArray[np.float64]:
    """The largest value of each block and all that follow."""
    largest = np.maximum.reduceat(values, np.arange(blocks) * BLOCK) if blocks else values
    return np.maximum.accumulate(largest[::-1])[::-1].copy()


def check_finite(scores: NDArray[np.float32], users: NDArray[np.integer]) -> None:
    """Raise a UserError that names the first user with a score that is no finite number."""
    if not all_finite(scores):
        raise diverged(users[np.isfinite(scores).all(axis=1).argmin()])


class Diverged(UserError):
    """A model whose scores are no numbers."""


def diverged(user: int) -> Diverged:
    return Diverged(
        f"Some scores of user {user} are not finite numbers: the training of the model has "
        "diverged; use a smaller learning rate or a stronger regularisation."
    )
