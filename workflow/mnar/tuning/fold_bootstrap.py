"""Bootstrap over users of the stored values: the same users in every fold and method."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.user_values import Average, UserValues, resampled
from mnar.tuning.scores import PerUser


def among(part: PerUser, measure: str, users: int, point: int | None = None) -> UserValues:
    """Values of one measure with a position for each user; no weight for users that are not kept."""
    values = part.values(measure, point)
    total, weight = np.zeros(users), np.zeros(users)
    total[part.users], weight[part.users] = values.total, values.weight
    return replace(values, total=total, weight=weight)


def number_of_users(parts: Sequence[PerUser]) -> int:
    """Enough positions for every user of these parts."""
    return 1 + max(int(part.users.max()) for part in parts)


def difference_interval(
    first: Sequence[PerUser],
    second: Sequence[PerUser],
    measure: str,
    average: Average,
    *seed: object,
) -> tuple[float, float]:
    """95 % interval of (first − second), mean over folds, paired over users."""
    users = number_of_users([*first, *second])
    samples = user_samples(users, SAMPLES, *seed)
    means = [
        resampled([among(part, measure, users) for part in side], average, samples)
        for side in (first, second)
    ]
    return interval(means[0] - means[1])
