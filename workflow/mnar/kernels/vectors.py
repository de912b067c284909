"""Vector registers of the processor, for which numba has no type.

Kernels whose speed depends on registers are written as LLVM code with the methods of VectorBuilder.
Arrays are row-major, float32 or float64, and the length of their last axis is a multiple of LANES.
"""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable

# Single-precision numbers that fit a vector register.
LANES = 16 if binding.get_host_cpu_features().get("avx512f") else 8
# A product and a sum may become one fused instruction; no other rounding rule is relaxed.
FUSED = ("contract",)

# Bytes. A vector that lies across two cache lines takes twice as long to read.
CACHE_LINE = 64

Arguments = ParamSpec("Arguments")


def llvm_function(
    define: Callable[Concatenate[Any, Arguments], Any],
) -> Callable[Arguments, Any]:
    """numba's `intrinsic`, typed as kernels call it: without the first argument, which numba adds."""
    return intrinsic(define)  # type: ignore[return-value]


@register_jitable
def aligned_zeros(count, dtype):
    """Zeros that start at the beginning of a cache line."""
    numbers = np.zeros(count + CACHE_LINE, dtype)
    skipped = -numbers.ctypes.data % CACHE_LINE // numbers.itemsize
    return numbers[skipped : skipped + count]


class VectorBuilder:
    """Emits LLVM loads, stores and arithmetic on vectors of LANES numbers."""

    def __init__(self, context: Any, builder: Any, array_type: Any) -> None:
        self.context, self.builder = context, builder
        self.number = context.get_data_type(array_type.dtype)
        self.vector = ir.VectorType(self.number, LANES)
        self.align = array_type.dtype.bitwidth // 8

    def constant(self, value: float) -> Any:
        """A vector whose lanes all hold a number that is known at compile time."""
        return ir.Constant(self.vector, [ir.Constant(self.number, value)] * LANES)

    def splat(self, number: Any) -> Any:
        """A vector whose lanes all hold a number that is known at run time."""
        undefined = ir.Constant(self.vector, ir.Undefined)
        first = self.builder.insert_element(undefined, number, ir.IntType(32)(0))
        return self.shuffle(first, undefined, [0] * LANES)

    def length(self, array_type: Any, array: Any, axis: int) -> Any:
        """array.shape[axis]."""
        array = self.context.make_array(array_type)(self.context, self.builder, array)
        return cgutils.unpack_tuple(self.builder, array.shape)[axis]

    def pointer_to(self, array_type: Any, array: Any, *index: Any) -> Any:
        """The address of array[index]; indices of further axes are 0."""
        array = self.context.make_array(array_type)(self.context, self.builder, array)
        zeros = [ir.Constant(index[0].type, 0)] * (array_type.ndim - len(index))
        return cgutils.get_item_pointer(
            self.context, self.builder, array_type, array, [*index, *zeros]
        )

    def add_to_index(self, index: Any, steps: int) -> Any:
        """index + steps."""
        return self.builder.add(index, ir.Constant(index.type, steps))

    def load(self, pointer: Any) -> Any:
        """The vector that starts at an address."""
        pointer = self.builder.bitcast(pointer, self.vector.as_pointer())
        return self.builder.load(pointer, align=self.align)

    def store(self, pointer: Any, vector: Any) -> None:
        """Writes a vector to an address."""
        pointer = self.builder.bitcast(pointer, self.vector.as_pointer())
        self.builder.store(vector, pointer, align=self.align)

    def shuffle(self, first: Any, second: Any, order: list[int]) -> Any:
        """The numbers at the positions `order` of two vectors laid end to end."""
        lanes = [ir.IntType(32)(lane) for lane in order]
        kind = ir.VectorType(ir.IntType(32), len(order))
        return self.builder.shuffle_vector(first, second, ir.Constant(kind, lanes))

    def mask_from_bits(self, bits: Any) -> Any:
        """Lane l is true where bit l of an integer of LANES bits is set."""
        # Copies of the integer fill the vector; each lane then tests its own bit.
        many = ir.VectorType(bits.type, 32)
        first = self.builder.insert_element(many(ir.Undefined), bits, ir.IntType(32)(0))
        copies = self.shuffle(first, first, [0] * 32)
        lanes = ir.VectorType(ir.IntType(32), LANES)
        own = ir.Constant(lanes, [1 << lane for lane in range(LANES)])
        copies = self.builder.bitcast(copies, lanes)
        return self.builder.icmp_signed("==", self.builder.and_(copies, own), own)

    def multiply(self, left: Any, right: Any) -> Any:
        """left · right."""
        return self.builder.fmul(left, right, flags=FUSED)

    def multiply_add(self, vector: Any, left: Any, right: Any) -> Any:
        """vector + left · right."""
        return self.builder.fadd(vector, self.multiply(left, right), flags=FUSED)

    def multiply_subtract(self, vector: Any, left: Any, right: Any) -> Any:
        """vector − left · right."""
        return self.builder.fsub(vector, self.multiply(left, right), flags=FUSED)

    def inverse_root(self, vector: Any) -> Any:
        """1 / √vector."""
        name = f"llvm.sqrt.v{LANES}{self.number.intrinsic_name}"
        kind = ir.FunctionType(self.vector, [self.vector])
        root = cgutils.get_or_insert_function(self.builder.module, kind, name)
        return self.builder.fdiv(self.constant(1.0), self.builder.call(root, [vector]))

    def reduce(self, vector: Any, combine: Callable[[Any, Any], Any]) -> Any:
        """Combines the lower half of a vector with the upper half until one number is left."""
        half = LANES // 2
        while half:
            low, high = range(half), range(half, 2 * half)
            vector = combine(*(self.shuffle(vector, vector, list(part)) for part in (low, high)))
            half //= 2
        return self.builder.extract_element(vector, ir.IntType(32)(0))
