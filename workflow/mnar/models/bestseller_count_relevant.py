"""Bestseller list 3 of steck2010: items by the number of their relevant ratings."""

import numpy as np

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._bestseller import fold_in, same_for_all

__all__ = ["fit", "fold_in"]


def fit(train: Ratings, settings: dict, seed: int, threads: int) -> FactorModel:
    return same_for_all(train, np.bincount(train.items[train.relevant], minlength=train.n_items))
