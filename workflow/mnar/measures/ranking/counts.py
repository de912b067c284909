"""The counts that ranking measures are made of, and the comparison that they are made by."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings


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

    def part(self, some: slice) -> "RankCounts":
        """The counts of some pairs."""
        return RankCounts(
            self.user[some],
            self.item[some],
            self.above[some],
            self.tied[some],
            self.relevant_above[some],
            self.relevant_tied[some],
            self.n_relevant[some],
            self.n_candidates[some],
            self.n_users,
            self.n_items,
        )


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


def seen_arrays(seen: Ratings | None, n_users: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Row pointers and items that are left out; nothing where every item is a candidate."""
    if seen is None:
        return np.zeros(n_users + 1, np.int64), np.zeros(0, np.int32)
    return seen.indptr, seen.items
