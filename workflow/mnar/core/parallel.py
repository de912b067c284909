"""Runs compiled kernels that release the GIL in plain threads, one block of rows at a time.

Each row's result depends on that row alone, so any number of threads gives the same bits.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache

import numpy as np  # noqa: F401  # loads the BLAS library that one_blas_thread limits
from threadpoolctl import ThreadpoolController


@cache
def one_blas_thread() -> None:
    """Gives numpy's BLAS one thread for the rest of the process.

    Its own threads would compete with ours, and the order of its sums depends on their number.
    """
    ThreadpoolController().limit(limits=1, user_api="blas")


def for_blocks(work: Callable[[int, int], None], rows: int, threads: int, block: int) -> None:
    """Calls work(first, last) for consecutive blocks of rows, with one BLAS thread in each.

    The blocks do not depend on the number of threads, so neither does any result. `work` must not
    call for_blocks itself: it would wait for threads that wait for it.
    """
    bounds = [(first, min(first + block, rows)) for first in range(0, rows, block)]
    one_blas_thread()
    if threads == 1 or len(bounds) <= 1:
        for first, last in bounds:
            work(first, last)
        return
    # All threads, this one included, take blocks from one list: a task for each small block would
    # cost as much as the block.
    left = iter(bounds)

    def work_on() -> None:
        for first, last in left:
            work(first, last)

    others = [_pool(threads - 1).submit(work_on) for _ in range(min(threads, len(bounds)) - 1)]
    try:
        work_on()
    finally:
        wait(others)
    for done in others:
        done.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads are kept, since starting them may take longer than their work."""
    return ThreadPoolExecutor(threads)
