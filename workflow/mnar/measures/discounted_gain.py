"""ADG, the average discounted gain (lim2015 Definition 1), and NDCG."""

from functools import lru_cache

import numpy as np

from mnar.kernels.compiled import njit
from mnar.measures._measure import RankingMeasure, Values
from mnar.measures.ranking.counts import RankCounts


@lru_cache(maxsize=1)
def discounted_gains(positions: int) -> tuple[Values, Values]:
    """The gain 1/log2(rank + 2) at each position, and the sum of those before it."""
    gains = 1 / np.log2(np.arange(positions) + 2)
    return gains, np.append(0, np.cumsum(gains))


@njit(cache=True, nogil=True, error_model="numpy")
def expected_gains(above, tied, gains, gain_sums):
    """The mean gain of the positions that each pair's item may have.

    Without ties it is free of the rounding of a difference of sums.
    """
    values = np.empty(len(above))
    for n in range(len(above)):
        first, size = above[n], tied[n]
        values[n] = gains[first]
        if size > 1:
            values[n] = (gain_sums[first + size] - gain_sums[first]) / size
    return values


@njit(cache=True, nogil=True, error_model="numpy")
def normalise(values, n_relevant, gain_sums):
    """Divide by the largest possible sum IDCG(n), times n to be a mean of items."""
    for n in range(len(values)):
        values[n] *= n_relevant[n] / gain_sums[n_relevant[n]]


def adg(counts: RankCounts) -> Values:
    return expected_gains(counts.above, counts.tied, *discounted_gains(counts.n_items))


def ndcg(counts: RankCounts) -> Values:
    values = adg(counts)
    normalise(values, counts.n_relevant, discounted_gains(counts.n_items)[1])
    return values


MEASURES = (
    RankingMeasure(
        spelling="adg",
        label="ADG",
        description="Average discounted gain: mean over relevant items of 1/log₂(rank + 2), best rank 0.",
        unbiased=True,
        colour="red",
        value=adg,
        estimated="mean",
    ),
    RankingMeasure(
        spelling="ndcg",
        label="NDCG",
        description="Discounted gain over the largest possible one, which grows with what is held out.",
        colour="orange",
        value=ndcg,
        estimated="normalised",
    ),
)
