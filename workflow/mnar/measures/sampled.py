"""TOPK among a sample of the candidates: its exact expectation."""

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.measures.ranks import RankCounts

# Floating-point products such as 0.002 · 1000 may fall just short of a whole number.
ALMOST = 1e-9
# Of the most likely; such a chance changes no sum, and still smaller numbers are slow.
_NOTHING = 1e-290


def sampled_topk(counts: RankCounts, share: float, sample: int) -> NDArray[np.float64]:
    """TOPK expected when an item is ranked among sample − 1 others drawn without replacement."""
    values = np.empty(len(counts.user))
    ranks = (counts.n_candidates, counts.above, counts.tied)
    expect_stays(counts.by_candidates, *ranks, share, sample, values)
    return values


@njit(cache=True, nogil=True)
def fill_stays(others, drawn, better, stays):
    """P(at most `better` of those `drawn` from `others` stand above an item), for all its places.

    The item stays in the top better + 1 unless better + 1 of the drawn stand above it: so the
    (better + 1)-th best of the drawn must stand at its place or below. That one's place is j with
    a probability ∝ C(j, better)·C(others − 1 − j, drawn − 1 − better): summed from below, this
    gives all places at once.
    """
    stays[:] = 1.0
    if better >= drawn:
        return
    last = others - drawn + better
    # From the most likely place on by ratios of neighbours, so that nothing overflows.
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
    for place in range(last - 1, -1, -1):
        stays[place] += stays[place + 1]
    for place in range(others, -1, -1):
        stays[place] /= stays[0]


@njit(cache=True, nogil=True)
def expect_stays(order, n_candidates, above, tied, share, sample, values):
    """Fill `values` with the mean of :func:`fill_stays` over the places of each pair's ties.

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
