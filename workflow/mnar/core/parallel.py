"""Rows in parallel: compiled kernels that release the GIL, run by plain threads.

Each row's result depends on that row alone, so any number of threads gives the same bits.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache

from threadpoolctl import ThreadpoolController


def one_blas_thread() -> None:
    """From here on BLAS has one thread in this process.

    Threads of its own would fight with ours, and the order in which it sums up depends on them.
    """
    _limit_blas("scipy.linalg" in sys.modules)


@cache
def _limit_blas(scipy_is_loaded: bool) -> None:
    """It takes longer than a small product, so it is done once; and once more when scipy, which brings
    a library of its own, has been imported.
    """
    ThreadpoolController().limit(limits=1, user_api="blas")


def for_blocks(work: Callable[[int, int], None], rows: int, threads: int, block: int) -> None:
    """Call work(first, last) for consecutive blocks of rows, with one BLAS thread in each.

    The blocks do not depend on the number of threads, so neither does any result. What is called must
    not come here again: it would wait for threads that wait for it.
    """
    bounds = [(first, min(first + block, rows)) for first in range(0, rows, block)]
    one_blas_thread()
    if threads == 1 or len(bounds) <= 1:
        for first, last in bounds:
            work(first, last)
        return
    # All threads take from one list: to hand out each block would take as long as a small one. This
    # thread is one of them: it has begun before the others are awake.
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
    """Kept: to start threads anew for each call takes half a millisecond."""
    return ThreadPoolExecutor(threads)
