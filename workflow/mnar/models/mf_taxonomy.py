"""Biased factorisation with parameters shared along the taxonomy (kddcup2011, Track 1).

Bias and vector of an item are the sum of its own part and of those of its ancestors; an item that
is an ancestor itself (an album can be rated, too) has the part that its descendants have of it.
Every part has the penalty λ times the number of ratings it takes part in.
Settings: factors, lambda; where wanted sweeps.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.errors import UserError
from mnar.factor_model import FactorModel
from mnar.models._als import Floats, width
from mnar.models._biased import fit_biased, fold_in
from mnar.ratings import Ratings

__all__ = ["fit", "fold_in"]


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    if train.parents is None:
        raise UserError(
            "Method mf-taxonomy needs a dataset with a taxonomy, and this one has none; "
            "use mf-biased."
        )
    counts = np.bincount(train.items, minlength=train.n_items)
    length = width(1 + settings["factors"])
    levels = [Level(column, counts, length) for column in train.parents.T]
    return fit_biased(train, settings, seed, threads, partial(share, levels))


def share(levels: list["Level"], items: Floats) -> Floats:
    """The sum of its ancestors' parts for each item, after one round over the levels.

    The parts of each level in turn become those with the least penalty, given the items.
    """
    total = np.zeros_like(items)
    for level in levels:
        total += level.parts_of_items()
    for level in levels:
        total -= level.parts_of_items()
        level.minimise(items - total)
        total += level.parts_of_items()
    return total


class Level:
    """The ancestors on one level: which of them each item belongs to, and their parts."""

    def __init__(
        self, parents: NDArray[np.int32], counts: NDArray[np.integer], length: int
    ) -> None:
        itself = np.arange(len(parents), dtype=parents.dtype)
        shared = (parents < 0) & np.isin(itself, parents)
        parents = np.where(shared, itself, parents)
        self.members = np.flatnonzero(parents >= 0)
        self.members = self.members[np.argsort(parents[self.members], kind="stable")]
        _, self.first, self.node = np.unique(
            parents[self.members], return_index=True, return_inverse=True
        )
        self.counts = counts[self.members].astype(np.float32)[:, None]
        self.parts = np.zeros((len(self.first), length), np.float32)
        self.shape = (len(parents), length)

    def parts_of_items(self) -> Floats:
        parts = np.zeros(self.shape, np.float32)
        parts[self.members] = self.parts[self.node]
        return parts

    def minimise(self, items: Floats) -> None:
        """Least penalty of these parts and of what each item is beyond its ancestor's.

        The parts a solve Σ_i n_i ‖item_i − a‖² + (Σ_i n_i) ‖a‖² → min, i the items below.
        """
        if not len(self.members):
            return
        weights = np.add.reduceat(self.counts, self.first)
        sums = np.add.reduceat(self.counts * items[self.members], self.first)
        self.parts = sums / (2 * np.maximum(weights, 1))
