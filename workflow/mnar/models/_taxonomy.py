"""Parameters of items shared along the taxonomy (kddcup2011 section 5, item 2).

The vector of an item (and its bias where there is one) is the sum of its own part and of those of
its ancestors; an item that is an ancestor itself (an album can be rated, too) has
the part that its descendants have of it. Every part has the penalty λ times the number of entries
it takes part in.
"""

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.matrices.ratings import Ratings
from mnar.models._als import Floats, width


def levels_of(train: Ratings, numbers: int, method: str, otherwise: str) -> list["Level"]:
    """The levels of the taxonomy; `numbers` is the length of the parts shared along them."""
    if train.parents is None:
        raise UserError(
            f"Method {method} needs a dataset with a taxonomy, and this one has none; "
            f"use {otherwise}."
        )
    return [Level(column, width(numbers)) for column in train.parents.T]


def share(levels: list["Level"], items: Floats, counts: NDArray[np.integer]) -> Floats:
    """The sum of its ancestors' parts for each item, after one round over the levels.

    The parts of each level in turn become those with the least penalty, given the items and how
    many entries each of them has.
    """
    total = np.zeros_like(items)
    for level in levels:
        total += level.parts_of_items()
    for level in levels:
        total -= level.parts_of_items()
        level.minimise(items - total, counts)
        total += level.parts_of_items()
    return total


class Level:
    """The ancestors on one level: which of them each item belongs to, and their parts."""

    def __init__(self, parents: NDArray[np.int32], length: int) -> None:
        itself = np.arange(len(parents), dtype=parents.dtype)
        shared = (parents < 0) & np.isin(itself, parents)
        parents = np.where(shared, itself, parents)
        self.members = np.flatnonzero(parents >= 0)
        self.members = self.members[np.argsort(parents[self.members], kind="stable")]
        _, self.first, self.node = np.unique(
            parents[self.members], return_index=True, return_inverse=True
        )
        self.parts = np.zeros((len(self.first), length), np.float32)
        self.shape = (len(parents), length)

    def parts_of_items(self) -> Floats:
        parts = np.zeros(self.shape, np.float32)
        parts[self.members] = self.parts[self.node]
        return parts

    def minimise(self, items: Floats, counts: NDArray[np.integer]) -> None:
        """Least penalty of these parts and of what each item is beyond its ancestor's.

        The parts a solve Σ_i n_i ‖item_i − a‖² + (Σ_i n_i) ‖a‖² → min, i the items below.
        """
        if not len(self.members):
            return
        own = counts[self.members].astype(np.float32)[:, None]
        weights = np.add.reduceat(own, self.first)
        sums = np.add.reduceat(own * items[self.members], self.first)
        self.parts = sums / (2 * np.maximum(weights, 1))
