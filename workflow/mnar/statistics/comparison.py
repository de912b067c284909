"""The significance of a difference over overlapping folds, and of a family of tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr


def mean_and_error(values: NDArray[np.floating]) -> tuple[float, float]:
    """Mean and standard error of the mean over folds; the error of a single fold is unknown."""
    values = np.asarray(values, float)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(error)


@dataclass(frozen=True)
class TTest:
    """A mean difference, and how likely one as large is by chance."""

    difference: float
    p_greater: float
    p_two_sided: float


def corrected_t_test(
    first: NDArray[np.floating], second: NDArray[np.floating], test_over_train: float
) -> TTest:
    """Paired t-test over re-splits, corrected for their overlap (Nadeau and Bengio 2003).

    Re-splits share most of their data, so the plain variance of the mean, s²/n, is too small; the
    correction takes (1/n + n_test/n_train)·s².
    """
    differences = np.asarray(first, float) - np.asarray(second, float)
    n = len(differences)
    mean = float(differences.mean())
    if n < 2:
        # One fold says nothing of how far folds vary.
        return TTest(mean, np.nan, np.nan)
    spread = differences.std(ddof=1)
    if not spread > 0:
        return TTest(mean, 0.0 if mean > 0 else 1.0, 0.0 if mean != 0 else 1.0)
    t = mean / np.sqrt((1 / n + test_over_train) * spread**2)
    return TTest(mean, float(stdtr(n - 1, -t)), float(2 * stdtr(n - 1, -abs(t))))


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjusted p-values of a family of tests (Holm 1979): p of rank r times (tests − r), never falling.

    Written out here, since importing a library for it takes longer than all other work on a table.
    """
    given = np.asarray(p_values, float)
    order = np.argsort(given, kind="stable")
    adjusted = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    back = np.empty_like(given)
    back[order] = np.minimum(adjusted, 1)
    return back


def benjamini_hochberg(p_values: Sequence[float]) -> NDArray[np.float64]:
    """q of each test (Benjamini and Hochberg 1995): the false-discovery rate at which it is found."""
    given = np.asarray(p_values, float)
    order = np.argsort(-given, kind="stable")
    ranks = np.arange(len(given), 0, -1)
    back = np.empty_like(given)
    back[order] = np.minimum(np.minimum.accumulate(given[order] * len(given) / ranks), 1)
    return back
