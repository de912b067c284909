"""Least squares with many factors: blocks of coordinates in turn, each solved exactly (iALS++).

An exact row takes the cube of the factors, and its matrix their square for each entry. With the other
coordinates held fixed, a block of a row is a small problem of the same kind: what the others already
explain is taken off the targets, of observed entries one by one, of missing ones by a Gram matrix
(Rendle, Krichene, Zhang, Koren 2021). One pass over the blocks lowers the objective; sweeps repeat it.
"""

from dataclasses import replace

import numpy as np

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.models._als import ROWS, Floats, Side, gram, padded, solve

# Up to here rows are solved exactly; beyond, blocks come to the same objective in less time.
MOST_EXACT = 128
# With the right-hand side whole registers.
BLOCK = 63


def improve(
    side: Side,
    design: Floats,
    factors: int,
    threads: int,
    vectors: Floats | None,
    pull: Floats | None = None,
) -> Floats:
    """The best vector of every row or, with many factors, a better one than that in `vectors`."""
    # A weight of 0 leaves nothing to take off its target.
    if factors <= MOST_EXACT or vectors is None or not side.weights.all():
        return solve(side, design, factors, threads, pull)
    return solve_blocks(side, design, factors, threads, vectors, pull)


def improve_towards(
    side: Side,
    design: Floats,
    factors: int,
    threads: int,
    vectors: Floats | None,
    towards: Floats | None,
) -> Floats:
    """As `improve`, each row drawn to its row of `towards` where that is given.

    A row without entries equals it.
    """
    if towards is None:
        return improve(side, design, factors, threads, vectors)
    pull = side.ridge[:, None] * towards
    found = improve(side, design, factors, threads, vectors, pull)
    return np.where(side.ridge[:, None] > 0, found, towards)


def solve_blocks(
    side: Side,
    design: Floats,
    factors: int,
    threads: int,
    vectors: Floats,
    pull: Floats | None = None,
    block: int = BLOCK,
) -> Floats:
    """One pass over the blocks of coordinates, beginning at `vectors`."""
    found, number = vectors.copy(), design.dtype.type
    scores = np.zeros(len(side.columns), number)
    add_scores(side, found, design, scores, threads)
    missing = np.zeros((0, 0), number)
    if side.missing_weight:
        missing = (side.missing_weight * gram(design, threads)).astype(number)
    # What the sum over all entries takes off an observed one is not taken off once more.
    share = (1 - side.missing_weight / side.weights).astype(number)
    for first in range(0, factors, block):
        part = slice(first, min(first + block, factors))
        size = part.stop - part.start
        some, old = padded(design[:, part]), padded(found[:, part])
        add_scores(side, -old, some, scores, threads)
        left = replace(side, values=(side.values - share * scores).astype(np.float32))
        pulls = np.zeros_like(old)
        if pull is not None:
            pulls[:, :size] = pull[:, part]
        if side.missing_weight:
            found[:, part] = 0
            pulls[:, :size] -= product(found, missing[:, part], threads)
        solved = solve(left, some, size, threads, pulls)
        add_scores(side, solved, some, scores, threads)
        found[:, part] = solved[:, :size]
    return found


def product(rows: Floats, matrix: Floats, threads: int) -> Floats:
    found = np.empty((len(rows), matrix.shape[1]), rows.dtype)

    def multiply(first: int, last: int) -> None:
        found[first:last] = rows[first:last] @ matrix

    for_blocks(multiply, len(rows), threads, ROWS)
    return found


def add_scores(side: Side, rows: Floats, design: Floats, scores: Floats, threads: int) -> None:
    """Add the product of the two vectors of each entry to its score."""

    def work(first: int, last: int) -> None:
        add_products_of_entries(first, last, side.indptr, side.columns, rows, design, scores)

    for_blocks(work, side.n_rows, threads, ROWS)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def add_products_of_entries(first, last, indptr, columns, rows, design, scores):
    for row in range(first, last):
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            total = rows[row, 0] * design[column, 0]
            for k in range(1, design.shape[1]):
                total += rows[row, k] * design[column, k]
            scores[entry] += total
