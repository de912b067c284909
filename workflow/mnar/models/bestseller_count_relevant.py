"""Bestseller list 3 of steck2010: items by the number of their relevant ratings."""

import numpy as np

from mnar.core.palette import LIGHT
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._bestseller import fold_in, same_for_all

__all__ = ["ABOUT", "fit", "fold_in"]

ABOUT = About(
    label="bestsellers (relevant)",
    description="Items by the number of their relevant ratings, the same list for every user.",
    colour=LIGHT,
    marker="*",
    family="bestseller lists",
    settings=(),
)


def fit(train: Ratings, settings: dict, seed: int, threads: int) -> FactorModel:
    return same_for_all(train, np.bincount(train.items[train.relevant], minlength=train.n_items))
