"""Where the held-out items of each user stand among all candidates.

These few counts are all that ranking measures need, with or without ties.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mnar.compiled import njit
from mnar.factor_model import FactorModel
from mnar.measures._blocks import BLOCK, count_blocks, find_tops
from mnar.measures.scores import item_scores
from mnar.parallel import for_blocks
from mnar.ratings import Ratings


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
def compare_blocks(scores, tops, score, blocks):
    """As `compare`, in the blocks alone that have scores so high; `blocks` is for their numbers."""
    count = 0
    for block in range(len(tops)):
        blocks[count] = block
        count += tops[block] >= score
    above, tied = count_blocks(scores, score, blocks, count)
    more, equal = compare(scores[len(tops) * BLOCK :], score)
    return above + more, tied + equal


@njit(cache=True, nogil=True)
def leave_out(scores, columns, items):
    """Put some items below all others; what they had is returned."""
    before = np.empty(len(items), np.float32)
    for entry in range(len(items)):
        before[entry] = scores[columns[items[entry]]]
        scores[columns[items[entry]]] = -np.inf
    return before


@njit(cache=True, nogil=True)
def count_ranks(
    scores,
    columns,
    users,
    indptr,
    items,
    seen_indptr,
    seen_items,
    above,
    tied,
    relevant_above,
    relevant_tied,
    n_candidates,
):
    """Rank each target as in steck2010 section 2.1; item i has the column columns[i] of scores."""
    tops = np.empty(len(columns) // BLOCK, np.float32)
    blocks = np.empty(len(tops) + 1, np.int64)
    for row in range(len(users)):
        line = scores[row]
        first, last = indptr[users[row]], indptr[users[row] + 1]
        if first == last:
            continue
        targets = np.empty(last - first, np.float32)
        for pair in range(first, last):
            targets[pair - first] = line[columns[items[pair]]]
        left_out = seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]]
        before = leave_out(line, columns, left_out)
        candidates = len(line) - len(left_out)
        # A target is a candidate, seen or not.
        for pair in range(first, last):
            candidates += line[columns[items[pair]]] == -np.inf
            line[columns[items[pair]]] = targets[pair - first]
        find_tops(line, tops)
        for pair in range(first, last):
            score = targets[pair - first]
            above[pair], tied[pair] = compare_blocks(line, tops, score, blocks)
            relevant_above[pair], relevant_tied[pair] = compare(targets, score)
            n_candidates[pair] = candidates
        # As it was, for the next set of targets.
        for entry in range(len(left_out)):
            line[columns[left_out[entry]]] = before[entry]


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
    users = np.flatnonzero(sum(np.diff(part.indptr) for part in sets))
    counts = [[np.empty(len(part.items), np.int32) for _ in range(5)] for part in sets]
    left_out = seen_arrays(seen, model.n_users)

    def count(first: int, last: int) -> None:
        block = users[first:last]
        scores = scorer(block)
        for part, found in zip(sets, counts, strict=True):
            count_ranks(scores, scorer.columns, block, part.indptr, part.items, *left_out, *found)

    for_blocks(count, len(users), threads, scorer.rows_per_block)
    return [_gathered(part, found) for part, found in zip(sets, counts, strict=True)]


def _gathered(targets: Ratings, counts: list[NDArray[np.int32]]) -> RankCounts:
    above, tied, relevant_above, relevant_tied, n_candidates = counts
    return RankCounts(
        targets.users,
        targets.items,
        above,
        tied,
        relevant_above,
        relevant_tied,
        np.diff(targets.indptr)[targets.users].astype(np.int32),
        n_candidates,
        targets.n_users,
        targets.n_items,
    )
