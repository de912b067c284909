"""A measure's value for each user, and its mean over users, pairs or bootstrap samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mnar.statistics.bootstrap import resampled_sums

Average = Literal["user", "pair"]


@dataclass(frozen=True)
class UserValues:
    """The value of user u is total[u] / weight[u]; weight 0 means that u is not scored."""

    total: NDArray[np.float64]
    weight: NDArray[np.float64]
    # Users with held-out items for whom the measure is undefined.
    left_out: int = 0
    # The measure is one ratio of sums over all users, whichever average is asked for.
    pooled: bool = False
    # The measure is the square root of the mean.
    rooted: bool = False

    @classmethod
    def alike(cls, values: NDArray[np.float64], tried: NDArray[np.bool_]) -> "UserValues":
        """Gives all `tried` users the same weight; those whose value is NaN are not scored."""
        scored = tried & ~np.isnan(values)
        left_out = int(np.count_nonzero(tried & ~scored))
        return cls(np.where(scored, values, 0), scored.astype(np.float64), left_out)

    @property
    def n_scored(self) -> int:
        return int(np.count_nonzero(self.weight))

    def mean(
        self, average: Average = "user", times: NDArray | None = None
    ) -> np.float64 | NDArray[np.float64]:
        """The mean over users, or over pairs (users by weight); NaN if nobody is scored.

        `times` says how often each user (or group of users, see in_groups) counts. Its shape is
        (users,), or (samples, users) for the means of many bootstrap samples at once.
        """
        total, weight = self.total, self.weight
        if average == "user" and not self.pooled:
            scored = weight > 0
            total = np.divide(total, weight, out=np.zeros_like(total), where=scored)
            weight = scored.astype(np.float64)
        with np.errstate(invalid="ignore"):
            if times is None:
                value = total.sum() / weight.sum()
            else:
                value = resampled_sums(total, times) / resampled_sums(weight, times)
        return np.sqrt(value) if self.rooted else value


def resampled(
    folds: Sequence[UserValues], average: Average, samples: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mean over folds of the measure, in each bootstrap sample of users."""
    return np.mean([values.mean(average, samples) for values in folds], axis=0)
