"""A dataset as one experiment sees it: integer ids, relevance, kept rows (docs/datasets.md)."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.files import read_arrays, stored_lengths, write_arrays
from mnar.matrices.ratings import Ratings


@dataclass(frozen=True)
class Entries:
    """Rated (user, item) pairs by index, sorted by user, then item; time is -1 where unknown."""

    user: NDArray[np.int32]
    item: NDArray[np.int32]
    rating: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    time: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.user)

    @property
    def timed(self) -> bool:
        """Whether it is known of every entry when it was rated."""
        return len(self.time) > 0 and int(self.time.min()) >= 0


@dataclass(frozen=True)
class View:
    """User-selected ratings, randomly selected ratings (often none), and the ids of the indices."""

    user_ids: NDArray
    item_ids: NDArray
    ratings: Entries
    random: Entries
    # Ancestors of each item per taxonomy level, finest first (-1: none); without a taxonomy there
    # are no columns. An ancestor that is an item has its index; the others are numbered after them.
    parents: NDArray[np.int32]
    facts: dict[str, Any] = field(default_factory=dict)
    # Official part of each rating, where there is one (mnar.data.parts).
    part: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.user_ids), len(self.item_ids)

    def matrix(self, keep: NDArray[np.bool_] | None = None) -> Ratings:
        """The kept user-selected ratings as a sparse matrix."""
        return self._matrix(self.ratings, keep)

    def random_matrix(self, keep: NDArray[np.bool_] | None = None) -> Ratings:
        """The kept randomly selected ratings as a sparse matrix."""
        return self._matrix(self.random, keep)

    def _matrix(self, entries: Entries, keep: NDArray[np.bool_] | None) -> Ratings:
        chosen = slice(None) if keep is None else keep
        return Ratings.from_triplets(
            entries.user[chosen],
            entries.item[chosen],
            entries.rating[chosen],
            entries.relevant[chosen],
            self.shape,
            self.parents if self.parents.shape[1] else None,
            entries.time[chosen] if entries.timed else None,
        )

    def save(self, path: str | Path) -> None:
        arrays: dict[str, Any] = {
            "user_ids": self.user_ids,
            "item_ids": self.item_ids,
            "parents": self.parents,
            "part": self.part,
            "facts": np.array(json.dumps(self.facts, sort_keys=True)),
        }
        for part in ("ratings", "random"):
            for name, column in vars(getattr(self, part)).items():
                arrays[f"{part}.{name}"] = column
        write_arrays(path, arrays, named=True)

    @staticmethod
    def stored_shape(path: str | Path) -> tuple[int, int]:
        """Users and items of a saved view, without reading the rest of it."""
        users, items = stored_lengths(path, "user_ids", "item_ids")
        return users, items

    @classmethod
    def load(cls, path: str | Path) -> "View":
        arrays = read_arrays(path)
        parts = {}
        for part in ("ratings", "random"):
            names = Entries.__dataclass_fields__
            parts[part] = Entries(**{name: arrays[f"{part}.{name}"] for name in names})
        return cls(
            arrays["user_ids"],
            arrays["item_ids"],
            parts["ratings"],
            parts["random"],
            arrays["parents"],
            json.loads(str(arrays["facts"])),
            arrays["part"],
        )
