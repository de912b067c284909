"""Ranking measures of each user: the values of its pairs, summed up for some users at a time."""

from collections.abc import Sequence

import numpy as np

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.context import Context
from mnar.measures._measure import Numbers, RankingMeasure
from mnar.measures.ranking.counts import RankCounts
from mnar.statistics.user_values import UserValues

# Users that a thread takes at a time: the values of their pairs stay in the cache.
_USERS = 1024
# Every pair weighs 1.
_ALIKE = np.zeros(0)


@njit(cache=True, nogil=True)
def sum_values(first, last, starts, items, weights, values, totals, sizes):
    """Sum up the values and the weights of the pairs of the users first to last - 1.

    The pairs of a user are starts[user] to starts[user + 1] - 1; `values` has those of these users
    alone. A pair weighs as much as its item, or 1 where no weights are given. A value that is NaN
    leaves out its user.
    """
    start = starts[first]
    for user in range(first, last):
        total = size = 0.0
        for pair in range(starts[user], starts[user + 1]):
            value = values[pair - start]
            weight = 1.0 if len(weights) == 0 else weights[items[pair]]
            if not np.isnan(value):
                total += weight * value
                size += weight
        totals[user], sizes[user] = total, size


def values_by_user(
    counts: RankCounts,
    asked: Sequence[tuple[RankingMeasure, Numbers]],
    context: Context,
    threads: int,
) -> list[UserValues]:
    """The values of ranking measures, in the order in which they are asked for."""
    totals, sizes = (np.empty((len(asked), counts.n_users)) for _ in range(2))
    starts = np.append(0, np.cumsum(counts.pairs, dtype=np.int64))
    weights = [
        measure.weights(context, *numbers) if measure.weights else _ALIKE
        for measure, numbers in asked
    ]
    ready = [
        measure.value(counts, *numbers) if measure.at_once else None for measure, numbers in asked
    ]

    def work(first: int, last: int) -> None:
        pairs = slice(starts[first], starts[last])
        part = counts.part(pairs)
        for m, (measure, numbers) in enumerate(asked):
            whole = ready[m]
            values = measure.value(part, *numbers) if whole is None else whole[pairs]
            sum_values(first, last, starts, counts.item, weights[m], values, totals[m], sizes[m])

    for_blocks(work, counts.n_users, threads, _USERS)
    left_out = np.count_nonzero((counts.pairs > 0) & (sizes == 0), axis=1)
    found = []
    for m, (measure, _) in enumerate(asked):
        pooled = measure.weights is not None
        # Most have the weight of every other: kept once, since values of many settings are kept.
        plain = not (pooled or left_out[m])
        weight = counts.pairs if plain else sizes[m].copy()
        found.append(UserValues(totals[m], weight, int(left_out[m]), pooled))
    return found
