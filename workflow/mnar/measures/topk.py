"""TOPK: the share of the relevant items at the top of the list (steck2010 Eq. 1).

The top is a share of the candidates, or of a random sample of them.
"""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.measures._chances import ALMOST, chance_within
from mnar.measures._measure import RankingMeasure, Values
from mnar.measures.ranking.counts import RankCounts

# Of the most likely; such a chance changes no sum, and still smaller numbers are slow.
_NOTHING = 1e-290


@njit(cache=True, nogil=True, error_model="numpy")
def chances_in_share(share, above, tied, n_candidates):
    """The probability that each pair's item is in the top ⌊share·(N − 1)⌋ + 1 of N candidates."""
    values = np.empty(len(above))
    for n in range(len(above)):
        top = np.floor(share * (n_candidates[n] - 1) + ALMOST) + 1
        values[n] = chance_within(top, above[n], tied[n])
    return values


def topk(counts: RankCounts, share: float) -> Values:
    return chances_in_share(float(share), counts.above, counts.tied, counts.n_candidates)


def sampled_topk(counts: RankCounts, share: float, sample: int) -> Values:
    """TOPK expected when an item is ranked among sample − 1 others drawn without replacement."""
    values = np.empty(len(counts.user))
    ranks = (counts.n_candidates, counts.above, counts.tied)
    expect_stays(counts.by_candidates, *ranks, share, sample, values)
    return values


@njit(cache=True, nogil=True)
def fill_stays(others, drawn, better, stays):
    """P(at most `better` of those `drawn` from `others` stand above an item), for all its positions.

    The item stays in the top better + 1 unless better + 1 of the drawn stand above it: so the
    (better + 1)-th best of the drawn must stand at its position or below. That one's position is j with
    a probability ∝ C(j, better)·C(others − 1 − j, drawn − 1 − better): summed from below, this
    gives all positions at once.
    """
    stays[:] = 1.0
    if better >= drawn:
        return
    last = others - drawn + better
    # From the most likely position on by ratios of neighbours, so that nothing overflows.
    mode = min(max((others - 1) * better // max(drawn - 1, 1), better), last)
    stays[:] = 0.0
    stays[mode] = 1.0
    for j in range(mode, last):
        stays[j + 1] = stays[j] * ((j + 1) / (j + 1 - better) * ((last - j) / (others - 1 - j)))
        if stays[j + 1] < _NOTHING:
            break
    for j in range(mode - 1, better - 1, -1):
        stays[j] = stays[j + 1] / ((j + 1) / (j + 1 - better) * ((last - j) / (others - 1 - j)))
        if stays[j] < _NOTHING:
            break
    for position in range(last - 1, -1, -1):
        stays[position] += stays[position + 1]
    for position in range(others, -1, -1):
        stays[position] /= stays[0]


@njit(cache=True, nogil=True)
def expect_stays(order, n_candidates, above, tied, share, sample, values):
    """Fill `values` with the mean of :func:`fill_stays` over the positions of each pair's ties.

    `order` puts pairs with the same number of candidates together: they share their chances.
    """
    stays = np.empty(n_candidates.max() if len(order) else 0)
    sums = np.zeros(len(stays) + 1)
    known = 0
    for pair in order:
        if n_candidates[pair] != known:
            known = n_candidates[pair]
            drawn = min(sample - 1, known - 1)
            better = int(np.floor(share * drawn + ALMOST))
            fill_stays(known - 1, drawn, better, stays[:known])
            sums[1 : known + 1] = np.cumsum(stays[:known])
        first, size = above[pair], tied[pair]
        # Without ties, free of the rounding of a difference of sums.
        values[pair] = stays[first] if size == 1 else (sums[first + size] - sums[first]) / size


MEASURES = (
    RankingMeasure(
        spelling="topk(<share>)",
        label="TOPK({0:.10g})",
        description="Share of relevant items that come within this share of the list.",
        unbiased=True,
        value=topk,
        estimated="mean",
    ),
    RankingMeasure(
        spelling="sampled_topk(<share>,<sample>)",
        label="TOPK({0:.10g}), Ñ = {1}",
        description="TOPK with each relevant item ranked in a sample of that size.",
        unbiased=True,
        value=sampled_topk,
        at_once=True,
    ),
)
