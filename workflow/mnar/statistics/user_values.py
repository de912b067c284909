"""A measure's value for each user, and its mean over users, over pairs, over bootstrap samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mnar.statistics.bootstrap import resampled_sums

Average = Literal["user", "pair"]


@dataclass(frozen=True)
class UserValues:
    """User u has the value total[u] / weight[u]; weight 0 means that u is not scored."""

    total: NDArray[np.float64]
    weight: NDArray[np.float64]
    # Users that have held-out items, but for whom the measure does not exist.
    left_out: int = 0
    # Defined as one ratio of sums over all users, whatever average is asked for.
    pooled: bool = False
    # The mean is under a square root.
    rooted: bool = False

    @classmethod
    def alike(cls, values: NDArray[np.float64], tried: NDArray[np.bool_]) -> "UserValues":
        """All users count alike; of those `tried`, the ones whose value is NaN are left out."""
        scored = tried & ~np.isnan(values)
        left_out = int(np.count_nonzero(tried & ~scored))
        return cls(np.where(scored, values, 0), scored.astype(np.float64), left_out)

    @property
    def n_scored(self) -> int:
        return int(np.count_nonzero(self.weight))

    def mean(
        self, average: Average = "user", times: NDArray | None = None
    ) -> np.float64 | NDArray[np.float64]:
        """Mean over users, or over pairs (users by weight); NaN where nobody is scored.

        `times` says how often each user (or group of users, see in_groups) counts: shape (users,),
        or (samples, users) for the means of many bootstrap samples at once.
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
