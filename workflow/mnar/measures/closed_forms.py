"""Ranking measures from rank counts: exact expectations over the order of ties.

An item with `above` candidates above it and `tied` of equal score, itself included, stands at any
of the places above, …, above + tied − 1 with the same probability.

Every measure here is a mean over the user's scored items. The functions give the value of each
item; NaN leaves out users for whom the measure does not exist.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.measures.names import parse
from mnar.measures.ranks import RankCounts
from mnar.measures.sampled import ALMOST, sampled_topk

Values = NDArray[np.float64]

ATOP, TOPK, RECALL, ADG, NDCG, AUC_AMAN, MAP = range(7)
# What the kernels know the kinds of measures by.
KINDS = {
    "atop": ATOP,
    # The normalised rank in a random sample of the candidates has the same expectation.
    "sampled_atop": ATOP,
    "topk": TOPK,
    "recall": RECALL,
    "stratified_recall": RECALL,
    "adg": ADG,
    "ndcg": NDCG,
    "auc_aman": AUC_AMAN,
    "map": MAP,
}
RANKING = {"sampled_topk", *KINDS}


@njit(cache=True, nogil=True, error_model="numpy")
def normalised_rank(above, tied, others):
    """Share of the other candidates that stand below (steck2010 Eq. 4); NaN if there are none."""
    if others == 0:
        return np.nan
    return (others - (above + (tied - 1) / 2)) / others


@njit(cache=True, nogil=True, error_model="numpy")
def chance_within(k, above, tied):
    """Probability that an item is in the top k."""
    return min(max((k - above) / tied, 0.0), 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def fill_values(kind, number, start, stop, ranks, gains, gain_sums, values):
    """The values of the pairs start to stop - 1 under one measure.

    `gains` has the gain at each place, `gain_sums` those of all places before it. A loop for each
    measure: so they run in vector registers.
    """
    some = slice(start, stop)
    above, tied, n_relevant = ranks[0][some], ranks[1][some], ranks[4][some]
    others = ranks[5][some] - 1
    if kind == ATOP:
        for n in range(stop - start):
            values[n] = normalised_rank(above[n], tied[n], others[n])
    elif kind == AUC_AMAN:
        # Of the relevant against all other candidates, from ATOP (steck2010 section 2.4).
        for n in range(stop - start):
            more, negatives = n_relevant[n] - 1, others[n] + 1 - n_relevant[n]
            area = normalised_rank(above[n], tied[n], others[n])
            value = (1 + more / negatives) * area - more / (2 * negatives)
            values[n] = value if negatives > 0 else np.nan
    elif kind == RECALL:
        for n in range(stop - start):
            values[n] = chance_within(number, above[n], tied[n])
    elif kind == TOPK:
        # In the top ⌊share·(N − 1)⌋ + 1 of N candidates (steck2010 Eq. 1).
        for n in range(stop - start):
            values[n] = chance_within(np.floor(number * others[n] + ALMOST) + 1, above[n], tied[n])
    elif kind == MAP:
        values[: stop - start] = expect_precision(above, tied, ranks[2][some], ranks[3][some])
    else:
        # Average discounted gain (lim2015 Definition 1). Without ties, free of the rounding of a
        # difference of sums.
        for n in range(stop - start):
            first, size = above[n], tied[n]
            values[n] = gains[first]
            if size > 1:
                values[n] = (gain_sums[first + size] - gain_sums[first]) / size
        if kind == NDCG:
            # By the largest possible sum IDCG(n), times n to be a mean of items.
            for n in range(stop - start):
                values[n] *= n_relevant[n] / gain_sums[n_relevant[n]]


@njit(cache=True, nogil=True)
def expect_precision(above, tied, relevant_above, relevant_tied):
    """Expected precision at the item's place (McSherry and Najork 2008).

    At the place `place` of its group (from 0), place·(r − 1)/(t − 1) of the other r − 1 relevant
    items of the group of t stand before it in expectation. Small groups as a plain sum over the
    places: the closed form loses digits there.
    """
    values = np.empty(len(above))
    harmonic = 0.0
    for pair in range(len(above)):
        size = tied[pair]
        before = 1.0 + relevant_above[pair]
        slope = (relevant_tied[pair] - 1) / max(size - 1, 1)
        total = 0.0
        if size <= 64:
            for place in range(size):
                total += (before + place * slope) / (above[pair] + place + 1)
        else:
            # Summed: a difference of prefix sums loses digits. Often the same as for the last item.
            if pair == 0 or above[pair] != above[pair - 1] or size != tied[pair - 1]:
                harmonic = 0.0
                for place in range(above[pair] + 1, above[pair] + size + 1):
                    harmonic += 1.0 / place
            total = before * harmonic + slope * (size - (above[pair] + 1) * harmonic)
        values[pair] = total / size
    return values


@lru_cache(maxsize=1)
def discounted_gains(places: int) -> tuple[Values, Values]:
    """The gain 1/log2(rank + 2) at each place, and the sum of those before it."""
    gains = 1 / np.log2(np.arange(places) + 2)
    return gains, np.append(0, np.cumsum(gains))


def pair_values(counts: RankCounts, name: str) -> Values:
    """The value of each pair under a measure that is a plain mean of them."""
    measure = parse(name)
    if measure.kind == "sampled_topk":
        share, sample = measure.numbers
        return sampled_topk(counts, share, int(sample))
    values = np.empty(len(counts.user))
    number = measure.numbers[0] if measure.numbers else 0
    gains = discounted_gains(counts.n_items)
    fill_values(KINDS[measure.kind], number, 0, len(values), counts.ranks, *gains, values)
    return values
