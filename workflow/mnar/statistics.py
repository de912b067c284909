"""How sure a difference is: over folds that overlap, over users, and over families of tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnar.seeds import generator


def mean_and_error(values: NDArray[np.floating]) -> tuple[float, float]:
    """Mean and standard error of the mean over folds; the error of a single fold is unknown."""
    values = np.asarray(values, float)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(error)


@dataclass(frozen=True)
class Comparison:
    difference: float
    p_greater: float
    p_two_sided: float


def corrected_t_test(
    first: NDArray[np.floating], second: NDArray[np.floating], test_over_train: float
) -> Comparison:
    """Paired t-test over re-splits, corrected for their overlap (Nadeau and Bengio 2003).

    Re-splits share most of their data, so the plain variance of the mean, s²/n, is too small; the
    correction takes (1/n + n_test/n_train)·s².
    """
    from scipy.special import stdtr

    differences = np.asarray(first, float) - np.asarray(second, float)
    n = len(differences)
    mean = float(differences.mean())
    spread = differences.std(ddof=1) if n > 1 else np.nan
    if not spread > 0:
        sure = 0.0 if mean > 0 else 1.0
        return Comparison(mean, sure if n > 1 else np.nan, 1.0 if mean == 0 else sure)
    t = mean / np.sqrt((1 / n + test_over_train) * spread**2)
    return Comparison(mean, float(stdtr(n - 1, -t)), float(2 * stdtr(n - 1, -abs(t))))


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjusted p-values of a family of tests (Holm 1979): p of rank r times (tests − r), never falling.

    Written out, since to import it from a library takes longer than all other work on a table.
    """
    given = np.asarray(p_values, float)
    order = np.argsort(given, kind="stable")
    adjusted = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    back = np.empty_like(given)
    back[order] = np.minimum(adjusted, 1)
    return back


# With more users than this, groups of them are drawn: a million users would take 16 GB.
MOST_DRAWN = 1 << 14


@lru_cache(maxsize=2)
def user_samples(users: int, samples: int, *seed: object) -> NDArray[np.float64]:
    """How often each user is in each bootstrap sample: samples × users multiplicities.

    Of very many users, how often each group of them is (mnar.measures.values.in_groups): what is
    summed over users varies as much from sample to sample, whether one by one or in groups.
    The last ones are kept, since many comparisons in a row share them.
    """
    random = generator("bootstrap", *seed)
    drawable = min(users, MOST_DRAWN)
    times = np.empty((samples, drawable))
    # Two to three times as fast as random.multinomial. As floats they are summed faster.
    for row in times:
        row[:] = np.bincount(random.integers(drawable, size=drawable), minlength=drawable)
    return times


def interval(samples: NDArray[np.floating], level: float = 0.95) -> tuple[float, float]:
    """The central interval of bootstrap samples; samples without a value are left out."""
    tail = 50 * (1 - level)
    low, high = np.nanpercentile(samples, [tail, 100 - tail])
    return float(low), float(high)


def kendall(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Kendall's τ-b of two orders, without NaN. All pairs at once: for some thousand values at most."""
    # By the ranks of values, as small numbers, of which an instruction compares many.
    ranks = [np.unique(values, return_inverse=True)[1] for values in (first, second)]
    small = np.int16 if len(ranks[0]) < 1 << 15 else np.int64
    one, other = (rank.astype(small) for rank in ranks)
    above = one[:, np.newaxis] > one
    same = np.count_nonzero(above & (other[:, np.newaxis] > other))
    opposite = np.count_nonzero(above & (other[:, np.newaxis] < other))
    pairs = np.sqrt(float(_unequal_pairs(one)) * _unequal_pairs(other))
    return float((same - opposite) / pairs) if pairs else float("nan")


def _unequal_pairs(ranks: NDArray[np.integer]) -> int:
    """Of how many pairs one is above the other."""
    n, ties = len(ranks), np.bincount(ranks)
    return int(n * n - (ties * ties).sum()) // 2


def spearman(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Spearman's ρ: the correlation of ranks, those of equal values averaged."""
    ranks = []
    for values in (np.asarray(first, float), np.asarray(second, float)):
        below = (values[:, np.newaxis] > values).sum(axis=1)
        tied = (values[:, np.newaxis] == values).sum(axis=1)
        ranks.append(below + (tied - 1) / 2)
    if min(len(ranks[0]), *(len(np.unique(r)) for r in ranks)) < 2:
        return float("nan")
    return float(np.corrcoef(*ranks)[0, 1])


def correlation_p_value(correlation: float, pairs: int) -> float:
    """Two-sided, by Student's t; scipy.stats has it, too, but takes a second to import."""
    from scipy.special import stdtr

    freedom = pairs - 2
    with np.errstate(divide="ignore"):
        t = correlation * np.sqrt(freedom / max(1 - np.square(correlation), 0))
    return 2 * float(stdtr(freedom, -abs(t)))
