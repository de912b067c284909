"""MAP: the mean over the relevant items of the precision at their positions, over the full list."""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.measures._measure import RankingMeasure, Values
from mnar.measures.ranking.counts import RankCounts


@njit(cache=True, nogil=True)
def expect_precision(above, tied, relevant_above, relevant_tied):
    """Expected precision at the item's position (McSherry and Najork 2008).

    At `position` in its group (from 0), position·(r − 1)/(t − 1) of the other r − 1 relevant
    items of the group of t stand before it in expectation. Small groups as a plain sum over the
    positions: the closed form loses digits there.
    """
    values = np.empty(len(above))
    harmonic = 0.0
    for pair in range(len(above)):
        size = tied[pair]
        before = 1.0 + relevant_above[pair]
        slope = (relevant_tied[pair] - 1) / max(size - 1, 1)
        total = 0.0
        if size <= 64:
            for position in range(size):
                total += (before + position * slope) / (above[pair] + position + 1)
        else:
            # Summed: a difference of prefix sums loses digits. Often the same as for the last item.
            if pair == 0 or above[pair] != above[pair - 1] or size != tied[pair - 1]:
                harmonic = 0.0
                for position in range(above[pair] + 1, above[pair] + size + 1):
                    harmonic += 1.0 / position
            total = before * harmonic + slope * (size - (above[pair] + 1) * harmonic)
        values[pair] = total / size
    return values


def average_precision(counts: RankCounts) -> Values:
    return expect_precision(counts.above, counts.tied, counts.relevant_above, counts.relevant_tied)


MEASURES = (
    RankingMeasure(
        spelling="map",
        label="MAP",
        description="Mean precision at the places of the relevant items; missing ratings lower it.",
        colour="purple",
        value=average_precision,
        estimated="normalised",
    ),
)
