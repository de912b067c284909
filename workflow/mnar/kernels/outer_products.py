"""Sums of outer products in tiles that stay in the registers of the processor.

The normal equations of fifty factors are too small for BLAS, where packing and calling cost more
than the arithmetic. A tile has ROWS rows of one vector each.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from mnar.kernels.vectors import LANES, Code, step

ROWS = 8


@step
def add_products(typing_context, out, start, i, j, left, right, n):
    """out = start + left[:n]ᵀ right[:n], for the tile at (i, j)."""
    signature = types.void(out, start, types.intp, types.intp, left, right, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        out_array, start_array, i, j, left_array, right_array, n = arguments
        code = Code(context, builder, out)
        rows = [code.after(i, r) for r in range(ROWS)]
        sums = [
            cgutils.alloca_once_value(builder, code.read(code.place(start, start_array, row, j)))
            for row in rows
        ]
        with cgutils.for_range(builder, n) as loop:
            across = code.read(code.place(right, right_array, loop.index, j))
            for row, total in zip(rows, sums, strict=True):
                down = builder.load(code.place(left, left_array, loop.index, row))
                builder.store(code.plus(builder.load(total), code.splat(down), across), total)
        for row, total in zip(rows, sums, strict=True):
            code.write(code.place(out, out_array, row, j), builder.load(total))
        return context.get_dummy_value()

    return signature, generate


@step
def copy_scaled(typing_context, plain, scaled, t, source, row, factor):
    """plain[t] = source[row]; scaled[t] = factor · source[row]."""
    signature = types.void(plain, scaled, types.intp, source, types.intp, plain.dtype)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        plain_array, scaled_array, t, source_array, row, factor = arguments
        code = Code(context, builder, plain)
        factor = code.splat(factor)
        first, lanes = ir.Constant(t.type, 0), ir.Constant(t.type, LANES)
        last = code.length(plain, plain_array, 1)
        with cgutils.for_range_slice(builder, first, last, lanes, inc=True) as (column, _):
            numbers = code.read(code.place(source, source_array, row, column))
            code.write(code.place(plain, plain_array, t, column), numbers)
            code.write(code.place(scaled, scaled_array, t, column), code.times(numbers, factor))
        return context.get_dummy_value()

    return signature, generate
