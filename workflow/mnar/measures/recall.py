"""Recall: the share of the relevant items in the top k, plain or stratified by popularity."""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.measures._chances import chance_within
from mnar.measures._measure import RankingMeasure, Values
from mnar.measures.ranking.counts import RankCounts


@njit(cache=True, nogil=True, error_model="numpy")
def chances_within(k, above, tied):
    """The probability that each pair's item is in the top k."""
    values = np.empty(len(above))
    for n in range(len(above)):
        values[n] = chance_within(k, above[n], tied[n])
    return values


def recall(counts: RankCounts, k: int) -> Values:
    return chances_within(float(k), counts.above, counts.tied)


def stratified_recall(counts: RankCounts, k: int, beta: float) -> Values:
    return recall(counts, k)


MEASURES = (
    RankingMeasure(
        spelling="recall@<k>",
        label="Recall@{0}",
        description="Share of relevant items among the first k of the list.",
        unbiased=True,
        colour="green",
        value=recall,
        estimated="mean",
    ),
    RankingMeasure(
        spelling="recall@<k>(<beta>)",
        label="Recall@{0}, β = {1:.10g}",
        description="Recall that counts an item less the more often it is liked, by the power β.",
        needs="weigh",
        value=stratified_recall,
        weighting="snips(popularity,gamma={1!r})",
        weighs="recall@{0}",
    ),
)
