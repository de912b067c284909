"""Many small systems of equations at a time, each in its own lane of the vectors.

The Cholesky factor of a small matrix is a chain of square roots and divisions that a processor
mostly waits for; for matrices side by side it waits once. A batch is an array (row, column, system),
so that each of its numbers below is a vector, and a tile is 4 × 4 vectors.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from mnar.kernels.compiled import njit
from mnar.kernels.vectors import LANES, Code, aligned_zeros, step

SYSTEMS = LANES
TILE = 4
# Smallest pivot to be trusted, in units of the last place of the largest number of a matrix.
ROUNDING = 8


@njit(cache=True, nogil=True)
def room(size, like):
    """Zeros for matrices (system, row, column), a batch of them, and their solutions."""
    count = SYSTEMS * size * size
    numbers = aligned_zeros(2 * count + size * SYSTEMS, like.dtype)
    matrices = numbers[:count].reshape((SYSTEMS, size, size))
    batch = numbers[count : 2 * count].reshape((size, size, SYSTEMS))
    x = numbers[2 * count :].reshape((size, SYSTEMS))
    return matrices, batch, x


@njit(cache=True, nogil=True)
def solve_batch(batch, matrices, ridges, factors, x):
    """x[:, s] = A⁻¹ b for A in the upper triangle of matrices[s] and b in its column `factors`.

    Cholesky A = UᵀU, tile by tile; on the way column `factors` becomes U⁻ᵀ b. A contains the
    ridge, so no pivot is below it but for rounding, whose size goes with the largest number.
    """
    for i in range(-(-factors // TILE) * TILE):
        for j in range(i // LANES * LANES, factors + 1, LANES):
            lay_out(batch, matrices, i, j)
    floors = np.zeros((1, SYSTEMS), batch.dtype)
    for k in range(factors):
        for s in range(SYSTEMS):
            floors[0, s] = max(floors[0, s], batch[k, k, s])
    for s in range(SYSTEMS):
        floors[0, s] = max(ridges[s], ROUNDING * np.finfo(batch.dtype).eps * floors[0, s])
    for i in range(0, factors, TILE):
        for j in range(i, factors + 1, TILE):
            subtract_products(batch, i, j)
        factorise(batch, i, floors)
        for j in range(i + TILE, factors + 1, TILE):
            substitute(batch, i, j)
    x[:] = 0
    x[factors] = -1
    for i in range((factors - 1) // TILE * TILE, -1, -TILE):
        substitute_back(batch, i, x, factors)


def _tile(code: Code, array_type: Any, array: Any, row: Any, column: Any) -> list[list]:
    """Pointers to the vectors of the tile at (row, column)."""
    return [
        [
            code.place(array_type, array, code.after(row, r), code.after(column, c))
            for c in range(TILE)
        ]
        for r in range(TILE)
    ]


@step
def lay_out(typing_context, batch, matrices, i, j):
    """batch[i, j + k, s] = matrices[s, i, j + k] for each system and k < LANES: a transposition."""
    signature = types.void(batch, matrices, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        batch_array, matrices_array, i, j = arguments
        code = Code(context, builder, batch)
        systems = [ir.Constant(i.type, s) for s in range(SYSTEMS)]
        rows = [code.read(code.place(matrices, matrices_array, s, i, j)) for s in systems]
        # Rows that are `apart` rows apart swap those halves of 2 · `apart` numbers that are out of place.
        apart = LANES // 2
        while apart:
            for row in (row for row in range(LANES) if not row & apart):
                pair = rows[row], rows[row + apart]
                for half in (0, apart):
                    order = [
                        (lane & ~apart) + half + (LANES if lane & apart else 0)
                        for lane in range(LANES)
                    ]
                    rows[row + half] = code.shuffle(*pair, order)
            apart //= 2
        for column, numbers in enumerate(rows):
            code.write(code.place(batch, batch_array, i, code.after(j, column)), numbers)
        return context.get_dummy_value()

    return signature, generate


@step
def subtract_products(typing_context, batch, i, j):
    """batch[i:i+4, j:j+4] -= batch[:i, i:i+4]ᵀ batch[:i, j:j+4]."""
    signature = types.void(batch, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, j = arguments
        code = Code(context, builder, batch)
        places = [place for row in _tile(code, batch, array, i, j) for place in row]
        sums = [cgutils.alloca_once_value(builder, code.read(place)) for place in places]
        with cgutils.for_range(builder, i) as loop:
            down, across = (
                [
                    code.read(code.place(batch, array, loop.index, code.after(first, c)))
                    for c in range(TILE)
                ]
                for first in (i, j)
            )
            factors = [(left, right) for left in down for right in across]
            for total, pair in zip(sums, factors, strict=True):
                builder.store(code.minus(builder.load(total), *pair), total)
        for total, place in zip(sums, places, strict=True):
            code.write(place, builder.load(total))
        return context.get_dummy_value()

    return signature, generate


@step
def factorise(typing_context, batch, i, floors):
    """Cholesky factor U of batch[i:i+4, i:i+4] = UᵀU in its place, with 1/U[r, r] on the diagonal.

    A pivot below its floor is raised to it: rounding alone can bring it there.
    """
    signature = types.void(batch, types.intp, floors)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, floors_array = arguments
        code = Code(context, builder, batch)
        places = _tile(code, batch, array, i, i)
        rows = [[code.read(place) for place in row] for row in places]
        floor = code.read(code.place(floors, floors_array, ir.Constant(i.type, 0)))
        for r in range(TILE):
            above = builder.fcmp_ordered(">", rows[r][r], floor)
            inverse = code.one_over_root(builder.select(above, rows[r][r], floor))
            code.write(places[r][r], inverse)
            for c in range(r + 1, TILE):
                rows[r][c] = code.times(rows[r][c], inverse)
                code.write(places[r][c], rows[r][c])
            for s in range(r + 1, TILE):
                for c in range(s, TILE):
                    rows[s][c] = code.minus(rows[s][c], rows[r][s], rows[r][c])
        return context.get_dummy_value()

    return signature, generate


@step
def substitute(typing_context, batch, i, j):
    """batch[i:i+4, j:j+4] becomes U⁻ᵀ batch[i:i+4, j:j+4], with U the factorised tile at (i, i)."""
    signature = types.void(batch, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, j = arguments
        code = Code(context, builder, batch)
        factor, places = (_tile(code, batch, array, i, column) for column in (i, j))
        rows = [[code.read(place) for place in row] for row in places]
        for r in range(TILE):
            above = [code.read(factor[s][r]) for s in range(r + 1)]
            for c in range(TILE):
                for s in range(r):
                    rows[r][c] = code.minus(rows[r][c], above[s], rows[s][c])
                rows[r][c] = code.times(rows[r][c], above[r])
                code.write(places[r][c], rows[r][c])
        return context.get_dummy_value()

    return signature, generate


@step
def substitute_back(typing_context, batch, i, x, n):
    """Solves batch[k, k:] · x[k:] = 0 for x[k], where k goes down from i + 3 to i and k < n.

    The batch is upper triangular with the inverse of its diagonal in place of it.
    """
    signature = types.void(batch, types.intp, x, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, x_array, n = arguments
        code = Code(context, builder, batch)
        zero = ir.Constant(code.vector, None)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(TILE)]
        beyond, one = code.after(i, TILE), ir.Constant(i.type, 1)
        last = builder.add(n, one)
        with cgutils.for_range_slice(builder, beyond, last, one, inc=True) as (column, _):
            known = code.read(code.place(x, x_array, column))
            for r, total in enumerate(sums):
                factor = code.read(code.place(batch, array, code.after(i, r), column))
                builder.store(code.minus(builder.load(total), factor, known), total)
        rest = [builder.load(total) for total in sums]
        tile = [[code.read(place) for place in row] for row in _tile(code, batch, array, i, i)]
        for r in reversed(range(TILE)):
            place = code.place(x, x_array, code.after(i, r))
            unknown = builder.icmp_signed("<", code.after(i, r), n)
            root = builder.select(unknown, code.times(rest[r], tile[r][r]), code.read(place))
            for s in range(r):
                rest[s] = code.minus(rest[s], tile[s][r], root)
            code.write(place, root)
        return context.get_dummy_value()

    return signature, generate
