"""Vectors of numbers as the processor has them, which numba has no type for.

Kernels whose speed hangs on registers are written as LLVM code, with the words of this module.
Arrays are row-major, of float32 or float64; the length of their last axis is a multiple of LANES.
"""

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable

# As many single numbers as a register holds.
LANES = 16 if binding.get_host_cpu_features().get("avx512f") else 8
# A product and a sum may become one fused instruction; nothing else about rounding is given up.
FUSED = ("contract",)

# Vectors that lie across two cache lines take twice as long to read.
CACHE_LINE = 64


@register_jitable
def aligned_zeros(count, dtype):
    """Zeros that begin with a cache line."""
    numbers = np.zeros(count + CACHE_LINE, dtype)
    skipped = -numbers.ctypes.data % CACHE_LINE // numbers.itemsize
    return numbers[skipped : skipped + count]


def step(define: Any) -> Any:
    """A step of a kernel; callers give all arguments but the first."""
    return intrinsic(define)


class Code:
    """Emits loads, stores and arithmetic on vectors of LANES numbers."""

    def __init__(self, context: Any, builder: Any, array_type: Any) -> None:
        self.context, self.builder = context, builder
        self.number = context.get_data_type(array_type.dtype)
        self.vector = ir.VectorType(self.number, LANES)
        self.align = array_type.dtype.bitwidth // 8

    @property
    def zeros(self) -> Any:
        return self.repeated(0.0)

    def repeated(self, value: float) -> Any:
        """A vector of one number that is known beforehand."""
        return ir.Constant(self.vector, [ir.Constant(self.number, value)] * LANES)

    def length(self, array_type: Any, array: Any, axis: int) -> Any:
        array = self.context.make_array(array_type)(self.context, self.builder, array)
        return cgutils.unpack_tuple(self.builder, array.shape)[axis]

    def place(self, array_type: Any, array: Any, *index: Any) -> Any:
        """Pointer to array[index], the indices left out being 0."""
        at = index[0]
        for axis in range(1, array_type.ndim):
            at = self.builder.mul(at, self.length(array_type, array, axis))
            at = self.builder.add(at, index[axis]) if axis < len(index) else at
        array = self.context.make_array(array_type)(self.context, self.builder, array)
        return self.builder.gep(array.data, [at])

    def after(self, index: Any, steps: int) -> Any:
        return self.builder.add(index, ir.Constant(index.type, steps))

    def read(self, pointer: Any) -> Any:
        pointer = self.builder.bitcast(pointer, self.vector.as_pointer())
        return self.builder.load(pointer, align=self.align)

    def write(self, pointer: Any, vector: Any) -> None:
        pointer = self.builder.bitcast(pointer, self.vector.as_pointer())
        self.builder.store(vector, pointer, align=self.align)

    def splat(self, number: Any) -> Any:
        """A vector of equal numbers."""
        undefined = ir.Constant(self.vector, ir.Undefined)
        first = self.builder.insert_element(undefined, number, ir.IntType(32)(0))
        return self.shuffle(first, undefined, [0] * LANES)

    def shuffle(self, first: Any, second: Any, order: list[int]) -> Any:
        """Of the numbers of two vectors, one after the other, those at the places in `order`."""
        lanes = [ir.IntType(32)(lane) for lane in order]
        kind = ir.VectorType(ir.IntType(32), len(order))
        return self.builder.shuffle_vector(first, second, ir.Constant(kind, lanes))

    def lanes_of(self, bits: Any) -> Any:
        """True in the lanes whose bits are set in a whole number of LANES bits."""
        # The number fills the vector, as often as it fits; of each lane one bit is looked at.
        many = ir.VectorType(bits.type, 32)
        first = self.builder.insert_element(many(ir.Undefined), bits, ir.IntType(32)(0))
        copies = self.shuffle(first, first, [0] * 32)
        lanes = ir.VectorType(ir.IntType(32), LANES)
        own = ir.Constant(lanes, [1 << lane for lane in range(LANES)])
        copies = self.builder.bitcast(copies, lanes)
        return self.builder.icmp_signed("==", self.builder.and_(copies, own), own)

    def times(self, left: Any, right: Any) -> Any:
        return self.builder.fmul(left, right, flags=FUSED)

    def plus(self, vector: Any, left: Any, right: Any) -> Any:
        """vector + left · right."""
        return self.builder.fadd(vector, self.times(left, right), flags=FUSED)

    def minus(self, vector: Any, left: Any, right: Any) -> Any:
        """vector - left · right."""
        return self.builder.fsub(vector, self.times(left, right), flags=FUSED)

    def combined(self, vector: Any, combine: Any) -> Any:
        """What the numbers of a vector combine to: one half with the other, until one is left."""
        half = LANES // 2
        while half:
            low, high = range(half), range(half, 2 * half)
            vector = combine(*(self.shuffle(vector, vector, list(part)) for part in (low, high)))
            half //= 2
        return self.builder.extract_element(vector, ir.IntType(32)(0))

    def one_over_root(self, vector: Any) -> Any:
        name = f"llvm.sqrt.v{LANES}{self.number.intrinsic_name}"
        kind = ir.FunctionType(self.vector, [self.vector])
        root = cgutils.get_or_insert_function(self.builder.module, kind, name)
        return self.builder.fdiv(self.repeated(1.0), self.builder.call(root, [vector]))
