"""Weighted means of gains for many systems at once, with bootstrap samples over users."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import one_blas_thread
from mnar.estimators.weights import Weights
from mnar.statistics.bootstrap import resampled_sums

Floats = NDArray[np.float64]

# Bootstrap samples that are multiplied at a time.
_ROWS = 64


@dataclass(frozen=True, eq=False)
class Means:
    """One value for each system, and one for each system and bootstrap sample."""

    values: Floats
    samples: Floats | None
    effective: float

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """The central interval of each system's bootstrap samples."""
        if self.samples is None:
            nothing = np.full(len(self.values), np.nan)
            return nothing, nothing
        tail = 50 * (1 - level)
        low, high = np.nanpercentile(self.samples, [tail, 100 - tail], axis=1)
        return low, high


def weighted_means(
    gains: Floats,
    weights: Weights,
    n_users: int,
    times: Floats | None = None,
    *,
    average: str = "pair",
    totals: Floats | None = None,
    sizes: NDArray[Any] | None = None,
) -> Means:
    """Σ w·g / Σ w of each row of gains (systems × pairs), pooled or averaged over users.

    `sizes` of each user take the place of Σ w: the number of all pairs that the held-out ones stand
    for. `totals` (systems × users) are added to Σ w·g.
    """
    one_blas_thread()
    users = weights.pairs.users
    fixed = weights.data if average == "pair" else _per_user(weights.data, users, n_users)
    by_user = sums_by_user(gains * fixed, users, n_users)
    if totals is not None:
        by_user = by_user + totals
    below = np.bincount(users, fixed, n_users) if sizes is None else np.asarray(sizes, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = by_user.sum(axis=1) / below.sum()
        samples = None
        if times is not None and weights.resampled is None:
            samples = resampled_sums(by_user, times) / resampled_sums(below, times)
        elif times is not None:
            above, under = _resampled(gains, weights, n_users, times, average)
            if totals is not None:
                above = above + resampled_sums(totals, times)
            samples = above / (under if sizes is None else resampled_sums(below, times))
    return Means(values, samples, weights.effective)


def _resampled(
    gains: Floats, weights: Weights, n_users: int, times: Floats, average: str
) -> tuple[Floats, Floats]:
    """Σ w·g and Σ w of each sample, whose weights are its own: one matrix product for all."""
    users = weights.pairs.users
    assert weights.resampled is not None
    above, under = np.empty((len(gains), len(times))), np.empty(len(times))
    single, often = gains.astype(np.float32), times.astype(np.float32)
    for first in range(0, len(times), _ROWS):
        some = slice(first, min(first + _ROWS, len(times)))
        mine = weights.resampled[some]
        if average == "user":
            mine = np.stack([_per_user(row, users, n_users) for row in mine])
        mine = mine * often[some].take(users % times.shape[1], axis=1)
        above[:, some] = single @ mine.T
        under[some] = mine.sum(axis=1, dtype=np.float64)
    return above, under


def sums_by_user(values: Floats, users: NDArray[np.integer], n_users: int) -> Floats:
    """Sums over the pairs of each user (rows × users); pairs are sorted by user."""
    sums = np.zeros((len(values), n_users))
    mine, starts = np.unique(users, return_index=True)
    if len(mine):
        sums[:, mine] = np.add.reduceat(values, starts, axis=1)
    return sums


def _per_user(weights: Floats, users: NDArray[np.integer], n_users: int) -> Floats:
    """Weights that sum to 1 for each user."""
    total = np.bincount(users, weights, n_users)[users]
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
