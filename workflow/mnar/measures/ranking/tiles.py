"""Rank the targets of a factor model: scores are made in tiles and compared in the cache."""

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.kernels.score_tiles import (
    BLOCK,
    GROUP,
    WORDS,
    find_top,
    score_tile,
)
from mnar.kernels.vectors import aligned_zeros
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import pack_users, score_some
from mnar.measures.ranking.counts import compare
from mnar.measures.ranking.targets import Targets

# The shift that gives a column's word, and the mask of its bit there.
WORD, LAST, ONE = np.uint64(6), np.uint64(63), np.uint64(1)
# Users whose targets are scored at a time.
_USERS = 1024
# More than rounding may add to a score: relative to the size of its terms, and absolute where these are
# nearly zero (vectors that were regularised away).
ROUNDING, UNDERFLOW = 1e-4, 1e-38


@njit(cache=True, nogil=True)
def order_falling(scores, order, above, tied):
    """Fill `order` with the positions of `scores` from the highest to the lowest, equal ones as given.

    And `above` and `tied` with how many of them are higher than each, and how many equal.
    """
    equals = np.zeros(len(scores), np.int64)
    for n in range(len(scores)):
        above[n], tied[n] = compare(scores, scores[n])
        order[above[n] + equals[above[n]]] = n
        equals[above[n]] += 1


@njit(cache=True, nogil=True)
def mark(bits, columns, items):
    """Set the bits of the items' columns."""
    for item in items:
        column = np.uint64(columns[item])
        bits[column >> WORD] |= ONE << (column & LAST)


@njit(cache=True, nogil=True)
def score_targets(
    users, vectors, lengths, table, longest, highest_bias, indptr, items, scores, needed
):
    """The score of each target, and how many blocks of items may have one as high as the lowest.

    u · v is no larger than their lengths multiplied (Cauchy and Schwarz).
    """
    for user in users:
        own = slice(indptr[user], indptr[user + 1])
        score_some(vectors[user], table, items[own], scores[own])
        lowest = np.float64(scores[own].min())
        block = 0
        while block < len(longest):
            product, bias = lengths[user] * longest[block], highest_bias[block]
            if product + bias + ROUNDING * (product + abs(bias)) + UNDERFLOW < lowest:
                break
            block += 1
        needed[user] = block


@njit(cache=True, nogil=True)
def count_above(
    users,
    user_vectors,
    panels,
    needed,
    columns,
    indptr,
    items,
    seen_indptr,
    seen_items,
    scores,
    hidden,
    above,
    tied,
    targets_above,
    targets_tied,
):
    """How many unseen items score above, and how many as, each target (steck2010 section 2.1).

    The same among the user's targets, and whether it is `hidden`: seen, and so not counted. For each
    block of items, the scores of a few users at a time are compared with their targets while they are
    in the cache. Users come in falling order of the blocks that they need.
    """
    packed = pack_users(users, user_vectors)
    starts = np.zeros(len(users) + 1, np.int64)
    for row in range(len(users)):
        starts[row + 1] = starts[row] + indptr[users[row] + 1] - indptr[users[row]]
    targets = np.empty(starts[-1], np.float32)
    order = np.empty(starts[-1], np.int64)
    higher, equal = np.zeros(starts[-1], np.int32), np.zeros(starts[-1], np.int32)
    bits = np.zeros((len(packed) * GROUP, len(panels) * WORDS), np.uint64)
    for row in range(len(users)):
        first, last = indptr[users[row]], indptr[users[row] + 1]
        own = slice(starts[row], starts[row + 1])
        among = targets_above[first:last], targets_tied[first:last]
        order_falling(scores[first:last], order[own], *among)
        targets[own] = scores[first:last][order[own]]
        mark(bits[row], columns, seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]])
        for pair in range(first, last):
            column = np.uint64(columns[items[pair]])
            hidden[pair] = (bits[row, column >> WORD] >> (column & LAST)) & ONE
    lines = aligned_zeros(GROUP * BLOCK, np.float32).reshape((GROUP, BLOCK))
    for block in range(len(panels)):
        for group in range(len(packed)):
            if needed[users[group * GROUP]] <= block:
                break
            score_tile(packed, group, panels, block, bits, group * GROUP, lines)
            for row in range(group * GROUP, min(group * GROUP + GROUP, len(users))):
                top = find_top(lines, row % GROUP)
                position = starts[row + 1] - 1
                while position >= starts[row] and targets[position] <= top:
                    more, as_many = compare(lines[row % GROUP], targets[position])
                    higher[position] += more
                    equal[position] += as_many
                    position -= 1
    for row in range(len(users)):
        for position in range(starts[row], starts[row + 1]):
            pair = indptr[users[row]] + order[position]
            above[pair], tied[pair] = higher[position], equal[position]


def count_in_tiles(
    model: FactorModel,
    targets: Targets,
    seen: tuple[NDArray[np.int64], NDArray[np.int32]],
    threads: int,
) -> None:
    """Fill in the counts of targets, for a factor model."""
    scorer = model.item_scores
    indptr, items, scores = targets.indptr, targets.items, targets.scores
    users = targets.users
    scorer.check(users)
    needed = np.zeros(model.n_users, np.int64)

    def score(first: int, last: int) -> None:
        given = (scorer.user_vectors, scorer.user_lengths, scorer.table)
        bounds = (scorer.longest, scorer.highest_bias)
        score_targets(users[first:last], *given, *bounds, indptr, items, scores, needed)

    for_blocks(score, len(users), threads, _USERS)
    users = users[np.argsort(-needed[users], kind="stable")]

    def count(first: int, last: int) -> None:
        given = (scorer.user_vectors, scorer.panels, needed, scorer.columns)
        found = (scores, targets.hidden, *targets.counts)
        count_above(users[first:last], *given, indptr, items, *seen, *found)

    for_blocks(count, len(users), threads, scorer.rows_per_block)
