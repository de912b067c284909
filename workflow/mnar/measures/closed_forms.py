"""Ranking measures from rank counts: exact expectations over the order of ties.

An item with `above` candidates above it and `tied` of equal score, itself included, stands at any
of the places above, …, above + tied − 1 with the same probability.

Every measure here is a mean over the user's scored items. The functions give the value of each
item; NaN leaves out users for whom the measure does not exist.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnar.compiled import njit
from mnar.measures.ranks import RankCounts
from mnar.measures.sums import sum_by_user
from mnar.measures.values import UserValues

Values = NDArray[np.float64]

# Of the last counts: AUC_AMAN is made of ATOP, and NDCG of ADG.
_once = lru_cache(maxsize=1)

# Floating-point products such as 0.002 · 1000 may fall just short of a whole number.
_ALMOST = 1e-9
# Of the most likely; such a chance changes no sum, and still smaller numbers are slow.
_NOTHING = 1e-290


def by_user(counts: RankCounts, values: Values) -> UserValues:
    """Sum item values over each user."""
    missing = np.isnan(values)
    if not missing.any():
        return UserValues(sum_by_user(counts.user, values, counts.n_users), counts.pairs)
    return UserValues(
        sum_by_user(counts.user, np.where(missing, 0, values), counts.n_users),
        sum_by_user(counts.user, ~missing, counts.n_users),
        left_out=len(np.unique(counts.user[missing])),
    )


def item_weights(positives: NDArray[np.integer], beta: float) -> Values:
    """(N_i^+)^−β; items without any positive rating weigh as much as those with one."""
    return np.maximum(positives, 1) ** -float(beta)


def stratified_recall(counts: RankCounts, k: float, weights: Values) -> UserValues:
    """Recall with items weighted by (N_i^+)^−β, pooled over users (pradel2012 section 4)."""
    weights = weights[counts.item]
    return UserValues(
        sum_by_user(counts.user, weights * recall(counts, k), counts.n_users),
        sum_by_user(counts.user, weights, counts.n_users),
        pooled=True,
    )


@_once
def atop(counts: RankCounts) -> Values:
    """Normalised rank (steck2010 Eq. 4); a single candidate has none."""
    others = counts.n_candidates - 1.0
    others[others == 0] = np.nan
    return (others - (counts.above + (counts.tied - 1) / 2)) / others


def recall(counts: RankCounts, k: float | NDArray[np.integer]) -> Values:
    """Probability that the item is in the top k."""
    return np.clip((k - counts.above) / counts.tied, 0, 1)


def topk(counts: RankCounts, share: float) -> Values:
    """Recall in the top ⌊share·(N − 1)⌋ + 1 of N candidates (steck2010 Eq. 1)."""
    return recall(counts, _positions(share, counts.n_candidates) + 1)


@_once
def adg(counts: RankCounts) -> Values:
    """Average discounted gain (lim2015 Definition 1): 1/log2(rank + 2)."""
    return _mean_of_places(_discounts(counts.n_items), counts.above, counts.tied)


def ndcg(counts: RankCounts) -> Values:
    """The discounted gain by its largest possible sum IDCG(n), times n to be a mean of items."""
    ideal = _prefix_sums(_discounts(counts.n_items))
    return adg(counts) * (counts.n_relevant / ideal[counts.n_relevant])


def average_precision(counts: RankCounts) -> Values:
    """Precision at the item's position in the full list."""
    return expect_precision(counts.above, counts.tied, counts.relevant_above, counts.relevant_tied)


def auc_aman(counts: RankCounts) -> Values:
    """AUC of the relevant against all other candidates, from ATOP (steck2010 section 2.4)."""
    positives = counts.n_relevant - 1
    negatives = (counts.n_candidates - counts.n_relevant).astype(np.float64)
    negatives[negatives == 0] = np.nan
    return (1 + positives / negatives) * atop(counts) - positives / (2 * negatives)


def sampled_topk(counts: RankCounts, share: float, sample: int) -> Values:
    """TOPK expected when an item is ranked among sample − 1 others drawn without replacement."""
    values = np.empty(len(counts.user))
    ranks = (counts.n_candidates, counts.above, counts.tied)
    expect_stays(counts.by_candidates, *ranks, share, sample, values)
    return values


# By kind of measure: the value of each item, given the rank counts and the name's numbers.
OF_ITEMS: dict[str, Callable[..., Values]] = {
    "atop": atop,
    # The normalised rank in a random sample of the candidates has the same expectation.
    "sampled_atop": lambda counts, sample: atop(counts),
    "topk": topk,
    "sampled_topk": sampled_topk,
    "recall": recall,
    "adg": adg,
    "ndcg": ndcg,
    "map": average_precision,
    "auc_aman": auc_aman,
}

RANKING = {"stratified_recall", *OF_ITEMS}


def _positions(share: float, candidates: int | NDArray[np.integer]) -> NDArray[np.integer]:
    return np.floor(share * (np.asarray(candidates) - 1) + _ALMOST).astype(np.int64)


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
            better = int(np.floor(share * drawn + _ALMOST))
            fill_stays(known - 1, drawn, better, stays[:known])
            sums[1 : known + 1] = np.cumsum(stays[:known])
        first, size = above[pair], tied[pair]
        # Without ties, free of the rounding of a difference of sums.
        values[pair] = stays[first] if size == 1 else (sums[first + size] - sums[first]) / size


def _mean_of_places(
    by_place: Values, first: NDArray[np.integer], size: NDArray[np.integer]
) -> Values:
    """Mean over the places of each group of ties of a value that depends on the place."""
    # Without ties, free of the rounding of a difference of sums.
    means = by_place[first]
    tied = np.flatnonzero(size > 1)
    if len(tied):
        sums = _prefix_sums(by_place)
        first, size = first[tied], size[tied]
        means[tied] = (sums[first + size] - sums[first]) / size
    return means


@lru_cache(maxsize=1)
def _discounts(length: int) -> Values:
    return 1 / np.log2(np.arange(length) + 2)


def _prefix_sums(values: Values) -> Values:
    return np.append(0, np.cumsum(values))


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
