"""Where the held-out items of each user stand among all candidates.

These few counts are all that ranking measures need, with or without ties.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.kernels.score_tiles import (
    BLOCK,
    GROUP,
    TALLIED,
    WORDS,
    count_line,
    find_top,
    score_tile,
    sum_tallies,
)
from mnar.kernels.vectors import LANES, aligned_zeros
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.measures.scores import item_scores, pack_users, score_some

# By how much a column is shifted to give its word, and what masks its bit there.
WORD, LAST, ONE = np.uint64(6), np.uint64(63), np.uint64(1)
# Users whose targets are scored, and compared with each other, at a time.
_USERS = 1024
# More than what rounding may add to a score: by the size of what it is made of, and where that is next
# to nothing (of vectors that were regularised away).
ROUNDING, UNDERFLOW = 1e-4, 1e-38


@dataclass(frozen=True, eq=False)
class RankCounts:
    """One element for each scored pair (user, target item), sorted by user, then item."""

    user: NDArray[np.int32]
    item: NDArray[np.int32]
    # Candidates with a higher score, and with the same score, the item itself included.
    above: NDArray[np.int32]
    tied: NDArray[np.int32]
    # The same among the user's targets.
    relevant_above: NDArray[np.int32]
    relevant_tied: NDArray[np.int32]
    # Targets and candidates of the user.
    n_relevant: NDArray[np.int32]
    n_candidates: NDArray[np.int32]
    n_users: int
    n_items: int

    @cached_property
    def pairs(self) -> NDArray[np.float64]:
        """How many pairs each user has."""
        return np.bincount(self.user, minlength=self.n_users).astype(np.float64)

    @property
    def ranks(self) -> tuple[NDArray[np.int32], ...]:
        """What the value of a pair is made of, for kernels."""
        return (
            self.above,
            self.tied,
            self.relevant_above,
            self.relevant_tied,
            self.n_relevant,
            self.n_candidates,
        )

    @cached_property
    def by_candidates(self) -> NDArray[np.int64]:
        """The order that puts pairs with the same number of candidates together."""
        return np.argsort(self.n_candidates, kind="stable")


@njit(cache=True, nogil=True)
def compare(scores, score):
    """How many of `scores` are higher than `score`, and how many equal."""
    above = np.int32(0)
    tied = np.int32(0)
    # Indexed, and counted in 32 bits: so eight comparisons fit into one instruction.
    for other in range(len(scores)):
        above = np.int32(above + (scores[other] > score))
        tied = np.int32(tied + (scores[other] == score))
    return above, tied


@njit(cache=True, nogil=True)
def order_falling(scores, order, above, tied):
    """Fill `order` with the places of `scores` from the highest to the lowest, equal ones as given.

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
    tallies = aligned_zeros(starts[-1] * LANES, np.int32).reshape((starts[-1], LANES))
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
                place = starts[row + 1] - 1
                while place >= starts[row] and targets[place] <= top:
                    count_line(lines, row % GROUP, targets[place], tallies, place)
                    place -= 1
        if block % TALLIED == TALLIED - 1 or block == len(panels) - 1:
            sum_tallies(tallies, higher, equal)
    for row in range(len(users)):
        for place in range(starts[row], starts[row + 1]):
            pair = indptr[users[row]] + order[place]
            above[pair], tied[pair] = higher[place], equal[place]


@njit(cache=True, nogil=True)
def compare_targets(
    first_user,
    last_user,
    are_alone,
    indptr,
    n_items,
    seen_indptr,
    scores,
    hidden,
    above,
    tied,
    relevant_above,
    relevant_tied,
    n_candidates,
):
    """Compare each target with the others of its user. All are candidates: also those `hidden`.

    Where targets `are_alone`, of no other set beside them, they have been compared already.
    """
    for user in range(first_user, last_user):
        first, last = indptr[user], indptr[user + 1]
        again = scores[first:last][hidden[first:last]]
        candidates = n_items - (seen_indptr[user + 1] - seen_indptr[user]) + len(again)
        for pair in range(first, last):
            if not are_alone:
                relevant_above[pair], relevant_tied[pair] = compare(
                    scores[first:last], scores[pair]
                )
            n_candidates[pair] = candidates
            if len(again):
                more, equal = compare(again, scores[pair])
                above[pair] += more
                tied[pair] += equal


def seen_arrays(seen: Ratings | None, n_users: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Row pointers and items of what is left out; nothing where every item is a candidate."""
    if seen is None:
        return np.zeros(n_users + 1, np.int64), np.zeros(0, np.int32)
    return seen.indptr, seen.items


def rank_counts(
    model: FactorModel,
    targets: Ratings,
    relevant_only: bool = True,
    seen: Ratings | None = None,
    threads: int = 1,
) -> RankCounts:
    """Rank the (relevant) targets of each user among all items but those that were seen.

    `seen` None makes every item a candidate. The user's other held-out items are candidates.
    """
    [counts] = rank_sets(model, [targets], relevant_only, seen, threads)
    return counts


def rank_sets(
    model: FactorModel,
    sets: Sequence[Ratings],
    relevant_only: bool = True,
    seen: Ratings | None = None,
    threads: int = 1,
) -> list[RankCounts]:
    """As `rank_counts`, for several sets of targets: each user's items are scored once for all."""
    if not sets:
        return []
    if relevant_only:
        sets = [part if part.relevant.all() else part.select(part.relevant) for part in sets]
    scorer = item_scores(model)
    seen_indptr, seen_items = seen_arrays(seen, model.n_users)
    indptr, items, places = _side_by_side(sets)
    users = np.flatnonzero(np.diff(indptr))
    scorer.check(users)
    scores = np.empty(len(items), np.float32)
    hidden = np.empty(len(items), np.bool_)
    counted = [np.empty(len(items), np.int32) for _ in range(4)]
    needed = np.zeros(model.n_users, np.int64)

    def score(first: int, last: int) -> None:
        given = (scorer.user_vectors, scorer.user_lengths, scorer.table)
        bounds = (scorer.longest, scorer.highest_bias)
        score_targets(users[first:last], *given, *bounds, indptr, items, scores, needed)

    for_blocks(score, len(users), threads, _USERS)
    users = users[np.argsort(-needed[users], kind="stable")]

    def count(first: int, last: int) -> None:
        count_above(
            users[first:last],
            scorer.user_vectors,
            scorer.panels,
            needed,
            scorer.columns,
            indptr,
            items,
            seen_indptr,
            seen_items,
            scores,
            hidden,
            *counted,
        )

    for_blocks(count, len(users), threads, scorer.rows_per_block)
    found = []
    for part, place in zip(sets, places, strict=True):
        counts = [*(count[place] for count in counted), np.empty(len(part.items), np.int32)]
        ranked = (scores[place], hidden[place], *counts)
        given = (len(sets) == 1, part.indptr, model.n_items, seen_indptr, *ranked)
        for_blocks(partial(_compare, given), model.n_users, threads, _USERS)
        found.append(_gathered(part, counts))
    return found


def _compare(given: tuple, first: int, last: int) -> None:
    compare_targets(first, last, *given)


def _side_by_side(
    sets: Sequence[Ratings],
) -> tuple[NDArray[np.int64], NDArray[np.int32], list[NDArray[np.int64] | slice]]:
    """The items of all sets, user by user, and where those of each set are."""
    if len(sets) == 1:
        return sets[0].indptr, sets[0].items, [slice(None)]
    indptr = np.sum([part.indptr for part in sets], axis=0)
    items = np.empty(indptr[-1], np.int32)
    places: list[NDArray[np.int64] | slice] = []
    starts = indptr[:-1].copy()
    for part in sets:
        place = np.arange(len(part.items)) + (starts - part.indptr[:-1])[part.users]
        items[place] = part.items
        places.append(place)
        starts += np.diff(part.indptr)
    return indptr, items, places


def _gathered(targets: Ratings, counts: list[NDArray[np.int32]]) -> RankCounts:
    above, tied, relevant_above, relevant_tied, n_candidates = counts
    return RankCounts(
        targets.users,
        targets.items,
        above,
        tied,
        relevant_above,
        relevant_tied,
        np.diff(targets.indptr).astype(np.int32)[targets.users],
        n_candidates,
        targets.n_users,
        targets.n_items,
    )
