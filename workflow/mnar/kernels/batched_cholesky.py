"""Solves many small systems of equations at once, each in its own lane of the vectors.

The Cholesky factor of one small matrix is a chain of square roots and divisions, and the processor
mostly waits for them. With matrices side by side it waits once for all. A batch is an array (row,
column, system): each matrix entry below is a vector over systems, and a tile is 4 × 4 vectors.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from mnar.kernels.compiled import njit
from mnar.kernels.vectors import LANES, VectorBuilder, aligned_zeros, llvm_function

SYSTEMS = LANES
TILE = 4
# Smallest pivot to trust, in rounding errors (machine epsilons) of a matrix's largest diagonal entry.
ROUNDING = 8


@njit(cache=True, nogil=True)
def allocate_batch(size, like):
    """Zeros for matrices (system, row, column), for a batch of them, and for their solutions."""
    count = SYSTEMS * size * size
    numbers = aligned_zeros(2 * count + size * SYSTEMS, like.dtype)
    matrices = numbers[:count].reshape((SYSTEMS, size, size))
    batch = numbers[count : 2 * count].reshape((size, size, SYSTEMS))
    x = numbers[2 * count :].reshape((size, SYSTEMS))
    return matrices, batch, x


@njit(cache=True, nogil=True)
def solve_batch(batch, matrices, ridges, factors, x):
    """x[:, s] = A⁻¹ b for A in the upper triangle of matrices[s] and b in its column `factors`.

    The Cholesky factor U of A = UᵀU is computed tile by tile, and column `factors` becomes U⁻ᵀ b on
    the way. A contains the ridge, so only rounding can bring a pivot below it.
    """
    for i in range(-(-factors // TILE) * TILE):
        for j in range(i // LANES * LANES, factors + 1, LANES):
            interleave(batch, matrices, i, j)
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


def _tile_pointers(code: VectorBuilder, array_type: Any, array: Any, i: Any, j: Any) -> list[list]:
    """Pointers to the vectors of the tile at (i, j), row by row."""
    rows, columns = ([code.add_to_index(first, t) for t in range(TILE)] for first in (i, j))
    return [[code.pointer_to(array_type, array, row, column) for column in columns] for row in rows]


@llvm_function
def interleave(typing_context, batch, matrices, i, j):
    """batch[i, j + k, s] = matrices[s, i, j + k] for each system s and k < LANES (a transposition)."""
    signature = types.void(batch, matrices, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        batch_array, matrices_array, i, j = arguments
        code = VectorBuilder(context, builder, batch)
        systems = [ir.Constant(i.type, s) for s in range(SYSTEMS)]
        rows = [code.load(code.pointer_to(matrices, matrices_array, s, i, j)) for s in systems]
        for column, numbers in enumerate(_transposed(code, rows)):
            code.store(
                code.pointer_to(batch, batch_array, i, code.add_to_index(j, column)), numbers
            )
        return context.get_dummy_value()

    return signature, generate


def interleave_plain(batch, matrices, i, j):
    batch[i, j : j + LANES] = matrices[:, i, j : j + LANES].T


def _transposed(code: VectorBuilder, rows: list) -> list:
    """The columns of LANES rows: blocks off the diagonal are swapped, of half the size each time."""
    rows = rows.copy()
    apart = LANES // 2
    while apart:
        for row in (row for row in range(LANES) if not row & apart):
            pair = rows[row], rows[row + apart]
            for half in (0, apart):
                order = [
                    (lane & ~apart) + half + (LANES if lane & apart else 0) for lane in range(LANES)
                ]
                rows[row + half] = code.shuffle(*pair, order)
        apart //= 2
    return rows


@llvm_function
def subtract_products(typing_context, batch, i, j):
    """batch[i:i+4, j:j+4] -= batch[:i, i:i+4]ᵀ batch[:i, j:j+4], for each system."""
    signature = types.void(batch, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, j = arguments
        code = VectorBuilder(context, builder, batch)
        pointers = [pointer for row in _tile_pointers(code, batch, array, i, j) for pointer in row]
        sums = [cgutils.alloca_once_value(builder, code.load(pointer)) for pointer in pointers]
        with cgutils.for_range(builder, i) as loop:
            down, across = (
                [
                    code.load(
                        code.pointer_to(batch, array, loop.index, code.add_to_index(first, c))
                    )
                    for c in range(TILE)
                ]
                for first in (i, j)
            )
            pairs = [(left, right) for left in down for right in across]
            for total, pair in zip(sums, pairs, strict=True):
                builder.store(code.multiply_subtract(builder.load(total), *pair), total)
        for total, pointer in zip(sums, pointers, strict=True):
            code.store(pointer, builder.load(total))
        return context.get_dummy_value()

    return signature, generate


def subtract_products_plain(batch, i, j):
    left, right = batch[:i, i : i + TILE], batch[:i, j : j + TILE]
    batch[i : i + TILE, j : j + TILE] -= np.einsum("krs,kcs->rcs", left, right)


@llvm_function
def factorise(typing_context, batch, i, floors):
    """The tile A at (i, i) becomes its Cholesky factor U, A = UᵀU, with 1/U[r, r] on the diagonal.

    Entries below the diagonal stay as they are. A pivot below its floor is raised to it, since
    rounding alone can bring it there.
    """
    signature = types.void(batch, types.intp, floors)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, floors_array = arguments
        code = VectorBuilder(context, builder, batch)
        pointers = _tile_pointers(code, batch, array, i, i)
        rows = [[code.load(pointer) for pointer in row] for row in pointers]
        floor = code.load(code.pointer_to(floors, floors_array, ir.Constant(i.type, 0)))
        for r in range(TILE):
            above = builder.fcmp_ordered(">", rows[r][r], floor)
            inverse = code.inverse_root(builder.select(above, rows[r][r], floor))
            code.store(pointers[r][r], inverse)
            for c in range(r + 1, TILE):
                rows[r][c] = code.multiply(rows[r][c], inverse)
                code.store(pointers[r][c], rows[r][c])
            for s in range(r + 1, TILE):
                for c in range(s, TILE):
                    rows[s][c] = code.multiply_subtract(rows[s][c], rows[r][s], rows[r][c])
        return context.get_dummy_value()

    return signature, generate


def factorise_plain(batch, i, floors):
    tile = batch[i : i + TILE, i : i + TILE]
    for r in range(TILE):
        tile[r, r] = 1 / np.sqrt(np.maximum(tile[r, r], floors[0]))
        tile[r, r + 1 :] *= tile[r, r]
        for s in range(r + 1, TILE):
            tile[s, s:] -= tile[r, s] * tile[r, s:]


@llvm_function
def substitute(typing_context, batch, i, j):
    """The tile B at (i, j) becomes U⁻ᵀ B, where U is the factorised tile at (i, i)."""
    signature = types.void(batch, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, j = arguments
        code = VectorBuilder(context, builder, batch)
        factor, pointers = (_tile_pointers(code, batch, array, i, column) for column in (i, j))
        rows = [[code.load(pointer) for pointer in row] for row in pointers]
        for r in range(TILE):
            above = [code.load(factor[s][r]) for s in range(r + 1)]
            for c in range(TILE):
                for s in range(r):
                    rows[r][c] = code.multiply_subtract(rows[r][c], above[s], rows[s][c])
                rows[r][c] = code.multiply(rows[r][c], above[r])
                code.store(pointers[r][c], rows[r][c])
        return context.get_dummy_value()

    return signature, generate


def substitute_plain(batch, i, j):
    for s in range(SYSTEMS):
        factor = np.triu(batch[i : i + TILE, i : i + TILE, s])
        np.fill_diagonal(factor, 1 / np.diag(factor))
        tile = batch[i : i + TILE, j : j + TILE, s]
        tile[:] = np.linalg.solve(factor.T, tile)


@llvm_function
def substitute_back(typing_context, batch, i, x, n):
    """Solves batch[k, k:] · x[k:] = 0 for x[k], where k falls from i + 3 to i and k < n.

    The batch is upper triangular and holds the inverse of its diagonal; x is 0 beyond row n.
    """
    signature = types.void(batch, types.intp, x, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, x_array, n = arguments
        code = VectorBuilder(context, builder, batch)
        zero = ir.Constant(code.vector, None)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(TILE)]
        rows = [code.add_to_index(i, r) for r in range(TILE)]
        beyond, one = code.add_to_index(i, TILE), ir.Constant(i.type, 1)
        last = builder.add(n, one)
        with cgutils.for_range_slice(builder, beyond, last, one, inc=True) as (column, _):
            known = code.load(code.pointer_to(x, x_array, column))
            for row, total in zip(rows, sums, strict=True):
                factor = code.load(code.pointer_to(batch, array, row, column))
                builder.store(code.multiply_subtract(builder.load(total), factor, known), total)
        rest = [builder.load(total) for total in sums]
        pointers = _tile_pointers(code, batch, array, i, i)
        tile = [[code.load(pointer) for pointer in row] for row in pointers]
        for r in reversed(range(TILE)):
            pointer = code.pointer_to(x, x_array, rows[r])
            unknown = builder.icmp_signed("<", rows[r], n)
            solved = code.multiply(rest[r], tile[r][r])
            root = builder.select(unknown, solved, code.load(pointer))
            for s in range(r):
                rest[s] = code.multiply_subtract(rest[s], tile[s][r], root)
            code.store(pointer, root)
        return context.get_dummy_value()

    return signature, generate


def substitute_back_plain(batch, i, x, n):
    for k in reversed(range(i, min(i + TILE, n))):
        x[k] = -np.sum(batch[k, k + 1 :] * x[k + 1 :], axis=0) * batch[k, k]
