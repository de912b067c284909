"""Weighted least squares over all entries, observed and missing (steck2010 4.1 and 4.2).

One kernel solves the rows of one side with the vectors of the other side held fixed; every
least-squares method is a choice of weights, targets and ridge for it. Vectors are padded with
zeros to whole registers (`padded`). They are in single precision: on MovieLens 1M ATOP and RMSE of
every method here are within 2e-6 of those in double precision.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator
from mnar.kernels.batched_cholesky import SYSTEMS, allocate_batch, solve_batch
from mnar.kernels.compiled import njit
from mnar.kernels.outer_products import TILE_ROWS, add_products, copy_scaled
from mnar.kernels.vectors import LANES
from mnar.matrices.ratings import Ratings

# Entries gathered at a time: with the normal matrix of fifty factors they fit the first cache.
CHUNK = 32
ROWS = 256
GRAM_ROWS = 8192
# Of the normal numbers at the start. The first solve sets the true scale; 0.01 and 1 need a
# sweep or two more to come as far.
START = 0.1

Floats = NDArray[np.floating]
# From solved items, and how many entries each has, to what each of them is drawn towards.
Share = Callable[[Floats, NDArray[np.integer]], Floats]


@dataclass(frozen=True)
class Side:
    """The rows of one side and what pulls on them: R, W and the ridge of Eq. 15 (or 16).

    An observed entry has a weight and the target value − base[column]; a missing one has the
    missing weight and the target 0.
    """

    indptr: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    weights: Floats  # one for each entry, or a single one for all
    missing_weight: float
    base: Floats
    ridge: Floats

    @property
    def n_rows(self) -> int:
        return len(self.indptr) - 1


def side_of(
    rows: Ratings, missing_weight: float, imputed: float, penalty: float, weights: Floats
) -> Side:
    """The users of `rows` (or the items of its transpose) with the ridge λ·tr(W) of Eq. 19."""
    refused = without_solution(missing_weight, penalty)
    if refused is not None:
        raise UserError(f"{refused[0].upper()}{refused[1:]}.")
    counts = np.diff(rows.indptr)
    if len(weights) == 1:
        observed = weights[0] * counts
    else:
        observed = np.zeros(rows.n_users)
        filled = np.flatnonzero(counts)
        observed[filled] = np.add.reduceat(weights, rows.indptr[filled], dtype=np.float64)
    trace = missing_weight * (rows.n_items - counts) + observed
    base = np.full(rows.n_items, imputed)
    return Side(
        rows.indptr, rows.items, rows.values, weights, missing_weight, base, penalty * trace
    )


def observed_side(rows: Ratings, penalty: float) -> Side:
    """The observed entries alone, each with weight 1."""
    return side_of(rows, 0.0, 0.0, penalty, np.ones(1))


def without_solution(missing_weight: float, penalty: float) -> str | None:
    """Why least squares with these settings have no single solution, if so.

    With λ = 0 and w_m = 0 nothing decides about the unseen items of a user who has fewer ratings than
    factors. With w_m > 0 all entries have a weight, so all scores are determined.
    """
    if penalty > 0 or missing_weight > 0:
        return None
    return (
        "lambda 0 without a weight of missing ratings leaves users with fewer ratings than factors "
        "undetermined; use a lambda above 0"
    )


def check_size(what: str, known: int, given: int) -> None:
    if known != given:
        raise UserError(
            f"The model knows {known} {what} but the ratings to fold in have {given}; "
            "number them as in training."
        )


def width(factors: int) -> int:
    """Length of a padded vector: whole registers, with room for the right-hand side."""
    return LANES * (factors // LANES + 1)


def padded(vectors: Floats) -> Floats:
    rows, factors = vectors.shape
    out = np.zeros((rows, width(factors)), vectors.dtype)
    out[:, :factors] = vectors
    return out


def start(rows: int, factors: int, seed: int) -> NDArray[np.float32]:
    """Random vectors to begin with."""
    normal = generator(seed, "start").standard_normal((rows, factors), np.float32)
    return padded(START * normal)


def gram(design: Floats, threads: int) -> NDArray[np.float64]:
    """QᵀQ, its blocks summed in double precision."""
    size = design.shape[1]
    blocks = np.zeros((-(-len(design) // GRAM_ROWS), size, size))

    def multiply(first: int, last: int) -> None:
        block = design[first:last]
        blocks[first // GRAM_ROWS] = block.T @ block

    for_blocks(multiply, len(design), threads, GRAM_ROWS)
    return blocks.sum(axis=0)


def solve(
    side: Side, design: Floats, factors: int, threads: int, pull: Floats | None = None
) -> Floats:
    """The best vector of every row, given the padded vectors `design` of the columns.

    `pull` is added to the right-hand side of each row: ridge × m draws the row towards m.
    """
    number = design.dtype.type
    size = design.shape[1]
    solutions = np.zeros((side.n_rows, size), number)
    pull = np.zeros((0, size), number) if pull is None else pull.astype(number, copy=False)
    everywhere = np.zeros((size, size), number)
    if side.missing_weight:
        everywhere[:] = side.missing_weight * gram(design, threads)
    weights, base, ridge = (
        array.astype(number, copy=False) for array in (side.weights, side.base, side.ridge)
    )
    given = (side.indptr, side.columns, side.values, weights, number(side.missing_weight))

    def work(first: int, last: int) -> None:
        solve_rows(first, last, *given, base, ridge, pull, design, everywhere, factors, solutions)

    for_blocks(work, side.n_rows, threads, ROWS)
    return solutions


@njit(cache=True, nogil=True)
def solve_rows(
    first,
    last,
    indptr,
    columns,
    values,
    weights,
    missing_weight,
    base,
    ridge,
    pull,
    design,
    everywhere,
    factors,
    solutions,
):
    """Eq. 15 for the rows first to last, by Eqs. 17 and 18 with w_m QᵀQ given as `everywhere`.

    The right-hand side is one more column of the matrix, so that it is summed and eliminated
    along with it. A row with no weight at all (no ridge, no missing weight) keeps the zero vector.
    """
    size = design.shape[1]
    stride = 1 if len(weights) > 1 else 0
    plain = np.zeros((CHUNK, size), design.dtype)
    scaled = np.zeros((CHUNK, size), design.dtype)
    matrices, batch, x = allocate_batch(size, design)
    ridges = np.ones(SYSTEMS, design.dtype)
    for row in range(first, last):
        matrix = matrices[(row - first) % SYSTEMS]
        total = everywhere
        # At least one pass, though it be an empty one: it is what sets the matrix.
        for chunk in range(indptr[row], max(indptr[row + 1], indptr[row] + 1), CHUNK):
            n = min(CHUNK, indptr[row + 1] - chunk)
            for t in range(n):
                entry = chunk + t
                column = columns[entry]
                weight = weights[stride * entry]
                copy_scaled(plain, scaled, t, design, column, weight - missing_weight)
                scaled[t, factors] = weight * (values[entry] - base[column])
            for i in range(0, factors, TILE_ROWS):
                for j in range(i // LANES * LANES, size, LANES):
                    add_products(matrix, total, i, j, plain, scaled, n)
            total = matrix
        for k in range(factors):
            matrix[k, k] += ridge[row]
        if len(pull) > 0:
            for k in range(factors):
                matrix[k, factors] += pull[row, k]
        ridges[(row - first) % SYSTEMS] = ridge[row]
        if row == last - 1 or (row - first) % SYSTEMS == SYSTEMS - 1:
            solve_batch(batch, matrices, ridges, factors, x)
            for solved in range(row - (row - first) % SYSTEMS, row + 1):
                if ridge[solved] > 0 or missing_weight > 0:
                    for k in range(factors):
                        solutions[solved, k] = x[k, (solved - first) % SYSTEMS]


def operations(entries: int, rows: int, factors: int, counts_missing: bool) -> int:
    """Additions and multiplications of one sweep over users and items (steck2010 section 4.2)."""
    # The upper triangle of each normal matrix, from the observed entries, and its factorisation.
    total = 2 * entries * factors * (factors + 1) + rows * factors**3 // 3
    return total + rows * factors * (factors + 1) if counts_missing else total


def objective(
    users: Side, items: Side, user_vectors: Floats, item_vectors: Floats, threads: int = 1
) -> float:
    """Eq. 13 over all entries: the missing ones by the Gram matrices, the observed ones one by one.

    `users` and `items` are the two sides of the same problem with the same base everywhere.
    """
    p, q = user_vectors.astype(np.float64), item_vectors.astype(np.float64)
    missing = users.missing_weight * np.sum(gram(p, threads) * gram(q, threads))
    penalty = users.ridge @ np.sum(p**2, axis=1) + items.ridge @ np.sum(q**2, axis=1)
    given = (users.indptr, users.columns, users.values, users.weights.astype(np.float64))
    observed = np.zeros(users.n_rows)

    def work(first: int, last: int) -> None:
        missing_weight, base = users.missing_weight, users.base
        sum_observed(
            first, last, *given, missing_weight, base, user_vectors, item_vectors, observed
        )

    for_blocks(work, users.n_rows, threads, ROWS)
    return float(observed.sum() + missing + penalty)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def sum_observed(first, last, indptr, columns, values, weights, missing_weight, base, p, q, sums):
    """Observed part of Eq. 13 by row, less what the sum over all entries says of the same entries."""
    stride = 1 if len(weights) > 1 else 0
    for row in range(first, last):
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            score = p[row, 0] * q[column, 0]
            for k in range(1, p.shape[1]):
                score += p[row, k] * q[column, k]
            error = values[entry] - base[column] - score
            sums[row] += weights[stride * entry] * error**2 - missing_weight * score**2
