"""Logistic weights and costs of all entries of a block of scores, in vector registers."""

from math import factorial, log

import numpy as np

from mnar.kernels.compiled import njit

# Of 2^f = Σ_k C[k] f^k, to the last digit for |f| ≤ 1/2 in single precision.
C = tuple(np.float32(log(2) ** k / factorial(k)) for k in range(7))
PER_BIT = np.float32(1 / log(2))
# Powers of two that are normal numbers.
LARGEST = np.float32(126)
HALF, ONE = np.float32(0.5), np.float32(1)
# Factors between 1/2 and 1 whose product stays far from the smallest number.
FACTORS_EACH = 64


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def weigh_missing(numbers, weight):
    """numbers = weight / (1 + e^numbers), in position: weight × σ(Ŷ) for −Ŷ.

    e^x = 2^n 2^f for the whole number n next to x / ln 2: 2^n is put together from its bits, 2^f is a
    polynomial. In vector registers, which a call of an exponential function is not.
    """
    lines = numbers.reshape(-1)
    for position in range(len(lines)):
        power = min(max(lines[position] * PER_BIT, -LARGEST), LARGEST)
        whole = np.floor(power + HALF)
        f = power - whole
        part = C[6]
        for k in range(5, -1, -1):
            part = part * f + C[k]
        times = np.int32((np.int32(whole) + np.int32(127)) << np.int32(23)).view(np.float32)
        lines[position] = np.float32(weight) / (ONE + part * times)


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"})
def sum_positive(numbers):
    """Σ max(Ŷ, 0) for −Ŷ."""
    total = 0.0
    for number in numbers.reshape(-1):
        total += max(-number, np.float32(0))
    return total


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"})
def sum_logarithms(weighed, weight):
    """Σ log(1 + e^−|Ŷ|) from weight × σ(Ŷ): 1 / (1 + e^−|Ŷ|) is the larger of σ(Ŷ) and 1 − σ(Ŷ).

    One logarithm for many factors between 1/2 and 1. With max(Ŷ, 0) it makes log(1 + e^Ŷ).
    """
    lines = weighed.reshape(-1)
    products = np.ones(-(-len(lines) // FACTORS_EACH))
    for first in range(0, len(lines), len(products)):
        for position in range(min(len(products), len(lines) - first)):
            share = np.float64(lines[first + position]) / weight
            products[position] *= max(share, 1 - share)
    return -np.log(products).sum()


@njit(cache=True, nogil=True)
def weigh_relevant(first, last, indptr, columns, missing_weight, vectors, design, slopes, costs):
    """Relevant entries have the slope 1 − σ(Ŷ) instead of −w_m σ(Ŷ): add the difference.

    Where there are costs, theirs is log(1 + e^Ŷ) − Ŷ instead of w_m log(1 + e^Ŷ).
    """
    for row in range(first, last):
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            score = np.float32(0)
            for k in range(vectors.shape[1]):
                score += vectors[row, k] * design[column, k]
            more = 1 - (1 - missing_weight) / (1 + np.exp(-score))
            for k in range(vectors.shape[1]):
                slopes[row, k] += np.float32(more) * design[column, k]
            if len(costs) > 0:
                above = max(score, 0) + np.log1p(np.exp(-abs(score)))
                costs[row] += (1 - missing_weight) * above - score
