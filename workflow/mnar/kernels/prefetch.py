"""A hint to the processor that numba does not offer: this element will be needed soon.

Nothing is read: no result can change, and an index out of bounds does no harm.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def prefetch(_typing, matrix, row, column):
    """Start loading the cache line of matrix[row, column]."""
    return types.void(matrix, types.int64, types.int64), _load_early


@intrinsic
def prefetch_one(_typing, line, place):
    """Start loading the cache line of line[place]."""
    return types.void(line, types.int64), _load_early


def _load_early(context: Any, builder: Any, signature: Any, arguments: list) -> Any:
    """The hint for an element of the array that comes first, at the indices that follow."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    strides = cgutils.unpack_tuple(builder, array.strides)
    offset = ir.Constant(ir.IntType(64), 0)
    for stride, index in zip(strides, arguments[1:], strict=True):
        offset = builder.add(offset, builder.mul(stride, index))
    address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    hint = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VoidType(), [address, flag, flag, flag]),
        "llvm.prefetch.p0",
    )
    element = builder.gep(builder.bitcast(array.data, address), [offset])
    # The flags: for reading, to be kept in all levels of cache, data and not instructions.
    builder.call(hint, [element, flag(0), flag(3), flag(1)])
    return context.get_dummy_value()
