"""How alike two items (or users) are, and which are nearest.

Rows are those whose likeness is asked for. A row's result depends on that row alone, so any number
of threads gives the same bits.
"""

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings

ROWS = 16


def pearson(rows: Ratings, columns: Ratings, shrinkage: float, threads: int) -> NDArray[np.float32]:
    """Correlation of residuals over what two rows have in common, shrunk by n / (n + shrinkage).

    ρ = Σ e_i e_j / √(Σ e_i² Σ e_j²), all sums over the columns that have both (Koren 2008, 2.2).
    The values of `rows` and of its transpose `columns` are residuals of the biases. A row is not
    compared with itself.
    """
    alike = np.empty((rows.n_users, rows.n_users), np.float32)
    parts = (rows.indptr, rows.items, rows.values, columns.indptr, columns.items, columns.values)
    for_blocks(
        lambda first, last: correlate(first, last, *parts, shrinkage, alike),
        len(alike),
        threads,
        ROWS,
    )
    return alike


def cosine(rows: Ratings, columns: Ratings, shrinkage: float, threads: int) -> NDArray[np.float32]:
    """n_ij / √(n_i n_j), shrunk by n_ij / (n_ij + shrinkage), of 0/1 rows."""
    alike = np.empty((rows.n_users, rows.n_users), np.float32)
    parts = (rows.indptr, rows.items, columns.indptr, columns.items)
    for_blocks(
        lambda first, last: count_common(first, last, *parts, shrinkage, alike),
        len(alike),
        threads,
        ROWS,
    )
    return alike


def nearest(alike: NDArray[np.float32], k: int, threads: int) -> NDArray[np.int32]:
    """The k most similar others of each row, in rising order; -1 fills rows with fewer.

    Only similarities above zero count; of equals the first ones are nearer.
    """
    found = np.empty((len(alike), k), np.int32)
    for_blocks(lambda first, last: select(first, last, alike, found), len(alike), threads, ROWS)
    return found


@njit(cache=True, nogil=True)
def correlate(
    first, last, indptr, columns, values, back_indptr, back_rows, back_values, shrinkage, alike
):
    for row in range(first, last):
        # For each earlier row: Σ e_i e_j, Σ e_i², Σ e_j², n_ij. The later rows do the others.
        sums = np.zeros((row, 4))
        for at in range(indptr[row], indptr[row + 1]):
            own = np.float64(values[at])
            square = own * own
            column = columns[at]
            for other in range(back_indptr[column], back_indptr[column + 1]):
                j = back_rows[other]
                if j >= row:
                    break
                value = np.float64(back_values[other])
                sums[j, 0] += own * value
                sums[j, 1] += square
                sums[j, 2] += value * value
                sums[j, 3] += 1
        for j in range(row):
            rho = 0.0
            if sums[j, 0] != 0:
                rho = sums[j, 0] / np.sqrt(sums[j, 1] * sums[j, 2])
                rho *= sums[j, 3] / (sums[j, 3] + shrinkage)
            alike[row, j] = rho
            alike[j, row] = rho
        alike[row, row] = 0


@njit(cache=True, nogil=True)
def count_common(first, last, indptr, columns, back_indptr, back_rows, shrinkage, alike):
    n = len(indptr) - 1
    for row in range(first, last):
        common = np.zeros(n, np.int32)
        for at in range(indptr[row], indptr[row + 1]):
            column = columns[at]
            for other in range(back_indptr[column], back_indptr[column + 1]):
                common[back_rows[other]] += 1
        size = indptr[row + 1] - indptr[row]
        for j in range(n):
            count = np.float64(common[j])
            alike[row, j] = 0
            if count > 0:
                length = np.sqrt(np.float64(size * (indptr[j + 1] - indptr[j])))
                alike[row, j] = count / length * count / (count + shrinkage)
        alike[row, row] = 0


@njit(cache=True, nogil=True)
def further(key, position, other_key, other_position):
    """Whether the first of two is less similar, or as similar and later."""
    return key < other_key or (key == other_key and position > other_position)


@njit(cache=True, nogil=True)
def keep_nearest(keys, positions, size, key, position):
    """Offer (key, place) to a heap of the nearest, whose furthest is on top; the new size."""
    if size < len(keys):
        at = size
        size += 1
        while at > 0:
            above = (at - 1) // 2
            if not further(key, position, keys[above], positions[above]):
                break
            keys[at] = keys[above]
            positions[at] = positions[above]
            at = above
    else:
        if not further(keys[0], positions[0], key, position):
            return size
        at = 0
        while 2 * at + 1 < size:
            below = 2 * at + 1
            right = below + 1
            if right < size and further(
                keys[right], positions[right], keys[below], positions[below]
            ):
                below = right
            if not further(keys[below], positions[below], key, position):
                break
            keys[at] = keys[below]
            positions[at] = positions[below]
            at = below
    keys[at] = key
    positions[at] = position
    return size


@njit(cache=True, nogil=True)
def select(first, last, alike, found):
    k = found.shape[1]
    keys = np.empty(k, np.float32)
    positions = np.empty(k, np.int64)
    for row in range(first, last):
        size = 0
        for j in range(alike.shape[1]):
            if alike[row, j] > 0:
                size = keep_nearest(keys, positions, size, alike[row, j], j)
        found[row] = -1
        found[row, :size] = np.sort(positions[:size])
