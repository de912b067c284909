"""A hint has no result to compare, so its address and its instruction are checked instead."""

import numpy as np
import pytest
from numba import njit, types
from numba.extending import intrinsic

from mnar.kernels.prefetch import element_pointer, prefetch


@intrinsic
def address(typing_context, matrix, row, column):
    """The address that the hint for matrix[row, column] is given."""

    def generate(context, builder, signature, arguments):
        pointer = element_pointer(context, builder, signature, arguments)
        return builder.ptrtoint(pointer, context.get_value_type(types.intp))

    return types.intp(matrix, types.int64, types.int64), generate


@njit
def address_of(matrix, row, column):
    return address(matrix, row, column)


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
@pytest.mark.parametrize("layout", ["C", "F", "strided"])
def test_the_hint_is_about_the_element(dtype, layout):
    matrix = np.zeros((5, 7), dtype, order="F" if layout == "F" else "C")
    if layout == "strided":
        matrix = np.zeros((10, 21), dtype)[::2, ::3]
    for row in range(5):
        for column in range(7):
            element = matrix[row:, column:]
            assert address_of(matrix, row, column) == element.ctypes.data


def test_the_hint_is_emitted():
    @njit
    def hint(matrix):
        prefetch(matrix, 1, 2)

    hint(np.zeros((2, 3)))
    [code] = hint.inspect_llvm().values()
    assert code.count("call void @llvm.prefetch") == 1
