"""Observe some of each user's relevant items, and average the measures over them.

The rank of an item does not depend on the observed items, since every item is a candidate. So items
are ranked once, and a repetition only draws which of them count.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.measures import pair_values
from mnar.measures.average_precision import expect_precision
from mnar.measures.ranking import rank_counts
from mnar.simulations.theorems._sampling_kernels import (
    average_observed,
    mark_smallest,
    shuffle_positions,
)

Values = NDArray[np.float64]
Counts = NDArray[np.int64]
Places = NDArray[np.int32]

# A mean over the observed items of a value that each item has by itself.
LINEAR = (
    "adg",
    "atop",
    "recall@10",
    "topk(0)",
    "topk(0.002)",
    "topk(0.02)",
    "topk(0.1)",
)
# These depend also on how many items are observed, or on which.
OTHERS = ("auc_aman", "ndcg", "map")
MEASURES = (*LINEAR, *OTHERS)


@dataclass(frozen=True)
class RankedItems:
    """Relevant items of the users that have any, in the order of their ranks in each user."""

    indptr: Counts
    # The user and the position of each item in the ratings' own order.
    user: NDArray[np.int32]
    entry: Counts
    above: NDArray[np.int32]
    # What average_observed needs for precision, and the values that it averages.
    alone: Values
    together: Values
    values: Values
    n_candidates: int

    @classmethod
    def of(cls, model: FactorModel, ratings: Ratings) -> "RankedItems":
        counts = rank_counts(model, ratings)
        order = np.lexsort((counts.above, counts.user))
        values = np.stack([pair_values(counts, name) for name in LINEAR], axis=1)
        none, one = np.zeros_like(counts.above), np.ones_like(counts.above)
        alone = expect_precision(counts.above, counts.tied, none, one)
        # One more of the same score adds a fixed amount, which a pair of them shows.
        together = expect_precision(counts.above, counts.tied, none, one + one) - alone
        return cls(
            np.append(0, np.cumsum(np.unique(counts.user, return_counts=True)[1])),
            counts.user[order],
            np.flatnonzero(ratings.relevant)[order],
            counts.above[order],
            alone[order],
            together[order],
            np.ascontiguousarray(values[order]),
            counts.n_items,
        )

    @property
    def n_users(self) -> int:
        return len(self.indptr) - 1

    @cached_property
    def sizes(self) -> Counts:
        """|P|, the number of each user's relevant items."""
        return np.diff(self.indptr)

    def observed_sizes(self, shares: list[float]) -> Counts:
        """|O| for each user and share: max(1, round(share · |P|)), so that nobody drops out."""
        sizes = np.floor(np.outer(self.sizes, shares) + 0.5).astype(np.int64)
        return np.maximum(1, sizes)

    def at_random(self, random: np.random.Generator) -> Places:
        """The order in which each user would observe the items, all orders as likely."""
        positions = np.empty(len(self.user), np.int32)
        shuffle_positions(self.indptr, random.random(len(self.user)), positions)
        return positions

    def by_weight(self, random: np.random.Generator, weights: Values, sizes: Counts) -> Places:
        """Places of a number of items of each user, drawn one after the other in proportion to weights.

        The smallest of exponential numbers, each divided by its weight, are such a draw.
        """
        positions = np.empty(len(self.user), np.int32)
        keys = random.standard_exponential(len(self.user)) / weights
        mark_smallest(self.indptr, keys, sizes, positions)
        return positions

    def observe(self, positions: Places, sizes: Counts) -> Values:
        """MEASURES (last axis) for each user and size, on the items with positions below the size."""
        means = np.empty((*sizes.shape, len(LINEAR) + 1))
        average_observed(
            self.indptr,
            positions,
            sizes,
            self.above,
            self.alone,
            self.together,
            self.values,
            means,
        )
        return self._with_others(means, sizes)

    @cached_property
    def complete(self) -> Values:
        """MEASURES (last axis) of each user on all relevant items."""
        return self.observe(np.zeros(len(self.user), np.int32), self.sizes[:, np.newaxis])[:, 0]

    def expected(self, sizes: Counts) -> Values:
        """What MEASURES come to in expectation if all sets of such a size are as likely.

        Means of items keep theirs. Precision grows with the observed items ranked higher, of which
        (|O| − 1)/(|P| − 1) are observed beside an observed one.
        """
        all_of = self.complete[:, np.newaxis, : len(LINEAR)]
        means = np.empty((*sizes.shape, len(LINEAR) + 1))
        means[:, :, :-1] = all_of
        precision = self.complete[:, [-1]]
        single = np.add.reduceat(self.alone, self.indptr[:-1])[:, np.newaxis]
        single = single / self.sizes[:, np.newaxis]
        beside = (sizes - 1) / np.maximum(1, self.sizes - 1)[:, np.newaxis]
        means[:, :, -1] = single + beside * (precision - single)
        return self._with_others(means, sizes)

    def _with_others(self, means: Values, sizes: Counts) -> Values:
        """Add AUC, which follows from ATOP (steck2010 section 2.4), and NDCG, from ADG."""
        adg, atop = means[:, :, LINEAR.index("adg")], means[:, :, LINEAR.index("atop")]
        negatives = self.n_candidates - sizes
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (sizes - 1) / negatives
        auc = (1 + ratio) * atop - ratio / 2
        ndcg = adg * sizes / ideal_gain(self.n_candidates)[sizes]
        others = np.stack([auc, ndcg, means[:, :, -1]], axis=2)
        return np.concatenate([means[:, :, :-1], others], axis=2)


def ideal_gain(longest: int) -> Values:
    """IDCG(n) for n from 0 to the longest list (docs/measures.md)."""
    return np.append(0, np.cumsum(1 / np.log2(np.arange(longest) + 2)))
