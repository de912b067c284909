"""Two values of each user, compared: means, differences and how sure they are, over users."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from mnar.statistics.user_values import UserValues, resampled


@dataclass(frozen=True)
class Paired:
    """A measure on two sets in several folds, for users that have both."""

    first: list[UserValues]
    second: list[UserValues]

    @classmethod
    def of(cls, first: list[UserValues], second: list[UserValues]) -> "Paired":
        pairs = [_of_both(one, other) for one, other in zip(first, second, strict=True)]
        return cls([pair[0] for pair in pairs], [pair[1] for pair in pairs])

    @property
    def differences(self) -> list[UserValues]:
        return [
            UserValues(one.total - other.total, one.weight)
            for one, other in zip(self.first, self.second, strict=True)
        ]

    def means(self) -> tuple[float, float]:
        """Over users, then folds."""
        sides = (self.first, self.second)
        return tuple(float(np.mean([v.mean("user") for v in side])) for side in sides)  # type: ignore[return-value]

    def resampled(self, samples: NDArray) -> NDArray[np.float64]:
        """The mean difference in each bootstrap sample of users."""
        return resampled(self.differences, "user", samples)

    def users(self) -> int:
        """Who has both sets in some fold."""
        return int(np.any([v.weight > 0 for v in self.first], axis=0).sum())

    def facts(self, samples: NDArray, family: int) -> dict[str, float]:
        """The difference of the means, its standard error and interval, and how far from 0 it is."""
        first, second = self.means()
        error = float(np.nanstd(self.resampled(samples), ddof=1))
        low, high = simultaneous_interval(first - second, error, family)
        return {
            "first": first,
            "second": second,
            "mean": first - second,
            "sem": error,
            "low": low,
            "high": high,
            "z": (first - second) / error if error > 0 else np.nan,
            "n": self.users(),
        }


def simultaneous_interval(mean: float, error: float, family: int) -> tuple[float, float]:
    """95 % interval that holds for a whole family of this size at once (Bonferroni, normal)."""
    margin = float(ndtri(1 - 0.05 / (2 * family))) * error
    return mean - margin, mean + margin


def _of_both(one: UserValues, other: UserValues) -> tuple[UserValues, UserValues]:
    """Each user's value with weight 1, for users that are scored on both sides."""
    both = (one.weight > 0) & (other.weight > 0)
    values = [
        np.divide(v.total, v.weight, out=np.zeros_like(v.total), where=both) for v in (one, other)
    ]
    return UserValues(values[0], both.astype(np.float64)), UserValues(
        values[1], both.astype(np.float64)
    )
