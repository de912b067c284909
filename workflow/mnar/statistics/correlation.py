"""Rank correlations of two orders."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr


def kendall(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Kendall's τ-b of two orders without NaN; all pairs are held at once: a few thousand values."""
    # Ranks as small integers: one instruction compares many of them.
    ranks = [np.unique(values, return_inverse=True)[1] for values in (first, second)]
    small = np.int16 if len(ranks[0]) < 1 << 15 else np.int64
    one, other = (rank.astype(small) for rank in ranks)
    above = one[:, np.newaxis] > one
    same = np.count_nonzero(above & (other[:, np.newaxis] > other))
    opposite = np.count_nonzero(above & (other[:, np.newaxis] < other))
    pairs = np.sqrt(float(_unequal_pairs(one)) * _unequal_pairs(other))
    return float((same - opposite) / pairs) if pairs else float("nan")


def _unequal_pairs(ranks: NDArray[np.integer]) -> int:
    """The number of pairs that are not tied."""
    n, ties = len(ranks), np.bincount(ranks)
    return int(n * n - (ties * ties).sum()) // 2


def spearman(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Spearman's ρ: the correlation of ranks; tied values share their mean rank."""
    ranks = []
    for values in (np.asarray(first, float), np.asarray(second, float)):
        below = (values[:, np.newaxis] > values).sum(axis=1)
        tied = (values[:, np.newaxis] == values).sum(axis=1)
        ranks.append(below + (tied - 1) / 2)
    if min(len(ranks[0]), *(len(np.unique(r)) for r in ranks)) < 2:
        return float("nan")
    return float(np.corrcoef(*ranks)[0, 1])


def correlation_p_value(correlation: float, pairs: int) -> float:
    """The two-sided p-value by Student's t; scipy.stats has it too, but takes a second to import."""
    freedom = pairs - 2
    with np.errstate(divide="ignore"):
        t = correlation * np.sqrt(freedom / max(1 - np.square(correlation), 0))
    return 2 * float(stdtr(freedom, -abs(t)))
