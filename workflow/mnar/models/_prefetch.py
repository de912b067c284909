"""A hint to the processor that numba does not offer: this element will be needed soon."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def prefetch(_typing, matrix, row, column):
    """Start loading the cache line of matrix[row, column]. Nothing is read: no result can change.

    It is a hint, so an index out of bounds does no harm.
    """

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        strides = cgutils.unpack_tuple(builder, array.strides)
        offset = builder.add(
            builder.mul(strides[0], arguments[1]), builder.mul(strides[1], arguments[2])
        )
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

    return types.void(matrix, types.int64, types.int64), generate
