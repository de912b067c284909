"""Small dense linear algebra on 8 × 8 tiles that stay in the registers of the processor.

The normal equations of fifty factors are too small for BLAS and LAPACK, where packing and calling
cost more than the arithmetic, and numba has no vector type. So these steps are written as LLVM
code. All arrays are row-major, of float32 or float64, and their row length is a multiple of eight.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8
# A product and a sum may become one fused instruction; nothing else about rounding is given up.
FUSED = ("contract",)


def _step(define: Any) -> Any:
    """An intrinsic; callers give all arguments but the first."""
    return intrinsic(define)


def _lane(number: int) -> ir.Constant:
    return ir.Constant(ir.IntType(32), number)


class _Code:
    """Emits loads, stores and arithmetic on vectors of eight numbers of some 2-d arrays."""

    def __init__(self, context: Any, builder: Any, array_type: Any, arrays: list) -> None:
        self.builder = builder
        self.number = context.get_data_type(array_type.dtype)
        self.vector = ir.VectorType(self.number, LANES)
        self.align = array_type.dtype.bitwidth // 8
        self.arrays = [context.make_array(array_type)(context, builder, array) for array in arrays]

    def length(self, array: int) -> Any:
        return cgutils.unpack_tuple(self.builder, self.arrays[array].shape)[1]

    def place(self, array: int, row: Any, column: Any) -> Any:
        """Pointer to arrays[array][row, column]."""
        start = self.builder.add(self.builder.mul(row, self.length(array)), column)
        return self.builder.gep(self.arrays[array].data, [start])

    def tile(self, array: int, row: Any, column: Any) -> list:
        """Pointers to the eight rows of the tile at (row, column)."""
        return [self.place(array, self.after(row, r), column) for r in range(LANES)]

    def after(self, index: Any, steps: int) -> Any:
        return self.builder.add(index, ir.Constant(index.type, steps))

    def read(self, pointer: Any) -> Any:
        pointer = self.builder.bitcast(pointer, self.vector.as_pointer())
        return self.builder.load(pointer, align=self.align)

    def write(self, pointer: Any, vector: Any) -> None:
        pointer = self.builder.bitcast(pointer, self.vector.as_pointer())
        self.builder.store(vector, pointer, align=self.align)

    def splat(self, number: Any) -> Any:
        """A vector of eight equal numbers."""
        undefined = ir.Constant(self.vector, ir.Undefined)
        first = self.builder.insert_element(undefined, number, _lane(0))
        return self.shuffle(first, [0] * LANES)

    def shuffle(self, vector: Any, order: list[int]) -> Any:
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [_lane(k) for k in order])
        return self.builder.shuffle_vector(vector, ir.Constant(self.vector, ir.Undefined), lanes)

    def plus(self, vector: Any, left: Any, right: Any) -> Any:
        return self.builder.fadd(vector, self.builder.fmul(left, right, flags=FUSED), flags=FUSED)

    def minus(self, vector: Any, left: Any, right: Any) -> Any:
        return self.builder.fsub(vector, self.builder.fmul(left, right, flags=FUSED), flags=FUSED)

    def total(self, vector: Any) -> Any:
        """The sum of the eight numbers."""
        for half in (4, 2, 1):
            other = self.shuffle(vector, [(lane + half) % LANES for lane in range(LANES)])
            vector = self.builder.fadd(vector, other)
        return self.builder.extract_element(vector, _lane(0))

    @contextmanager
    def columns(self, array: int, first: Any) -> Iterator[Any]:
        """A loop over the columns from `first` on, eight at a time."""
        step = ir.Constant(first.type, LANES)
        last = self.length(array)
        with cgutils.for_range_slice(self.builder, first, last, step, inc=True) as (column, _):
            yield column


def _accumulate(step: Any, out: Any) -> tuple:
    """start ± leftᵀ right for one tile; `step` is _Code.plus or _Code.minus."""
    signature = types.void(out, out, types.intp, types.intp, out, out, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        out_array, start, i, j, left, right, n = arguments
        code = _Code(context, builder, out, [out_array, start, left, right])
        sums = [cgutils.alloca_once_value(builder, code.read(row)) for row in code.tile(1, i, j)]
        with cgutils.for_range(builder, n) as loop:
            across = code.read(code.place(3, loop.index, j))
            for r, total in enumerate(sums):
                down = builder.load(code.place(2, loop.index, code.after(i, r)))
                builder.store(step(code, builder.load(total), code.splat(down), across), total)
        for row, total in zip(code.tile(0, i, j), sums, strict=True):
            code.write(row, builder.load(total))
        return context.get_dummy_value()

    return signature, generate


@_step
def add_products(typing_context, out, start, i, j, left, right, n):
    """out[i:i+8, j:j+8] = start[i:i+8, j:j+8] + left[:n, i:i+8]ᵀ right[:n, j:j+8]."""
    return _accumulate(_Code.plus, out)


@_step
def subtract_products(typing_context, out, start, i, j, left, right, n):
    """out[i:i+8, j:j+8] = start[i:i+8, j:j+8] - left[:n, i:i+8]ᵀ right[:n, j:j+8]."""
    return _accumulate(_Code.minus, out)


@_step
def factorise_tile(typing_context, a, i, floor):
    """Cholesky factor U of a[i:i+8, i:i+8] = UᵀU in its place, with 1/U[r, r] on the diagonal.

    A pivot below `floor` is raised to it: rounding alone can bring it there.
    """
    signature = types.void(a, types.intp, a.dtype)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, floor = arguments
        code = _Code(context, builder, a, [array])
        places = code.tile(0, i, i)
        rows = [code.read(place) for place in places]
        root = builder.module.declare_intrinsic("llvm.sqrt", [code.number])
        for r in range(LANES):
            pivot = builder.extract_element(rows[r], _lane(r))
            pivot = builder.select(builder.fcmp_ordered(">", pivot, floor), pivot, floor)
            inverse = builder.fdiv(ir.Constant(code.number, 1.0), builder.call(root, [pivot]))
            rows[r] = builder.fmul(rows[r], code.splat(inverse))
            for s in range(r + 1, LANES):
                rows[s] = code.minus(rows[s], code.shuffle(rows[r], [s] * LANES), rows[r])
            code.write(places[r], builder.insert_element(rows[r], inverse, _lane(r)))
        return context.get_dummy_value()

    return signature, generate


@_step
def substitute_tile(typing_context, a, i, j):
    """a[i:i+8, j:j+8] becomes U⁻ᵀ a[i:i+8, j:j+8], with U the factorised tile at (i, i)."""
    signature = types.void(a, types.intp, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, j = arguments
        code = _Code(context, builder, a, [array])
        places = code.tile(0, i, j)
        rows = [code.read(place) for place in places]
        for r in range(LANES):
            above = [builder.load(place) for place in code.tile(0, i, code.after(i, r))[: r + 1]]
            for s in range(r):
                rows[r] = code.minus(rows[r], code.splat(above[s]), rows[s])
            rows[r] = builder.fmul(rows[r], code.splat(above[r]))
            code.write(places[r], rows[r])
        return context.get_dummy_value()

    return signature, generate


@_step
def copy_scaled(typing_context, plain, scaled, t, source, row, factor):
    """plain[t] = source[row]; scaled[t] = factor · source[row]."""
    signature = types.void(plain, plain, types.intp, plain, types.intp, plain.dtype)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        plain_array, scaled_array, t, source, row, factor = arguments
        code = _Code(context, builder, plain, [plain_array, scaled_array, source])
        factor = code.splat(factor)
        with code.columns(0, ir.Constant(t.type, 0)) as column:
            numbers = code.read(code.place(2, row, column))
            code.write(code.place(0, t, column), numbers)
            code.write(code.place(1, t, column), builder.fmul(numbers, factor))
        return context.get_dummy_value()

    return signature, generate


@_step
def substitute_back(typing_context, a, i, x, n):
    """Solves a[k, k:] · x[0, k:] = 0 for x[0, k], where k goes down from i + 7 to i and k < n.

    a is upper triangular with the inverse of its diagonal in place of it; x[0, k] is zero before.
    """
    signature = types.void(a, types.intp, a, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, i, x, n = arguments
        code = _Code(context, builder, a, [array, x])
        zero = ir.Constant(code.number, 0.0)
        sums = [
            cgutils.alloca_once_value(builder, ir.Constant(code.vector, None)) for _ in range(LANES)
        ]
        with code.columns(0, i) as column:
            known = code.read(code.place(1, ir.Constant(i.type, 0), column))
            for row, total in zip(code.tile(0, i, column), sums, strict=True):
                builder.store(code.plus(builder.load(total), code.read(row), known), total)
        rest = [code.total(builder.load(total)) for total in sums]
        place = code.place(1, ir.Constant(i.type, 0), i)
        solved = code.read(place)
        for r in reversed(range(LANES)):
            factors = [builder.load(p) for p in code.tile(0, i, code.after(i, r))[: r + 1]]
            unknown = builder.icmp_signed("<", code.after(i, r), n)
            root = builder.fneg(builder.fmul(rest[r], factors[r]))
            root = builder.select(unknown, root, zero)
            for s in range(r):
                rest[s] = code.plus(rest[s], factors[s], root)
            before = builder.extract_element(solved, _lane(r))
            solved = builder.insert_element(solved, builder.fadd(before, root), _lane(r))
        code.write(place, solved)
        return context.get_dummy_value()

    return signature, generate
