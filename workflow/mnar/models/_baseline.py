"""What a rating is before taste comes in: mean + user bias + item bias, by penalised least squares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.ratings import Ratings

# A bias is drawn to zero as if by this many ratings of the mean.
PENALTY = 10.0
SWEEPS = 10


@dataclass(frozen=True, eq=False)
class Baseline:
    mean: float
    user_bias: NDArray[np.float64]
    item_bias: NDArray[np.float64]

    def of(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray[np.float64]:
        return self.mean + self.user_bias[users] + self.item_bias[items]

    def residuals(self, ratings: Ratings) -> NDArray[np.float64]:
        return ratings.values - self.of(ratings.users, ratings.items)


def fit_baseline(train: Ratings) -> Baseline:
    """Biases of users and items in turn, each the shrunken mean of what the other leaves over."""
    mean = float(train.values.mean(dtype=np.float64)) if len(train.values) else 0.0
    left = train.values.astype(np.float64) - mean
    item_bias = np.zeros(train.n_items)
    user_bias = np.zeros(train.n_users)
    for _ in range(SWEEPS):
        item_bias = _shrunken_means(train.items, left - user_bias[train.users], train.n_items)
        user_bias = _shrunken_means(train.users, left - item_bias[train.items], train.n_users)
    return Baseline(mean, user_bias, item_bias)


def user_biases(baseline: Baseline, ratings: Ratings) -> Baseline:
    """The users of `ratings`, with the items held fixed."""
    left = ratings.values - baseline.mean - baseline.item_bias[ratings.items]
    bias = _shrunken_means(ratings.users, left, ratings.n_users)
    return Baseline(baseline.mean, bias, baseline.item_bias)


def _shrunken_means(
    rows: NDArray[np.integer], left: NDArray[np.float64], n_rows: int
) -> NDArray[np.float64]:
    return np.bincount(rows, left, n_rows) / (np.bincount(rows, minlength=n_rows) + PENALTY)
