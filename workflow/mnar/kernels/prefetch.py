"""A hint to the processor that numba does not offer: an array element will be needed soon.

The hint reads nothing: it cannot change a result, and an index out of bounds does no harm.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from mnar.kernels.vectors import llvm_function


@llvm_function
def prefetch(typing_context, matrix, row, column):
    """Starts to load the cache line of matrix[row, column]."""
    return types.void(matrix, types.int64, types.int64), _emit_hint


def prefetch_plain(matrix, row, column):
    """Does nothing, since a hint has no result."""


def _emit_hint(context: Any, builder: Any, signature: Any, arguments: list) -> Any:
    """Emits the hint for the element of the first argument at the indices that follow it."""
    element = element_pointer(context, builder, signature, arguments)
    address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    hint = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VoidType(), [address, flag, flag, flag]),
        "llvm.prefetch.p0",
    )
    # The flags mean: for reading, kept in all levels of cache, data instead of instructions.
    builder.call(hint, [builder.bitcast(element, address), flag(0), flag(3), flag(1)])
    return context.get_dummy_value()


def element_pointer(context: Any, builder: Any, signature: Any, arguments: list) -> Any:
    """The address of the element of the first argument at the indices that follow it."""
    array_type, (array, *index) = signature.args[0], arguments
    array = context.make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, array, index)
