"""The highest score of blocks of items, and how many in some blocks are above a score: LLVM code.

In numba the one is done number by number, as the order of a maximum is not given up; and the
counts of each block would be added up before the next begins, which takes as long as to count.
"""

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

BLOCK = 128
LANES = 8
# Callers give all arguments but the first, which type checkers do not know.
_step: Any = intrinsic
_LANE = ir.IntType(32)
_COUNTS = ir.VectorType(_LANE, LANES)
_ZEROS = ir.Constant(_COUNTS, [_LANE(0)] * LANES)


def _data(context: Any, builder: Any, signature: Any, arguments: list, which: int) -> Any:
    """Pointer to the first number of an argument that is an array."""
    return context.make_array(signature.args[which])(context, builder, arguments[which]).data


def _vectors(builder: Any, scores: Any, block: Any) -> Iterator[Any]:
    """The scores of a block, eight at a time."""
    start = builder.mul(block, ir.Constant(block.type, BLOCK))
    pointer = ir.VectorType(scores.type.pointee, LANES).as_pointer()
    for place in range(0, BLOCK, LANES):
        element = builder.gep(scores, [builder.add(start, ir.Constant(block.type, place))])
        yield builder.load(builder.bitcast(element, pointer), align=4)


def _reduced(builder: Any, vector: Any, combine: Any) -> Any:
    """What the eight numbers of a vector combine to."""
    parts = [builder.extract_element(vector, _LANE(place)) for place in range(LANES)]
    while len(parts) > 1:
        parts = [combine(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


@_step
def find_tops(_typing, scores, tops):
    """Fill tops[b] with the highest score of block b; scores after the last whole block have none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: list) -> Any:
        numbers, found = (_data(context, builder, signature, arguments, n) for n in (0, 1))
        array = context.make_array(signature.args[1])(context, builder, arguments[1])
        [length] = cgutils.unpack_tuple(builder, array.shape)

        def higher(one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", one, other), one, other)

        with cgutils.for_range(builder, length) as loop:
            highest, *others = _vectors(builder, numbers, loop.index)
            for other in others:
                highest = higher(highest, other)
            top = _reduced(builder, highest, higher)
            builder.store(top, builder.gep(found, [loop.index]))
        return context.get_dummy_value()

    return types.void(scores, tops), generate


@_step
def count_blocks(_typing, scores, score, blocks, count):
    """How many scores in the blocks blocks[:count] are higher than `score`, and how many equal.

    Block b is scores[b · BLOCK : (b + 1) · BLOCK].
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: list) -> Any:
        numbers, chosen = (_data(context, builder, signature, arguments, n) for n in (0, 2))
        undefined = ir.Constant(ir.VectorType(numbers.type.pointee, LANES), ir.Undefined)
        first = builder.insert_element(undefined, arguments[1], _LANE(0))
        others = builder.shuffle_vector(first, undefined, _ZEROS)
        totals = {sign: cgutils.alloca_once_value(builder, _ZEROS) for sign in (">", "==")}
        with cgutils.for_range(builder, arguments[3]) as loop:
            block = builder.load(builder.gep(chosen, [loop.index]))
            for some in _vectors(builder, numbers, block):
                for sign, total in totals.items():
                    # True, as a number with a sign, is -1.
                    found = builder.sext(builder.fcmp_ordered(sign, some, others), _COUNTS)
                    builder.store(builder.sub(builder.load(total), found), total)
        sums = [_reduced(builder, builder.load(total), builder.add) for total in totals.values()]
        return context.make_tuple(builder, signature.return_type, sums)

    returned = types.UniTuple(types.int32, 2)
    return returned(scores, scores.dtype, blocks, types.intp), generate
