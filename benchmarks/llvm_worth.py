"""How many times as fast each LLVM function is as its plain numba form.

Both run over the tiles that their kernels ask them for, on the same arrays. Hints (prefetch) have no
plain form: the kernel that gives them runs with and without.
"""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any
from unittest.mock import patch

import numpy as np
import plain_kernels
from machine_limits import best_seconds
from numba import njit
from shapes import Shape, draw

from mnar.kernels import batched_cholesky, outer_products, score_tiles
from mnar.kernels.batched_cholesky import SYSTEMS, TILE
from mnar.kernels.outer_products import TILE_ROWS
from mnar.kernels.score_tiles import BLOCK, COLUMNS, GROUP, WORDS
from mnar.kernels.vectors import LANES
from mnar.matrices.ratings import Ratings
from mnar.models import _als, _pairwise_kernels, mf_adg

WORTH = 1.5
# Entries of a row that are gathered at a time.
ENTRIES = 32
# Hints are for what lies in no cache: as many users and items as Netflix has.
HINTED = ["l", "480189x17770x20000000"]
Setup = Callable[[Callable, int, Any], tuple[Callable, tuple]]


def over_triangle(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, out, start, left, right):
        for _ in range(times):
            for i in range(0, out.shape[0] - LANES, TILE_ROWS):
                for j in range(i // LANES * LANES, out.shape[1], LANES):
                    function(out, start, i, j, left, right, len(left))

    return run, (*(np.zeros((size, size), dtype) for _ in range(2)), *_rows(size, dtype))


def over_rows(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, plain, scaled, source):
        for n in range(times):
            for t in range(len(plain)):
                function(plain, scaled, t, source, (7 * t + n) % len(source), plain.dtype.type(2))

    return run, (*_rows(size, dtype), np.ones((1000, size), dtype))


def over_matrices(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, batch, matrices):
        for _ in range(times):
            for i in range(len(batch)):
                for j in range(i // LANES * LANES, len(batch), LANES):
                    function(batch, matrices, i, j)

    return run, (_batch(size, dtype), np.zeros((SYSTEMS, size, size), dtype))


def over_pairs_of_tiles(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, batch):
        for _ in range(times):
            for i in range(0, len(batch), TILE):
                for j in range(i + TILE, len(batch), TILE):
                    function(batch, i, j)

    return run, (_batch(size, dtype),)


def over_diagonal(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, batch, floors):
        for _ in range(times):
            for i in range(0, len(batch), TILE):
                function(batch, i, floors)

    return run, (_batch(size, dtype), np.ones((1, SYSTEMS), dtype))


def upwards(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, batch, x):
        for _ in range(times):
            for i in range(len(batch) - 2 * TILE, -1, -TILE):
                function(batch, i, x, len(batch) - TILE)

    return run, (_batch(size, dtype), np.zeros((size, SYSTEMS), dtype))


def over_blocks(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, users, panels, bits, lines):
        for _ in range(times):
            for block in range(len(panels)):
                for group in range(len(users)):
                    function(users, group, panels, block, bits, group * GROUP, lines)

    groups, blocks = 32, 8
    users, panels = (
        np.ones((groups, size, GROUP), dtype),
        np.ones((blocks, BLOCK // COLUMNS, size, COLUMNS), dtype),
    )
    bits = np.zeros((groups * GROUP, blocks * WORDS), np.uint64)
    return run, (users, panels, bits, np.zeros((GROUP, BLOCK), dtype))


def over_lines(function: Callable, size: int, dtype: Any) -> tuple[Callable, tuple]:
    @njit(nogil=True)
    def run(times, lines):
        total = lines[0, 0]
        for n in range(64 * times):
            row = n % GROUP
            lines[row, n % BLOCK] += total
            total += function(lines, row)
        return total

    return run, (np.zeros((GROUP, BLOCK), dtype),)


def _rows(size: int, dtype: Any) -> Iterator[Any]:
    return (np.zeros((ENTRIES, size), dtype) for _ in range(2))


def _batch(size: int, dtype: Any) -> Any:
    """Unit matrices: they stay what they are, however often they are factorised."""
    return np.repeat(np.eye(size, dtype=dtype)[:, :, None], SYSTEMS, axis=2)


# How the functions are called, and on which numbers.
BOTH, SINGLE = (np.float32, np.float64), (np.float32,)
SETUPS: dict[str, tuple[Any, Setup, tuple]] = {
    "add_products": (outer_products, over_triangle, BOTH),
    "copy_scaled": (outer_products, over_rows, BOTH),
    "interleave": (batched_cholesky, over_matrices, BOTH),
    "subtract_products": (batched_cholesky, over_pairs_of_tiles, BOTH),
    "factorise": (batched_cholesky, over_diagonal, BOTH),
    "substitute": (batched_cholesky, over_pairs_of_tiles, BOTH),
    "substitute_back": (batched_cholesky, upwards, BOTH),
    "score_tile": (score_tiles, over_blocks, SINGLE),
    "find_top": (score_tiles, over_lines, SINGLE),
}


def measure(factors: list[int], repeat: int, seconds: float = 0.03) -> list[dict[str, Any]]:
    """Rows of (function, number, factors, llvm_us, plain_us, ratio)."""
    rows = []
    for name, (module, setup, dtypes) in SETUPS.items():
        for dtype in dtypes:
            for k in factors:
                size = _als.width(k)
                pair = [
                    _best(*setup(function, size, dtype), repeat, seconds)
                    for function in (getattr(module, name), getattr(plain_kernels, name))
                ]
                rows.append(_row(name, np.dtype(dtype).name, k, *pair))
    return rows


def _best(run: Callable, arguments: tuple, repeat: int, seconds: float) -> float:
    """Seconds of one round; as many rounds at a time as take `seconds`."""
    once = best_seconds(lambda: run(1, *arguments), 3)
    times = max(int(seconds / once), 1)
    return best_seconds(lambda: run(times, *arguments), repeat) / times


def _row(name: str, number: str, factors: int, llvm: float, plain: float) -> dict[str, Any]:
    place = {"function": name, "number": number, "factors": factors}
    return place | {"llvm_us": 1e6 * llvm, "plain_us": 1e6 * plain, "ratio": plain / llvm}


def replaced(kernel: Any, **others: Any) -> Any:
    """A kernel compiled with other functions in place of some that it calls."""
    plain = kernel.py_func
    changed = FunctionType(plain.__code__, plain.__globals__ | others, plain.__name__)
    return njit(nogil=True, fastmath=kernel.targetoptions.get("fastmath", False))(changed)


def measure_hints(factors: list[int], repeat: int, shapes: list[Shape]) -> list[dict[str, Any]]:
    """The same rows for hints, in the kernels that give them."""
    return [
        row | {"shape": str(shape)}
        for shape in shapes
        for row in _hints(draw(shape), factors, repeat)
    ]


def _hints(ratings: Ratings, factors: list[int], repeat: int) -> list[dict[str, Any]]:
    rows = []
    blind = replaced(_pairwise_kernels.climb_adg, fetch=plain_kernels.nothing)
    for k in factors:
        kernels = (_pairwise_kernels.climb_adg, blind)
        pair = [_climb_seconds(ratings, k, kernel, repeat) for kernel in kernels]
        rows.append(_row("prefetch, in climb_adg", "float32", k, *pair))
    return rows


def _climb_seconds(ratings: Ratings, factors: int, kernel: Any, repeat: int) -> float:
    settings = {"factors": factors, "rate": 0.05, "lambda": 0.01}
    state = mf_adg.start(ratings, settings, 1)
    iterations = min(len(ratings.items), 300_000)
    # The same iterations again and again, from vectors that no longer change much.
    with patch.object(mf_adg, "climb_adg", kernel):

        def advance() -> None:
            state.iterations = 0
            mf_adg.advance(state, settings, iterations)

        return best_seconds(advance, repeat)
