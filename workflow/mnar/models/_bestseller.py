"""Lists that are the same for every user (steck2010 6.1): one score for each item."""

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings


def same_for_all(train: Ratings, scores: NDArray[np.number]) -> FactorModel:
    return FactorModel(
        np.zeros((train.n_users, 0), np.float32),
        np.zeros((train.n_items, 0), np.float32),
        scores.astype(np.float32),
        np.zeros(train.n_users, np.float32),
    )


def fold_in(model: FactorModel, ratings: Ratings, settings: dict, threads: int) -> FactorModel:
    """A new user gets the same list."""
    return same_for_all(ratings, model.item_bias)
