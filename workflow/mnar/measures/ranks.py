"""Where the held-out items of each user stand among all candidates.

These few counts are all that ranking measures need, with or without ties.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mnar.factor_model import FactorModel
from mnar.measures.scores import item_scores
from mnar.parallel import for_blocks
from mnar.ratings import Ratings


@dataclass(frozen=True)
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
def leave_out(scores, items):
    """Put some items below all others."""
    for entry in range(len(items)):
        scores[items[entry]] = -np.inf


@njit(cache=True, nogil=True)
def count_ranks(
    scores,
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
    """Rank each target as in steck2010 section 2.1; spoils the scores of seen items."""
    for row in range(len(users)):
        line = scores[row]
        first, last = indptr[users[row]], indptr[users[row] + 1]
        targets = np.empty(last - first, np.float32)
        for pair in range(first, last):
            targets[pair - first] = line[items[pair]]
        left_out = seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]]
        leave_out(line, left_out)
        candidates = len(line) - len(left_out)
        # A target is a candidate, seen or not.
        for pair in range(first, last):
            candidates += line[items[pair]] == -np.inf
            line[items[pair]] = targets[pair - first]
        for pair in range(first, last):
            above[pair], tied[pair] = compare(line, line[items[pair]])
            relevant_above[pair], relevant_tied[pair] = compare(targets, line[items[pair]])
            n_candidates[pair] = candidates


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
    if relevant_only and not targets.relevant.all():
        targets = targets.select(targets.relevant)
    scorer = item_scores(model)
    n_pairs = len(targets.items)
    n_relevant = np.diff(targets.indptr)
    users = np.flatnonzero(n_relevant)
    counts = [np.empty(n_pairs, np.int32) for _ in range(5)]
    left_out = seen_arrays(seen, targets.n_users)

    def count(first: int, last: int) -> None:
        block = users[first:last]
        count_ranks(scorer(block), block, targets.indptr, targets.items, *left_out, *counts)

    for_blocks(count, len(users), threads, scorer.rows_per_block)
    above, tied, relevant_above, relevant_tied, n_candidates = counts
    return RankCounts(
        targets.users,
        targets.items,
        above,
        tied,
        relevant_above,
        relevant_tied,
        n_relevant[targets.users].astype(np.int32),
        n_candidates,
        targets.n_users,
        targets.n_items,
    )
