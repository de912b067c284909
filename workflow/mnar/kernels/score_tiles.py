"""Scores of a block of items for a few users at a time, held in registers: LLVM code.

A score is the sum of products in the order of the factors, wherever in a tile it stands: equal items
have equal scores, which BLAS does not promise.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.kernels.vectors import LANES, Code, aligned_zeros, step

# Items whose scores are compared at a time, and users that share what is read of them.
BLOCK = 128
GROUP = 6
# Columns of a tile: with GROUP users its sums fill the registers but for what is multiplied.
VECTORS = 2
COLUMNS = VECTORS * LANES
# Bits of what is left out stand in words of 64; so many of them belong to a block.
WORDS = BLOCK // 64
# Blocks after which a lane may have counted as much as half a number holds (count_line).
TALLIED = 0xFFFF // (BLOCK // LANES)


def panels_of(table: NDArray[np.float32], order: NDArray[np.integer]) -> NDArray[np.float32]:
    """Rows of a table as (block, tile, factor, column), in the order in which they are read.

    Columns that fill up the last block have no score above minus infinity: their last factor, the
    bias, is that.
    """
    blocks, tiles, factors = -(-len(order) // BLOCK), BLOCK // COLUMNS, table.shape[1]
    size = blocks * tiles * factors * COLUMNS
    panels = aligned_zeros(size, np.float32).reshape(blocks, tiles, factors, COLUMNS)
    fill_panels(table, order, panels)
    return panels


@njit(cache=True, nogil=True)
def fill_panels(table, order, panels):
    """panels[block, tile, k, column] = table[order[place], k], where place counts all columns."""
    blocks, tiles, factors, columns = panels.shape
    for place in range(blocks * tiles * columns):
        tile, column = place // columns, place % columns
        panel = panels[tile // tiles, tile % tiles]
        panel[factors - 1, column] = -np.inf
        if place < len(order):
            for k in range(factors):
                panel[k, column] = table[order[place], k]


@step
def score_tile(typing_context, users, group, panels, block, bits, row, lines):
    """lines[g] = Σ_k users[group, k, g] · panels[block, …, k, …] for each user g of a group.

    But minus infinity for columns whose bits, in bits[row + g], are set: they are left out.
    """
    signature = types.void(users, types.intp, panels, types.intp, bits, types.intp, lines)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        users_array, group, panels_array, block, bits_array, row, lines_array = arguments
        code = Code(context, builder, panels)
        lowest = code.repeated(-np.inf)

        def number(value: int) -> Any:
            return ir.Constant(group.type, value)

        with cgutils.for_range(builder, number(BLOCK // COLUMNS)) as tile:
            sums = [
                [cgutils.alloca_once(builder, code.vector) for _ in range(VECTORS)]
                for _ in range(GROUP)
            ]
            for totals in sums:
                for total in totals:
                    builder.store(code.zeros, total)
            with cgutils.for_range(builder, code.length(panels, panels_array, 2)) as factor:
                place = code.place(panels, panels_array, block, tile.index, factor.index)
                across = [
                    code.read(builder.gep(place, [number(v * LANES)])) for v in range(VECTORS)
                ]
                first = code.place(users, users_array, group, factor.index)
                for user, totals in enumerate(sums):
                    down = code.splat(builder.load(builder.gep(first, [number(user)])))
                    for total, items in zip(totals, across, strict=True):
                        builder.store(code.plus(builder.load(total), down, items), total)
            column = builder.mul(tile.index, number(COLUMNS))
            for user, totals in enumerate(sums):
                place = code.place(lines, lines_array, number(user), column)
                word = builder.mul(block, number(WORDS))
                marks = code.place(bits, bits_array, code.after(row, user), word)
                marks = builder.bitcast(marks, ir.IntType(LANES).as_pointer())
                marks = builder.gep(marks, [builder.mul(tile.index, number(VECTORS))])
                for v, total in enumerate(totals):
                    left_out = code.lanes_of(builder.load(builder.gep(marks, [number(v)])))
                    scores = builder.select(left_out, lowest, builder.load(total))
                    code.write(builder.gep(place, [number(v * LANES)]), scores)
        return context.get_dummy_value()

    return signature, generate


@step
def find_top(typing_context, lines, row):
    """The highest score of a line."""

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        code = Code(context, builder, lines)

        def higher(one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", one, other), one, other)

        vectors = list(_vectors(code, lines, *arguments))
        while len(vectors) > 1:
            vectors = [higher(*pair) for pair in zip(vectors[::2], vectors[1::2], strict=True)]
        return code.combined(vectors[0], higher)

    return lines.dtype(lines, types.intp), generate


@step
def count_line(typing_context, lines, row, score, tallies, target):
    """Add to tallies[target] how many scores of a line are higher than `score`, and how many equal.

    Each lane has counts of its own, in the lower and the upper half of its number (`sum_tallies`): to
    sum them up for every line took a twentieth of an evaluation of long lists.
    """
    signature = types.void(lines, types.intp, lines.dtype, tallies, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        *line, score, tallies_array, target = arguments
        code = Code(context, builder, lines)
        score = code.splat(score)
        counts = ir.VectorType(ir.IntType(32), LANES)
        higher = equal = ir.Constant(counts, [0] * LANES)
        for some in _vectors(code, lines, *line):
            # True, as a number with a sign, is -1.
            is_higher, is_equal = (builder.fcmp_ordered(sign, some, score) for sign in (">", "=="))
            higher = builder.sub(higher, builder.sext(is_higher, counts))
            equal = builder.sub(equal, builder.sext(is_equal, counts))
        both = builder.add(higher, builder.shl(equal, ir.Constant(counts, [16] * LANES)))
        place = builder.bitcast(code.place(tallies, tallies_array, target), counts.as_pointer())
        total = builder.add(builder.load(place, align=4), both)
        builder.store(total, place, align=4)
        return context.get_dummy_value()

    return signature, generate


@njit(cache=True, nogil=True)
def sum_tallies(tallies, higher, equal):
    """Add what the lanes have counted of each target to `higher` and `equal`, and begin anew."""
    for target in range(len(tallies)):
        for lane in range(LANES):
            higher[target] += tallies[target, lane] & 0xFFFF
            equal[target] += (tallies[target, lane] >> 16) & 0xFFFF
            tallies[target, lane] = 0


def _vectors(code: Code, lines: Any, lines_array: Any, row: Any) -> Iterator[Any]:
    """The scores of a line, a vector at a time."""
    first = code.place(lines, lines_array, row)
    for start in range(0, BLOCK, LANES):
        yield code.read(code.builder.gep(first, [ir.Constant(row.type, start)]))
