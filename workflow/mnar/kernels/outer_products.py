"""Sums of outer products in tiles that stay in the processor's registers.

The normal equations of fifty factors are too small for BLAS: packing and calling would cost more than
the arithmetic. A tile has TILE_ROWS rows of one vector each.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from mnar.kernels.vectors import LANES, VectorBuilder, llvm_function

TILE_ROWS = 8


@llvm_function
def add_products(typing_context, out, start, i, j, left, right, n):
    """out = start + left[:n]ᵀ right[:n], for the tile at (i, j). `out` may be `start`."""
    signature = types.void(out, start, types.intp, types.intp, left, right, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        out_array, start_array, i, j, left_array, right_array, n = arguments
        code = VectorBuilder(context, builder, out)
        rows = [code.add_to_index(i, r) for r in range(TILE_ROWS)]
        starts = [code.load(code.pointer_to(start, start_array, row, j)) for row in rows]
        sums = [cgutils.alloca_once_value(builder, vector) for vector in starts]
        with cgutils.for_range(builder, n) as loop:
            across = code.load(code.pointer_to(right, right_array, loop.index, j))
            for row, total in zip(rows, sums, strict=True):
                down = builder.load(code.pointer_to(left, left_array, loop.index, row))
                more = code.multiply_add(builder.load(total), code.splat(down), across)
                builder.store(more, total)
        for row, total in zip(rows, sums, strict=True):
            code.store(code.pointer_to(out, out_array, row, j), builder.load(total))
        return context.get_dummy_value()

    return signature, generate


def add_products_plain(out, start, i, j, left, right, n):
    rows, columns = slice(i, i + TILE_ROWS), slice(j, j + LANES)
    out[rows, columns] = start[rows, columns] + left[:n, rows].T @ right[:n, columns]


@llvm_function
def copy_scaled(typing_context, plain, scaled, t, source, row, factor):
    """plain[t] = source[row]; scaled[t] = factor · source[row]."""
    signature = types.void(plain, scaled, types.intp, source, types.intp, plain.dtype)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        plain_array, scaled_array, t, source_array, row, factor = arguments
        code = VectorBuilder(context, builder, plain)
        factor = code.splat(factor)
        first, lanes = ir.Constant(t.type, 0), ir.Constant(t.type, LANES)
        last = code.length(plain, plain_array, 1)
        with cgutils.for_range_slice(builder, first, last, lanes, inc=True) as (column, _):
            numbers = code.load(code.pointer_to(source, source_array, row, column))
            code.store(code.pointer_to(plain, plain_array, t, column), numbers)
            products = code.multiply(numbers, factor)
            code.store(code.pointer_to(scaled, scaled_array, t, column), products)
        return context.get_dummy_value()

    return signature, generate


def copy_scaled_plain(plain, scaled, t, source, row, factor):
    plain[t] = source[row]
    scaled[t] = factor * source[row]
