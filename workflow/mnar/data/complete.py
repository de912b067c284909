"""The complete ratings of a generated dataset, for users that a fold evaluates."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mnar.core.files import read_arrays, write_arrays
from mnar.core.seeds import generator
from mnar.matrices.ratings import Ratings

# Ratings that are written at most, and users that are scored at most in a fold: enough for
# differences of 0.1 points between models, which are scored on the same users.
MOST_CELLS = 1 << 26
MOST_USERS = 1000


@dataclass(frozen=True)
class Complete:
    """What some users of a view would say of all its items: relevant[user, item]."""

    users: NDArray[np.int32]
    relevant: NDArray[np.bool_]

    def matrix(self, seen: Ratings, evaluated: NDArray[np.integer], *seed: object) -> Ratings:
        """All pairs of evaluated users, except those that the model has seen."""
        rows = np.flatnonzero(np.isin(self.users, evaluated))
        if len(rows) > MOST_USERS:
            rows = np.sort(generator(*seed, "complete").choice(rows, MOST_USERS, replace=False))
        users = self.users[rows]
        unseen = np.ones((len(rows), seen.n_items), np.bool_)
        row_of = np.full(seen.n_users, -1)
        row_of[users] = np.arange(len(rows))
        mine = row_of[seen.users] >= 0
        unseen[row_of[seen.users[mine]], seen.items[mine]] = False
        row, item = np.nonzero(unseen)
        relevant = self.relevant[rows][row, item]
        shape = (seen.n_users, seen.n_items)
        return Ratings.from_triplets(users[row], item, relevant.astype(np.float32), relevant, shape)

    def save(self, path: str | Path) -> None:
        write_arrays(path, vars(self))

    @classmethod
    def load(cls, path: str | Path) -> "Complete":
        return cls(**read_arrays(path))
