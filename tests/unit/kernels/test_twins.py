"""Each LLVM function against its plain numpy twin (test_other_registers: for any register width).

Where only products and sums are taken, numbers are small and whole: every order of sums and every
fused product is then exact, and the twins must be equal to the bit.
"""

import re
from pathlib import Path

import llvm_worth
import numpy as np
import plain_kernels
import pytest
from helpers.twins import assert_equals_twin, llvm_functions, parameters_of, twin_of

from mnar.kernels import batched_cholesky, outer_products, prefetch, score_tiles
from mnar.kernels.batched_cholesky import SYSTEMS, TILE
from mnar.kernels.outer_products import TILE_ROWS
from mnar.kernels.score_tiles import BLOCK, COLUMNS, GROUP, WORDS
from mnar.kernels.vectors import LANES

SINGLE, DOUBLE = np.float32, np.float64


class Draw:
    """Random arguments of one number type."""

    def __init__(self, seed, dtype):
        self.random, self.dtype = np.random.default_rng(seed), dtype

    def whole(self, *shape):
        return self.random.integers(-3, 4, shape).astype(self.dtype)

    def real(self, low, high, *shape):
        return self.random.uniform(low, high, shape).astype(self.dtype)

    def below(self, bound):
        return int(self.random.integers(bound))

    def size(self):
        """The number of columns of a padded matrix."""
        return LANES * (1 + self.below(3))

    def batch(self):
        size = self.size()
        return self.whole(size, size, SYSTEMS), TILE * self.below(size // TILE)


def add_products(draw):
    rows, size, n = TILE_ROWS * (1 + draw.below(3)), draw.size(), draw.below(20)
    out, start = draw.whole(rows, size), draw.whole(rows, size)
    i, j = TILE_ROWS * draw.below(rows // TILE_ROWS), LANES * draw.below(size // LANES)
    left, right = draw.whole(n + draw.below(3), rows), draw.whole(n + draw.below(3), size)
    # The sum may go on in the matrix where it began.
    return out, out if draw.below(2) else start, i, j, left, right, n


def copy_scaled(draw):
    rows, size = 1 + draw.below(5), draw.size()
    plain, scaled, source = draw.whole(rows, size), draw.whole(rows, size), draw.whole(9, size)
    return plain, scaled, draw.below(rows), source, draw.below(9), draw.dtype(draw.below(7) - 3)


def interleave(draw):
    batch, _ = draw.batch()
    size = len(batch)
    matrices = draw.whole(SYSTEMS, size, size)
    return batch, matrices, draw.below(size), LANES * draw.below(size // LANES)


def subtract_products(draw):
    batch, i = draw.batch()
    return batch, i, i + TILE * draw.below((len(batch) - i) // TILE)


def factorise(draw):
    batch, i = draw.batch()
    # About half of the pivots lie below their floor.
    return batch, i, draw.real(1, 3, 1, SYSTEMS)


def substitute(draw):
    batch, i, j = subtract_products(draw)
    for k in range(len(batch)):
        batch[k, k] = draw.real(0.5, 1, SYSTEMS)
    # The tile of the factor itself is never asked for.
    return (batch, i, j) if j > i else (batch, 0, TILE)


def substitute_back(draw):
    batch, _ = draw.batch()
    n = 1 + draw.below(len(batch) - 1)
    x = draw.whole(len(batch), SYSTEMS)
    x[n + 1 :] = 0
    return batch, TILE * draw.below(-(-n // TILE)), x, n


def score_tile(draw):
    blocks, groups, factors, above = (1 + draw.below(3) for _ in range(4))
    users = draw.whole(groups, factors, GROUP)
    panels = draw.whole(blocks, BLOCK // COLUMNS, factors, COLUMNS)
    masked = draw.random.random((above + GROUP, blocks * BLOCK)) < draw.random.random()
    bits = np.packbits(masked, axis=1, bitorder="little").view(np.uint64)
    assert bits.shape[1] == blocks * WORDS
    lines = draw.whole(GROUP, BLOCK)
    return users, draw.below(groups), panels, draw.below(blocks), bits, draw.below(above), lines


def lines_of(draw):
    lines = draw.whole(GROUP, BLOCK) * draw.dtype(10)
    lines[draw.random.random(lines.shape) < draw.random.random()] = -np.inf
    return lines


def find_top(draw):
    return lines_of(draw), draw.below(GROUP)


def hint(draw):
    # Also beyond the array's end, where a load would be an error.
    return draw.whole(3, LANES), draw.below(1 << 40), draw.below(100)


# Arguments of each LLVM function, the number types it is called with, and the error that is allowed
# in units of the type's rounding.
CASES = {
    (outer_products, "add_products"): (add_products, (SINGLE, DOUBLE), 0),
    (outer_products, "copy_scaled"): (copy_scaled, (SINGLE, DOUBLE), 0),
    (batched_cholesky, "interleave"): (interleave, (SINGLE, DOUBLE), 0),
    (batched_cholesky, "subtract_products"): (subtract_products, (SINGLE, DOUBLE), 0),
    (batched_cholesky, "factorise"): (factorise, (SINGLE, DOUBLE), 1000),
    (batched_cholesky, "substitute"): (substitute, (SINGLE, DOUBLE), 1000),
    (batched_cholesky, "substitute_back"): (substitute_back, (SINGLE, DOUBLE), 0),
    (score_tiles, "score_tile"): (score_tile, (SINGLE,), 0),
    (score_tiles, "find_top"): (find_top, (SINGLE,), 0),
    (prefetch, "prefetch"): (hint, (SINGLE, DOUBLE), 0),
}


def label(case):
    return case[1] if isinstance(case, tuple) else None


@pytest.mark.parametrize("case", CASES, ids=label)
def test_an_llvm_function_equals_its_twin(case):
    arguments, dtypes, rounding = CASES[case]
    for dtype in dtypes:
        for seed in range(40):
            tolerance = rounding * float(np.finfo(dtype).eps)
            assert_equals_twin(*case, arguments(Draw(seed, dtype)), tolerance)


MEASURED = [case for case in CASES if case[0] is not prefetch]


@pytest.mark.parametrize("case", MEASURED, ids=label)
def test_what_an_llvm_function_is_measured_against_does_the_same(case):
    arguments, dtypes, rounding = CASES[case]
    for dtype in dtypes:
        for seed in range(10):
            tolerance = rounding * float(np.finfo(dtype).eps)
            plain = getattr(plain_kernels, case[1])
            assert_equals_twin(*case, arguments(Draw(seed, dtype)), tolerance, plain)


def test_every_llvm_function_is_measured():
    assert list(llvm_worth.SETUPS) == [name for _, name in MEASURED]
    for name, (_, setup, dtypes) in llvm_worth.SETUPS.items():
        run, arguments = setup(getattr(plain_kernels, name), 2 * LANES, dtypes[0])
        run(1, *arguments)


def test_every_llvm_function_is_compared_with_its_twin():
    assert llvm_functions()
    assert set(llvm_functions()) == set(CASES)


@pytest.mark.parametrize("case", llvm_functions(), ids=label)
def test_every_llvm_function_has_a_twin_in_its_file(case):
    module, name = case
    twin = twin_of(module, name)
    assert twin.__module__ == module.__name__
    # numba adds the first argument.
    assert parameters_of(twin) == parameters_of(getattr(module, name).__wrapped__)[1:]


def test_llvm_code_lives_in_this_room_alone():
    room = Path(score_tiles.__file__).parent
    compiler = re.compile(r"^\s*(?:from|import) (?:llvmlite|numba)\b", re.M)
    files = sorted(room.parent.rglob("*.py"))
    users = {file for file in files if compiler.search(file.read_text(encoding="utf-8"))}
    assert users
    assert {file.parent for file in users} == {room}
