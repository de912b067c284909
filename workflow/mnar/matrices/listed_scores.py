"""Scores of some pairs: lists of the best items of each user, or all pairs, in any precision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class ListedScores:
    """User u lists items[indptr[u] : indptr[u + 1]], which rise; what is not listed stands below, tied.

    `values` are the scores as given. `ranks` number the different scores of each user from 0 up: in
    single precision close scores would become ties.
    """

    indptr: NDArray[np.int64]
    items: NDArray[np.int32]
    values: NDArray[np.float64]
    ranks: NDArray[np.float32]
    n_items: int

    @classmethod
    def of(
        cls, users: Indices, items: Indices, values: NDArray[np.float64], shape: tuple[int, int]
    ) -> "ListedScores":
        """Of pairs in any order, none of them twice."""
        by_score = np.lexsort((values, users))
        mine, score = users[by_score], values[by_score]
        first_of_user = np.append(True, mine[1:] != mine[:-1])[: len(mine)]
        higher = ~first_of_user & np.append(False, score[1:] != score[:-1])[: len(mine)]
        steps = np.cumsum(higher)
        starts = np.flatnonzero(first_of_user)
        sizes = np.diff(np.append(starts, len(mine)))
        ranks = np.empty(len(mine), np.float32)
        ranks[by_score] = steps - np.repeat(steps[starts], sizes)
        order = np.lexsort((items, users))
        indptr = np.zeros(shape[0] + 1, np.int64)
        np.cumsum(np.bincount(users, minlength=shape[0]), out=indptr[1:])
        return cls(indptr, items[order].astype(np.int32), values[order], ranks[order], shape[1])

    @property
    def n_users(self) -> int:
        return len(self.indptr) - 1

    def scores(self, users: Indices) -> NDArray[np.float32]:
        """Places, which stand in the order of the scores; minus infinity where nothing is listed."""
        found = np.full((len(users), self.n_items), -np.inf, np.float32)
        for row, user in enumerate(users):
            mine = slice(self.indptr[user], self.indptr[user + 1])
            found[row, self.items[mine]] = self.ranks[mine]
        return found

    def predict(self, users: Indices, items: Indices) -> NDArray[np.float64]:
        """The scores as given; NaN where a pair is not listed."""
        owners = np.repeat(np.arange(self.n_users), np.diff(self.indptr))
        keys = owners * self.n_items + self.items
        wanted = np.asarray(users, np.int64) * self.n_items + items
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        if not len(keys):
            return np.full(len(wanted), np.nan)
        return np.where(keys[at] == wanted, self.values[at], np.nan)

    def lists(self, users: Indices, items: Indices) -> bool:
        """Whether all of these pairs have a score."""
        return not np.isnan(self.predict(users, items)).any()

    def of_users(self, users: Indices) -> "ListedScores":
        """The rows of some users, in this order."""
        sizes = np.diff(self.indptr)[users]
        indptr = np.append(0, np.cumsum(sizes))
        at = np.repeat(self.indptr[:-1][users] - indptr[:-1], sizes) + np.arange(indptr[-1])
        return ListedScores(indptr, self.items[at], self.values[at], self.ranks[at], self.n_items)
