"""Observed ratings as a sparse users × items matrix, on which every method is trained."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.ids import Ids


@dataclass(frozen=True)
class Ratings:
    """Observed entries, sorted by user, then item (CSR: row u is indptr[u] to indptr[u + 1])."""

    indptr: NDArray[np.int64]
    items: NDArray[np.int32]
    values: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    n_items: int
    # The taxonomy, if the dataset has one: column l is the item's ancestor of level l, -1 for none.
    parents: NDArray[np.int32] | None = None
    # When each entry was rated, in seconds, where that is known.
    times: NDArray[np.int64] | None = None
    # What rows and columns are called in the data, where a method may ask for it.
    ids: Ids | None = None

    @classmethod
    def from_triplets(
        cls,
        users: NDArray[np.integer],
        items: NDArray[np.integer],
        values: NDArray[np.floating],
        relevant: NDArray[np.bool_],
        shape: tuple[int, int],
        parents: NDArray[np.int32] | None = None,
        times: NDArray[np.int64] | None = None,
    ) -> "Ratings":
        """Takes entries in any order; no (user, item) pair may occur twice."""
        if not _in_order(users, items):
            order = np.lexsort((items, users))
            users, items, values, relevant = (
                users[order],
                items[order],
                values[order],
                relevant[order],
            )
            times = None if times is None else times[order]
        indptr = np.zeros(shape[0] + 1, np.int64)
        np.cumsum(np.bincount(users, minlength=shape[0]), out=indptr[1:])
        return cls(
            indptr,
            items.astype(np.int32, copy=False),
            values.astype(np.float32, copy=False),
            relevant.astype(np.bool_, copy=False),
            shape[1],
            parents,
            times,
        )

    @property
    def n_users(self) -> int:
        return len(self.indptr) - 1

    @cached_property
    def users(self) -> NDArray[np.int32]:
        """The user of each entry."""
        return np.repeat(np.arange(self.n_users, dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def by_item(self) -> "Ratings":
        """The transpose: rows are items, `items` are users; times are left behind."""
        # Imported here, so that jobs without a transpose do not load numba.
        from mnar.kernels.transposition import transpose

        indptr, users, values, relevant = transpose(
            self.indptr, self.items, self.values, self.relevant, self.n_items
        )
        return Ratings(indptr, users, values, relevant, self.n_users)

    def select(self, keep: NDArray[np.bool_]) -> "Ratings":
        """The entries where `keep` is true, in the same shape."""
        indptr = np.zeros_like(self.indptr)
        np.cumsum(np.bincount(self.users[keep], minlength=self.n_users), out=indptr[1:])
        return self._entries(keep, indptr)

    def of_users(self, users: NDArray[np.integer]) -> "Ratings":
        """The rows of some users, in rising order and renumbered from 0."""
        wanted = np.zeros(self.n_users, np.bool_)
        wanted[users] = True
        keep = wanted[self.users]
        indptr = np.zeros(len(users) + 1, np.int64)
        np.cumsum(np.diff(self.indptr)[wanted], out=indptr[1:])
        ids = None if self.ids is None else replace(self.ids, rows=np.flatnonzero(wanted))
        return replace(self._entries(keep, indptr), ids=ids)

    def _entries(self, keep: NDArray[np.bool_], indptr: NDArray[np.int64]) -> "Ratings":
        return replace(
            self,
            indptr=indptr,
            items=self.items[keep],
            values=self.values[keep],
            relevant=self.relevant[keep],
            times=None if self.times is None else self.times[keep],
        )


def _in_order(users: NDArray[np.integer], items: NDArray[np.integer]) -> bool:
    """Whether entries are already sorted by user, then item, as a view's are."""
    later = users[1:] > users[:-1]
    later |= (users[1:] == users[:-1]) & (items[1:] > items[:-1])
    return bool(later.all())
