"""Bootstrap over users: samples of users, sums over them, and intervals."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import one_blas_thread
from mnar.core.seeds import generator

SAMPLES = 1000
# With more users than this, groups of them are drawn: a million users would take 16 GB.
MOST_DRAWN = 1 << 14


@lru_cache(maxsize=2)
def user_samples(users: int, samples: int, *seed: object) -> NDArray[np.float64]:
    """How often each user is in each bootstrap sample: samples × users multiplicities.

    More than MOST_DRAWN users are drawn in groups (in_groups): a sum over users varies as much from
    sample to sample whether users or groups are drawn. The latest samples are kept, since many
    comparisons in a row share them.
    """
    random = generator("bootstrap", *seed)
    drawable = min(users, MOST_DRAWN)
    times = np.empty((samples, drawable))
    # This is two to three times as fast as random.multinomial; floats are summed faster.
    for row in times:
        row[:] = np.bincount(random.integers(drawable, size=drawable), minlength=drawable)
    return times


def interval(samples: NDArray[np.floating], level: float = 0.95) -> tuple[float, float]:
    """The central interval of bootstrap samples; samples that are NaN are ignored."""
    tail = 50 * (1 - level)
    low, high = np.nanpercentile(samples, [tail, 100 - tail])
    return float(low), float(high)


def resampled_sums(values: NDArray, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over users (the last axis) in each sample, where `times` says how often a user counts."""
    one_blas_thread()
    return in_groups(values, times.shape[-1]) @ times.T


def in_groups(values: NDArray, groups: int) -> NDArray[np.float64]:
    """Sums over groups of users (the last axis): user u belongs to group u modulo `groups`."""
    users = values.shape[-1]
    if users <= groups:
        return values
    filled = np.zeros((*values.shape[:-1], -(-users // groups) * groups))
    filled[..., :users] = values
    return filled.reshape(*values.shape[:-1], -1, groups).sum(axis=-2)
