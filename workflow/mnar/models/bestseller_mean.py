"""Bestseller list 1 of steck2010: items by the mean of their observed ratings.

An item without ratings gets the mean of all ratings: the list also predicts ratings, and nothing
else is known of such an item. So it stands in the middle of the list, not at either end.
"""

import numpy as np

from mnar.core.palette import DARK
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._bestseller import fold_in, same_for_all

__all__ = ["ABOUT", "fit", "fold_in"]

ABOUT = About(
    label="bestsellers (mean)",
    description="Items by the mean of their ratings, the same list for every user.",
    colour=DARK,
    marker="<",
    family="bestseller lists",
    settings=(),
    predicts_ratings=True,
)


def fit(train: Ratings, settings: dict, seed: int, threads: int) -> FactorModel:
    counts = np.bincount(train.items, minlength=train.n_items)
    sums = np.bincount(train.items, train.values, train.n_items)
    overall = train.values.mean(dtype=np.float64) if len(train.values) else 0.0
    means = np.full(train.n_items, overall)
    np.divide(sums, counts, out=means, where=counts > 0)
    return same_for_all(train, means)
