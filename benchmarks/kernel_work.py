"""The work of each kernel (operations, bytes), and the seconds that it takes.

Operations are those carried out: padding to whole registers and tiles counts, and `useful` is the share
that the formula without padding has. A comparison, a multiplication and an addition are one operation
each. Bytes are those that a kernel takes from the first level of memory that holds what it works on; what
it finds again in the level above is not counted.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from llvm_worth import replaced
from machine_limits import best_seconds, level_of
from numba import njit
from plain_kernels import nothing
from problem import sides
from shapes import Shape, draw

from mnar.core.parallel import for_blocks
from mnar.kernels.batched_cholesky import SYSTEMS, TILE, allocate_batch, solve_batch
from mnar.kernels.outer_products import TILE_ROWS
from mnar.kernels.score_tiles import BLOCK, GROUP, WORDS, panels_of, score_tile
from mnar.kernels.transposition import transpose
from mnar.kernels.vectors import LANES
from mnar.matrices.factor_scores import pack_users
from mnar.matrices.model import ScoreMatrix
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.measures.ranking import rank_counts
from mnar.measures.ranking.counts import compare
from mnar.models import _als, mf_adg
from mnar.splits import split

FLOAT = 4
# Users whose scores are made together (mnar.matrices.factor_scores).
USERS = 32 * GROUP
BATCHES = 64
TARGETS = 16


@dataclass(frozen=True)
class Kernel:
    """`run` does the work on some threads; `formula` says how much it is."""

    name: str
    formula: str
    run: Callable[[int], Any]
    operations: float
    useful: float
    bytes: float
    working_set: int
    # Whether its steps must be taken in turn.
    one_thread: bool = False


def measure(
    threads: list[int], factors: list[int], repeat: int, shape: Shape
) -> list[dict[str, Any]]:
    """Rows of (kernel, factors, threads, seconds, operations, useful, bytes, level, formula)."""
    ratings = draw(shape)
    rows = []
    for k in factors:
        for kernel in of_factors(ratings, k):
            rows += _rows(kernel, k, threads, repeat)
    for kernel in without_factors(ratings):
        rows += _rows(kernel, 0, threads, repeat)
    return rows


def _rows(
    kernel: Kernel, factors: int, threads: list[int], repeat: int, least: float = 0.5
) -> list[dict[str, Any]]:
    facts = {
        "operations": kernel.operations,
        "useful": kernel.useful,
        "bytes": kernel.bytes,
        "level": level_of(kernel.working_set),
        "formula": kernel.formula,
    }
    return [
        {"kernel": kernel.name, "factors": factors, "threads": count}
        | {"seconds": best_seconds(lambda count=count: kernel.run(count), repeat, least)}
        | facts
        for count in ([1] if kernel.one_thread else threads)
    ]


def of_factors(ratings: Ratings, factors: int) -> Iterator[Kernel]:
    yield normal_equations(ratings, factors)
    yield cholesky(factors)
    yield pairwise(ratings, factors)
    yield scoring(ratings.n_items, factors)


def without_factors(ratings: Ratings) -> Iterator[Kernel]:
    yield counting()
    yield dense_ranking(ratings)
    yield transposition(ratings)
    yield splitting(ratings)


def normal_equations(ratings: Ratings, factors: int) -> Kernel:
    """Both sides of a sweep without the solutions."""
    both = sides(ratings, {"missing_weight": 0.1, "ridge": 10.0})
    width = _als.width(factors)
    designs = [_als.start(n, factors, 1) for n in (ratings.n_items, ratings.n_users)]
    kernel = replaced(_als.solve_rows, solve_batch=nothing)

    def run(threads: int) -> None:
        with patch.object(_als, "solve_rows", kernel):
            for side, design in zip(both, designs, strict=True):
                _als.solve(side, design, factors, threads)

    entries = 2 * len(ratings.items)
    tiles = sum((width - i // LANES * LANES) // LANES for i in range(0, factors, TILE_ROWS))
    done = 2 * TILE_ROWS * LANES * tiles
    return Kernel(
        "normal equations",
        "k(k + 3) operations and 4k + 8 bytes an entry, of both sides",
        run,
        entries * done,
        factors * (factors + 3) / done,
        entries * (FLOAT * width + 2 * FLOAT),
        max(design.nbytes for design in designs),
    )


def cholesky(factors: int) -> Kernel:
    """Systems of equations, SYSTEMS side by side."""
    size = _als.width(factors)
    matrices, *_ = allocate_batch(size, np.zeros(1, np.float32))
    matrices[:] = np.eye(size, dtype=np.float32)
    ridges = np.ones(SYSTEMS, np.float32)

    def work(first: int, last: int) -> None:
        own, batch, x = allocate_batch(size, matrices)
        own[:] = matrices
        for _ in range(first, last):
            solve_batch(batch, own, ridges, factors, x)

    pairs = [(i, j) for i in range(0, factors, TILE) for j in range(i, factors + 1, TILE)]
    # 2 × 16 for each row above a tile, 64 to substitute in it; the diagonal counts as one more.
    done = sum(2 * TILE * TILE * i + 64 for i, _ in pairs) + 2 * factors**2 / 2
    loaded = sum(2 * TILE * i + 3 * TILE * TILE for i, _ in pairs)
    useful = factors**3 / 3 + 5 * factors**2 / 2
    return Kernel(
        "batched Cholesky",
        "k³/3 + 5k²/2 operations and 4(k³/12 + k²) bytes a system",
        lambda threads: for_blocks(work, BATCHES, threads, BATCHES // max(threads, 1)),
        BATCHES * SYSTEMS * done,
        useful / done,
        BATCHES * SYSTEMS * FLOAT * loaded,
        2 * SYSTEMS * size * size * FLOAT,
    )


def pairwise(ratings: Ratings, factors: int) -> Kernel:
    """MF-ADG, from the start, with the paper's limit on draws."""
    settings = {"factors": factors, "rate": 0.05, "lambda": 0.01}
    count = min(len(ratings.items), 500_000)

    def run(_: int) -> Any:
        state = mf_adg.start(ratings, settings, 1)
        mf_adg.advance(state, settings, count)
        return state

    state = run(1)
    width = state.user_vectors.shape[1]
    vectors = state.draws + 2 * count
    return Kernel(
        "pairwise steps",
        "2k operations and 4k bytes a draw, 10k and 12k more a step",
        run,
        2 * width * (state.draws + count) + 10 * width * state.steps,
        factors / width,
        FLOAT * width * (vectors + 3 * state.steps),
        state.user_vectors.nbytes + state.item_vectors.nbytes,
        one_thread=True,
    )


@njit(nogil=True)
def score_blocks(packed, panels, bits, lines):
    for block in range(len(panels)):
        for group in range(len(packed)):
            score_tile(packed, group, panels, block, bits, group * GROUP, lines)


def scoring(n_items: int, factors: int) -> Kernel:
    """Scores of some users for all items."""
    blocks = 8
    random = np.random.default_rng(1)
    panels = panels_of(
        random.standard_normal((n_items, factors + 1), np.float32), np.arange(n_items)
    )
    packed = pack_users(np.arange(USERS), random.standard_normal((USERS, factors), np.float32))
    bits = np.zeros((USERS, len(panels) * WORDS), np.uint64)

    def work(_: int, __: int) -> None:
        score_blocks(packed, panels, bits, np.zeros((GROUP, BLOCK), np.float32))

    scores = blocks * USERS * len(panels) * BLOCK
    read = FLOAT * (factors + 1) * (1 / USERS + 1 / BLOCK)
    return Kernel(
        "scoring",
        f"2(k + 1) operations and 4(k + 1)(1/{USERS} + 1/{BLOCK}) bytes a score",
        lambda threads: for_blocks(work, blocks, threads, 1),
        scores * 2 * (factors + 1),
        n_items / (len(panels) * BLOCK),
        scores * read,
        panels.nbytes,
    )


@njit(nogil=True)
def compare_lines(lines, targets, times):
    total = 0
    for _ in range(times):
        for row in range(len(lines)):
            for target in targets:
                above, tied = compare(lines[row], target)
                total += above + tied
    return total


def counting() -> Kernel:
    """Targets compared with a line of scores in the first cache."""
    lines = np.random.default_rng(1).random((GROUP, BLOCK), np.float32)
    targets = np.linspace(0, 1, TARGETS, dtype=np.float32)
    blocks, times = 16, 1000

    def work(_: int, __: int) -> None:
        compare_lines(lines, targets, times)

    compared = blocks * times * GROUP * BLOCK * TARGETS
    return Kernel(
        "counting",
        "4 operations and 4 bytes a score and target",
        lambda threads: for_blocks(work, blocks, threads, 1),
        4 * compared,
        1.0,
        FLOAT * compared,
        lines.nbytes,
    )


def dense_ranking(ratings: Ratings) -> Kernel:
    """Every user's ratings ranked in a matrix of scores: each row is read from memory once."""
    users = min(ratings.n_users, 5_000)
    targets = ratings.of_users(np.arange(users))
    scores = np.random.default_rng(1).random((users, ratings.n_items), np.float32)
    model = ScoreMatrix(scores)
    return Kernel(
        "ranking dense scores",
        "4 operations a score and target (sorted above 256 targets), 4 bytes a score",
        lambda threads: rank_counts(model, targets, threads=threads),
        4.0 * ratings.n_items * len(targets.items),
        1.0,
        scores.nbytes,
        scores.nbytes,
    )


def transposition(ratings: Ratings) -> Kernel:
    given = (ratings.indptr, ratings.items, ratings.values, ratings.relevant, ratings.n_items)
    entries = len(ratings.items)
    return Kernel(
        "transposition",
        "22 bytes an entry: column twice, value and mark read; row, value and mark written",
        lambda _: transpose(*given),
        0.0,
        1.0,
        22 * entries,
        18 * entries,
        one_thread=True,
    )


def splitting(ratings: Ratings) -> Kernel:
    """The protocol four-folds."""
    fold = np.full(len(ratings.items), -1, np.int64)
    entries = Entries(ratings.users, ratings.items, ratings.values, ratings.relevant, fold)
    none = Entries(*(column[:0] for column in vars(entries).values()))
    ids = [np.arange(count) for count in (ratings.n_users, ratings.n_items)]
    view = View(*ids, entries, none, np.zeros((ratings.n_items, 0), np.int32))
    return Kernel(
        "split",
        "22 bytes an entry at least: user, mark, random number read; order and role written",
        lambda _: split("four-folds", view, {}, 0, 1),
        0.0,
        1.0,
        22 * len(ratings.items),
        22 * len(ratings.items),
        one_thread=True,
    )
