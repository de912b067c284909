"""The items that are ranked, of all sets side by side, and the counts of each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Targets:
    """User u has the targets items[indptr[u] : indptr[u + 1]]; the other arrays are filled later."""

    indptr: NDArray[np.int64]
    items: NDArray[np.int32]
    scores: NDArray[np.float32]
    # Seen, and so not counted among the candidates (compare_targets adds those of the same set).
    hidden: NDArray[np.bool_]
    # Above and tied among the unseen items, then above and tied among the user's targets.
    counts: tuple[NDArray[np.int32], ...]

    @classmethod
    def of(cls, indptr: NDArray[np.int64], items: NDArray[np.int32]) -> "Targets":
        size = len(items)
        counts = tuple(np.empty(size, np.int32) for _ in range(4))
        return cls(indptr, items, np.empty(size, np.float32), np.empty(size, np.bool_), counts)

    @property
    def users(self) -> NDArray[np.int64]:
        """The users that have any target."""
        return np.flatnonzero(np.diff(self.indptr))
