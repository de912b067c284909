"""What this machine can do at most: multiply-adds a second, and bytes a second from each level of memory.

Multiply-adds run in registers alone. Reading adds up vectors of an array that fits a cache, or no cache
(memory); the triad a = b + s·c counts the three arrays once each, as STREAM does.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils

from mnar.core.parallel import for_blocks
from mnar.kernels.vectors import LANES, VectorBuilder, aligned_zeros, llvm_function

# Independent sums: enough that no multiply-add waits for another, few enough for the registers.
CHAINS = {np.dtype(np.float32): 12, np.dtype(np.float64): 6}
READS = 8
# Each limit is tried for so long, a few milliseconds at a time.
SECONDS = 1.0
# Where Linux does not tell: the first, second and third cache.
USUAL = {"L1": 32 << 10, "L2": 512 << 10, "L3": 16 << 20}
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


@llvm_function
def chain_products(typing_context, numbers, times):
    """CHAINS vectors, each multiplied by numbers[0] and added to numbers[1] as often as `times` says."""
    signature = numbers.dtype(numbers, types.intp)

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        array, times = arguments
        code = VectorBuilder(context, builder, numbers)
        factor, term = (
            code.load(code.pointer_to(numbers, array, ir.Constant(times.type, row)))
            for row in (0, 1)
        )
        count = CHAINS[np.dtype(str(numbers.dtype))]
        sums = [cgutils.alloca_once_value(builder, term) for _ in range(count)]
        with cgutils.for_range(builder, times):
            for total in sums:
                builder.store(code.multiply_add(term, builder.load(total), factor), total)
        return code.reduce(_added(builder, sums), builder.fadd)

    return signature, generate


@llvm_function
def add_up(typing_context, numbers):
    """The sum of an array whose length is a multiple of READS vectors."""

    def generate(context: Any, builder: Any, _: Any, arguments: list) -> Any:
        [array] = arguments
        code = VectorBuilder(context, builder, numbers)
        length = code.length(numbers, array, 0)
        sums = [cgutils.alloca_once_value(builder, code.constant(0.0)) for _ in range(READS)]
        first, step = ir.Constant(length.type, 0), ir.Constant(length.type, READS * LANES)
        with cgutils.for_range_slice(builder, first, length, step, inc=True) as (start, _):
            for place, total in enumerate(sums):
                more = code.pointer_to(numbers, array, code.add_to_index(start, place * LANES))
                builder.store(builder.fadd(builder.load(total), code.load(more)), total)
        return code.reduce(_added(builder, sums), builder.fadd)

    return numbers.dtype(numbers), generate


def _added(builder: Any, sums: list) -> Any:
    total = builder.load(sums[0])
    for more in sums[1:]:
        total = builder.fadd(total, builder.load(more))
    return total


@njit(nogil=True)
def multiply_add(numbers, times):
    return chain_products(numbers, times)


@njit(nogil=True)
def read(numbers, times):
    total = numbers[0]
    for _ in range(times):
        total += add_up(numbers)
    return total


@njit(nogil=True)
def triad(a, b, c):
    for n in range(len(a)):
        a[n] = b[n] + np.float32(3) * c[n]


def cache_sizes() -> dict[str, int]:
    """Bytes of the caches of the first processor."""
    found = {}
    for folder in sorted(CACHES.glob("index*")):
        level, kind, size = (
            (folder / name).read_text(encoding="utf-8").strip()
            for name in ("level", "type", "size")
        )
        if kind != "Instruction":
            found[f"L{level}"] = int(size.removesuffix("K")) << 10
    return found or USUAL


def level_of(working_set: int) -> str:
    """The first level of memory that holds this number of bytes."""
    fits = [name for name, size in cache_sizes().items() if working_set <= size]
    return fits[0] if fits else "memory"


def best_seconds(work: Callable[[], Any], repeat: int, least: float = 0.0) -> float:
    """The shortest time: everything else that the machine does only adds to it.

    Repeated for `least` seconds in all: a short piece of work then runs undisturbed once in a while.
    """
    work()
    found: list[float] = []
    while len(found) < repeat or sum(found) < least:
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def in_threads(work: Callable[[int], Any], threads: int) -> Callable[[], None]:
    """Calls work(0), work(1), … at the same time, one in each thread."""
    return lambda: for_blocks(lambda first, _: work(first), threads, threads, 1)


def measure(threads: list[int], repeat: int, share: float = 1.0) -> list[dict[str, Any]]:
    """Rows of (what, level, threads, value, unit); `share` of the work, where it is only tried out."""
    rows: list[dict[str, Any]] = []
    for count in threads:
        for dtype in CHAINS:
            rate = multiply_add_rate(dtype, count, repeat, share)
            rows.append(_row(f"multiply-add, {dtype}", "registers", count, rate, "GFLOP/s"))
        sizes = {name: size // 2 for name, size in cache_sizes().items()}
        sizes["memory"] = 8 * max(sizes.values())
        for level, size in sizes.items():
            rate = read_rate(int(size * share), level, count, repeat, share)
            rows.append(_row("read", level, count, rate, "GB/s"))
        rate = triad_rate(int(sizes["memory"] * share), count, repeat)
        rows.append(_row("triad", "memory", count, rate, "GB/s"))
    return rows


def _row(what: str, level: str, threads: int, value: float, unit: str) -> dict[str, Any]:
    return {"what": what, "level": level, "threads": threads, "value": value, "unit": unit}


def multiply_add_rate(dtype: Any, threads: int, repeat: int, share: float) -> float:
    """10⁹ multiplications and additions a second."""
    times = int(1_000_000 * share)
    numbers = np.zeros((2, LANES), dtype)
    numbers[0] = 0.5
    seconds = best_seconds(
        in_threads(lambda _: multiply_add(numbers, times), threads), repeat, SECONDS * share
    )
    return 2 * LANES * CHAINS[np.dtype(dtype)] * times * threads / seconds / 1e9


def read_rate(size: int, level: str, threads: int, repeat: int, share: float) -> float:
    """10⁹ bytes a second. Of a cache that threads share, each reads its part."""
    each = size // threads if level in ("L3", "memory") else size
    count = max(each // 4 // (READS * LANES), 1) * READS * LANES
    arrays = [aligned_zeros(count, np.float32) for _ in range(threads)]
    for array in arrays:
        # Zeros that nobody wrote are one page of memory, again and again.
        array[:] = 1
    times = max(int(2e8 * share) // (4 * count), 1)
    seconds = best_seconds(
        in_threads(lambda n: read(arrays[n], times), threads), repeat, SECONDS * share
    )
    return 4 * count * times * threads / seconds / 1e9


def triad_rate(size: int, threads: int, repeat: int) -> float:
    count = size // 4 // threads
    arrays = [[np.ones(count, np.float32) for _ in range(3)] for _ in range(threads)]
    seconds = best_seconds(in_threads(lambda n: triad(*arrays[n]), threads), repeat)
    return 3 * 4 * count * threads / seconds / 1e9
