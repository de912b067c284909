"""Ranking measures of each user: the values of its pairs, summed up for some users at a time."""

from collections.abc import Sequence

import numpy as np

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.context import Context
from mnar.measures._measure import RankingMeasure, Values
from mnar.measures._names import Named
from mnar.measures.ranking.counts import RankCounts
from mnar.statistics.user_values import UserValues

# Users that a thread takes at a time: the values of their pairs stay in the cache.
_USERS = 1024
# Every pair weighs 1.
_ALIKE = np.zeros(0)


@njit(cache=True, nogil=True)
def sum_values(first, last, starts, weights, values, totals, sizes):
    """Sum up the values and the weights of the pairs of the users first to last - 1.

    The pairs of a user are starts[user] to starts[user + 1] - 1; `values` has those of these users
    alone. A pair weighs 1 where no weights are given. A value that is NaN leaves out its user.
    """
    start = starts[first]
    for user in range(first, last):
        total = size = 0.0
        for pair in range(starts[user], starts[user + 1]):
            value = values[pair - start]
            weight = 1.0 if len(weights) == 0 else weights[pair]
            if not np.isnan(value):
                total += weight * value
                size += weight
        totals[user], sizes[user] = total, size


def values_by_user(
    counts: RankCounts,
    asked: Sequence[Named],
    context: Context,
    threads: int,
) -> list[UserValues]:
    """The values of ranking measures, in the order in which they are asked for."""
    totals, sizes = (np.empty((len(asked), counts.n_users)) for _ in range(2))
    starts = np.append(0, np.cumsum(counts.pairs, dtype=np.int64))
    weights = [_weights(one, context, len(counts.user)) for one in asked]
    ready = [_value(one, counts) if _at_once(one) else None for one in asked]

    def work(first: int, last: int) -> None:
        pairs = slice(starts[first], starts[last])
        part = counts.part(pairs)
        for m, one in enumerate(asked):
            whole = ready[m]
            values = _value(one, part) if whole is None else whole[pairs]
            sum_values(first, last, starts, weights[m], values, totals[m], sizes[m])

    for_blocks(work, counts.n_users, threads, _USERS)
    left_out = np.count_nonzero((counts.pairs > 0) & (sizes == 0), axis=1)
    found = []
    for m, one in enumerate(asked):
        pooled = one.scheme is not None
        # Most have the weight of every other: kept once, since values of many settings are kept.
        plain = not (pooled or left_out[m])
        weight = counts.pairs if plain else sizes[m].copy()
        found.append(UserValues(totals[m], weight, int(left_out[m]), pooled))
    return found


def _at_once(one: Named) -> bool:
    return isinstance(one.measure, RankingMeasure) and one.measure.at_once


def _value(one: Named, counts: RankCounts) -> Values:
    assert isinstance(one.measure, RankingMeasure)
    return one.measure.value(counts, *one.numbers)


def _weights(one: Named, context: Context, n_pairs: int) -> Values:
    """The weight of each pair; none where all weigh alike."""
    if one.scheme is None:
        return _ALIKE
    assert context.weigh is not None
    weights = context.weigh(one.scheme)
    if len(weights) != n_pairs:
        raise ValueError(f"{len(weights)} weights for {n_pairs} pairs")
    return weights
