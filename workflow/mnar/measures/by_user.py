"""Ranking measures of each user: the values of its pairs, summed up in one pass for all measures."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.measures.closed_forms import KINDS, discounted_gains, fill_values
from mnar.measures.names import parse
from mnar.measures.ranks import RankCounts
from mnar.statistics.user_values import UserValues

# Users that a thread takes at a time: the values of their pairs stay in the cache.
_USERS = 256


@njit(cache=True, nogil=True)
def sum_values(first, last, starts, items, ranks, asked, gains, gain_sums, totals, sizes):
    """Sum up the values and the weights of the pairs of the users first to last - 1.

    The pairs of a user are starts[user] to starts[user + 1] - 1. Of each measure, `asked` has its
    kind, its number, and which of the weights of items it takes: -1 where every pair weighs 1. A
    value that is NaN leaves out its user.
    """
    kinds, numbers, which, weights = asked
    start, stop = starts[first], starts[last]
    values = np.empty(stop - start)
    for m in range(len(kinds)):
        fill_values(kinds[m], numbers[m], start, stop, ranks, gains, gain_sums, values)
        for user in range(first, last):
            total = size = 0.0
            for n in range(starts[user] - start, starts[user + 1] - start):
                weight = 1.0 if which[m] < 0 else weights[which[m], items[start + n]]
                if not np.isnan(values[n]):
                    total += weight * values[n]
                    size += weight
            totals[m, user], sizes[m, user] = total, size


def values_by_user(
    counts: RankCounts, names: Sequence[str], positives: NDArray[np.integer] | None, threads: int
) -> dict[str, UserValues]:
    """Measures of the kinds in KINDS; those of stratified recall weigh items by their positives."""
    measures = [parse(name) for name in names]
    # (N_i^+)^−β; items without any positive rating weigh as much as those with one.
    betas = [one.numbers[1] for one in measures if one.kind == "stratified_recall"]
    given = np.zeros(0) if positives is None else positives
    weights = np.maximum(given, 1) ** -np.array(betas, np.float64)[:, np.newaxis]
    pooled = np.array([one.kind == "stratified_recall" for one in measures], np.bool_)
    asked = (
        np.array([KINDS[one.kind] for one in measures], np.int64),
        np.array([one.numbers[0] if one.numbers else 0 for one in measures], np.float64),
        np.where(pooled, np.cumsum(pooled) - 1, -1),
        weights,
    )
    totals, sizes = (np.empty((len(names), counts.n_users)) for _ in range(2))
    gains = discounted_gains(counts.n_items)
    starts = np.append(0, np.cumsum(counts.pairs, dtype=np.int64))
    arrays = (starts, counts.item, counts.ranks, asked, *gains, totals, sizes)

    def work(first: int, last: int) -> None:
        sum_values(first, last, *arrays)

    for_blocks(work, counts.n_users, threads, _USERS)
    left_out = np.count_nonzero((counts.pairs > 0) & (sizes == 0), axis=1)
    found = {}
    for m, name in enumerate(names):
        # Most have the weight of every other: kept once, since values of many settings are kept.
        plain = not (pooled[m] or left_out[m])
        weight = counts.pairs if plain else sizes[m].copy()
        found[name] = UserValues(totals[m], weight, int(left_out[m]), bool(pooled[m]))
    return found
