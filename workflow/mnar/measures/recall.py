"""Recall: the share of the relevant items in the top k, plain or stratified by popularity."""

import numpy as np

from mnar.kernels.compiled import njit
from mnar.matrices.context import Context
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


def popularity_weights(context: Context, k: int, beta: float) -> Values:
    """(N_i^+)^−β; items without any positive rating weigh as much as those with one."""
    assert context.positives_per_item is not None
    # An array as exponent: a single number is rounded in another way where it is -1 or 0.5.
    return np.maximum(context.positives_per_item, 1) ** -np.array([beta], np.float64)


MEASURES = (
    RankingMeasure(
        spelling="recall@<k>", label="Recall@{0}", unbiased=True, colour="green", value=recall
    ),
    RankingMeasure(
        spelling="recall@<k>(<beta>)",
        label="Recall@{0}, β = {1:.10g}",
        needs="positives_per_item",
        value=stratified_recall,
        weights=popularity_weights,
    ),
)
