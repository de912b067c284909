"""Comparisons of all pairs of systems in every bootstrap sample."""

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit

Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def compare_orders(first, second, taus):
    """Kendall's τ-b of two orders of the systems, for each column (systems × samples)."""
    systems, samples = first.shape
    for sample in range(samples):
        agree = untied_first = untied_second = 0
        for i in range(systems):
            for j in range(i):
                one, other = first[i, sample], first[j, sample]
                a = (one > other) - (one < other)
                one, other = second[i, sample], second[j, sample]
                b = (one > other) - (one < other)
                agree += a * b
                untied_first += a != 0
                untied_second += b != 0
        pairs = np.sqrt(float(untied_first) * untied_second)
        taus[sample] = agree / pairs if pairs > 0 else np.nan


@njit(cache=True, nogil=True)
def count_signs(samples, higher, lower):
    """In how many samples system i is above and below system j, for each pair i > j."""
    pair = 0
    for i in range(len(samples)):
        for j in range(i):
            for sample in range(samples.shape[1]):
                higher[pair] += samples[i, sample] > samples[j, sample]
                lower[pair] += samples[i, sample] < samples[j, sample]
            pair += 1


def kendall_of_columns(first: Floats, second: Floats) -> Floats:
    """τ-b of each pair of columns; a single column is compared with every one of the other."""
    first, second = (np.ascontiguousarray(np.atleast_2d(x.T).T) for x in (first, second))
    first, second = np.broadcast_arrays(first, second)
    taus = np.empty(first.shape[1])
    compare_orders(np.ascontiguousarray(first), np.ascontiguousarray(second), taus)
    return taus


def sure_signs(samples: Floats, level: float = 0.95) -> NDArray[np.int8]:
    """For each pair i > j: 1 or −1 where the central interval of its difference excludes 0, else 0."""
    n = len(samples) * (len(samples) - 1) // 2
    higher, lower = np.zeros(n, np.int64), np.zeros(n, np.int64)
    count_signs(np.ascontiguousarray(samples), higher, lower)
    tail = (1 - level) / 2 * samples.shape[1]
    return (samples.shape[1] - higher < tail).astype(np.int8) - (
        samples.shape[1] - lower < tail
    ).astype(np.int8)


def signs(values: Floats) -> NDArray[np.int8]:
    """The sign of the difference of each pair i > j, in the same order."""
    i, j = np.tril_indices(len(values), -1)
    return np.sign(values[i] - values[j]).astype(np.int8)
