"""Bestseller list 2 of steck2010: items by the number of their ratings, of any value."""

import numpy as np

from mnar.core.palette import GREY
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._bestseller import fold_in, same_for_all

__all__ = ["ABOUT", "fit", "fold_in"]

ABOUT = About(
    label="bestsellers (count)",
    description="Items by the number of their ratings, the same list for every user.",
    colour=GREY,
    marker=">",
    family="bestseller lists",
    settings=(),
)


def fit(train: Ratings, settings: dict, seed: int, threads: int) -> FactorModel:
    return same_for_all(train, np.bincount(train.items, minlength=train.n_items))
