"""ATOP: the mean normalised rank of the relevant items (steck2010 Eq. 4)."""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.measures._measure import RankingMeasure, Values
from mnar.measures.ranking.counts import RankCounts


@njit(cache=True, nogil=True, error_model="numpy")
def normalised_rank(above, tied, others):
    """Expected share of the other candidates that stand below; NaN if there are none."""
    if others == 0:
        return np.nan
    return (others - (above + (tied - 1) / 2)) / others


@njit(cache=True, nogil=True, error_model="numpy")
def normalised_ranks(above, tied, n_candidates):
    """The normalised rank of each pair."""
    values = np.empty(len(above))
    for n in range(len(above)):
        values[n] = normalised_rank(above[n], tied[n], n_candidates[n] - 1)
    return values


def atop(counts: RankCounts) -> Values:
    return normalised_ranks(counts.above, counts.tied, counts.n_candidates)


def sampled_atop(counts: RankCounts, sample: int) -> Values:
    """The normalised rank in a random sample of the candidates has the same expectation."""
    return atop(counts)


MEASURES = (
    RankingMeasure(
        spelling="atop",
        label="ATOP",
        description="Mean place of the relevant items among all candidates: 1 at the top, 0 at the end.",
        unbiased=True,
        colour="blue",
        value=atop,
        estimated="mean",
    ),
    RankingMeasure(
        spelling="sampled_atop(<sample>)",
        label="ATOP, Ñ = {0}",
        description="ATOP with each relevant item ranked in a sample of that size instead of all candidates.",
        unbiased=True,
        value=sampled_atop,
    ),
)
