"""Scores of a block of items for a few users at a time, held in registers.

A score is the sum of products in the order of the factors, wherever the item stands in a tile. Equal
items therefore have equal scores, which BLAS does not promise.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.kernels.vectors import LANES, VectorBuilder, aligned_zeros, llvm_function

# BLOCK items are compared at a time; the users of a group share each item's load from memory.
BLOCK = 128
GROUP = 6
# The sums of GROUP users over the columns of a tile fill most registers; the factors take the rest.
VECTORS = 2
COLUMNS = VECTORS * LANES
# Masks have one bit for each item: a block takes this many words of 64 bits.
WORDS = BLOCK // 64


def panels_of(table: NDArray[np.float32], order: NDArray[np.integer]) -> NDArray[np.float32]:
    """Rows of a table as (block, tile, factor, column), in the order in which they are read.

    Columns that fill up the last block have −∞ as their last factor, the bias, so they never win.
    """
    blocks, tiles, factors = -(-len(order) // BLOCK), BLOCK // COLUMNS, table.shape[1]
    size = blocks * tiles * factors * COLUMNS
    panels = aligned_zeros(size, np.float32).reshape(blocks, tiles, factors, COLUMNS)
    fill_panels(table, order, panels)
    return panels


@njit(cache=True, nogil=True)
def fill_panels(table, order, panels):
    """panels[block, tile, k, column] = table[order[n], k], where n counts the columns of all tiles."""
    blocks, tiles, factors, columns = panels.shape
    for n in range(blocks * tiles * columns):
        tile, column = n // columns, n % columns
        panel = panels[tile // tiles, tile % tiles]
        panel[factors - 1, column] = -np.inf
        if n < len(order):
            for k in range(factors):
                panel[k, column] = table[order[n], k]


@llvm_function
def score_tile(typing_context, users, group, panels, block, bits, row, lines):
    """lines[g] = Σ_k users[group, k, g] · panels[block, …, k, …] for each user g of a group.

    Columns whose bits are set in bits[row + g] are masked: their score is −∞.
    """
    signature = types.void(users, types.intp, panels, types.intp, bits, types.intp, lines)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        users_array, group, panels_array, block, bits_array, row, lines_array = arguments
        code = VectorBuilder(context, builder, panels)
        index = group.type
        word = builder.mul(block, ir.Constant(index, WORDS))
        with cgutils.for_range(builder, ir.Constant(index, BLOCK // COLUMNS)) as tile:
            sums = _sum_products(
                code,
                code.length(panels, panels_array, 2),
                lambda k: code.pointer_to(users, users_array, group, k),
                lambda k: code.pointer_to(panels, panels_array, block, tile.index, k),
            )
            column = builder.mul(tile.index, ir.Constant(index, COLUMNS))
            for user, totals in enumerate(sums):
                line = code.pointer_to(lines, lines_array, ir.Constant(index, user), column)
                mask = code.pointer_to(bits, bits_array, code.add_to_index(row, user), word)
                mask = builder.bitcast(mask, ir.IntType(LANES).as_pointer())
                mask = builder.gep(mask, [builder.mul(tile.index, ir.Constant(index, VECTORS))])
                _store_unmasked(code, line, totals, mask)
        return context.get_dummy_value()

    return signature, generate


def score_tile_plain(users, group, panels, block, bits, row, lines):
    factors = panels.shape[2]
    items = panels[block].transpose(1, 0, 2).reshape(factors, BLOCK)
    words = bits[row : row + GROUP, block * WORDS : (block + 1) * WORDS].copy()
    masked = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(bool)
    lines[:] = np.where(masked, -np.inf, users[group].T @ items)


def _sum_products(
    code: VectorBuilder,
    factors: Any,
    users_at: Callable[[Any], Any],
    items_at: Callable[[Any], Any],
) -> list[list]:
    """Pointers to Σ_k users[k, g] · items[k, c]: VECTORS vectors of columns for each user g.

    `users_at` and `items_at` give the addresses of users[k] and items[k].
    """
    builder = code.builder
    sums = [
        [cgutils.alloca_once(builder, code.vector) for _ in range(VECTORS)] for _ in range(GROUP)
    ]
    for totals in sums:
        for total in totals:
            builder.store(code.constant(0.0), total)
    with cgutils.for_range(builder, factors) as factor:
        items = items_at(factor.index)
        across = [code.load(_ahead(code, items, v * LANES)) for v in range(VECTORS)]
        users = users_at(factor.index)
        for user, totals in enumerate(sums):
            down = code.splat(builder.load(_ahead(code, users, user)))
            for total, numbers in zip(totals, across, strict=True):
                builder.store(code.multiply_add(builder.load(total), down, numbers), total)
    return sums


def _store_unmasked(code: VectorBuilder, line: Any, totals: list, mask: Any) -> None:
    """Writes a user's sums to its line, and −∞ where a bit of the mask is set."""
    builder = code.builder
    for v, total in enumerate(totals):
        masked = code.mask_from_bits(builder.load(_ahead(code, mask, v)))
        scores = builder.select(masked, code.constant(-np.inf), builder.load(total))
        code.store(_ahead(code, line, v * LANES), scores)


def _ahead(code: VectorBuilder, pointer: Any, steps: int) -> Any:
    """The pointer moved on by some elements."""
    return code.builder.gep(pointer, [ir.Constant(ir.IntType(64), steps)])


def _vectors_of_line(code: VectorBuilder, lines: Any, lines_array: Any, row: Any) -> Iterator[Any]:
    """The scores of a line, a vector at a time."""
    first = code.pointer_to(lines, lines_array, row)
    for start in range(0, BLOCK, LANES):
        yield code.load(_ahead(code, first, start))


@llvm_function
def find_top(typing_context, lines, row):
    """The highest score of a line."""

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        code = VectorBuilder(context, builder, lines)

        def higher(one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", one, other), one, other)

        vectors = list(_vectors_of_line(code, lines, *arguments))
        while len(vectors) > 1:
            vectors = [higher(*pair) for pair in zip(vectors[::2], vectors[1::2], strict=True)]
        return code.reduce(vectors[0], higher)

    return lines.dtype(lines, types.intp), generate


def find_top_plain(lines, row):
    return lines[row].max()
