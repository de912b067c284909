"""BPR: the model of MF-AUC by the logistic loss on (liked, other) pairs (Rendle et al. 2009).

Each iteration draws a user, one of its relevant items i and an irrelevant item v, all uniformly, and
goes down the gradient of −ln σ(f(u, i) − f(u, v)) + λ/2 ‖vectors‖². Unlike the hinge of MF-AUC the
loss is never zero, so every iteration steps.
"""

from collections.abc import Iterator

import numpy as np

from mnar.core.palette import SKY
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _pairwise
from mnar.models._about import About
from mnar.models._pairwise import SETTINGS, PairwiseState, Settings, start
from mnar.models._pairwise_kernels import (
    AHEAD,
    BLOCK,
    LANES,
    SUMS,
    draw_positives,
    fetch,
    irrelevant_item,
    score,
    take_step,
)

__all__ = ["ABOUT", "advance", "fit", "fit_grid", "start"]

ABOUT = About(
    label="BPR",
    description="Factors by the logistic loss on pairs of a liked and another item.",
    colour=SKY,
    marker="s",
    settings=SETTINGS,
)


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return _pairwise.fit(train, settings, seed, advance)


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    return _pairwise.fit_grid(train, points, seed, threads, advance)


def advance(state: PairwiseState, settings: Settings, iterations: int) -> None:
    """Go on for some iterations; in any number of parts the result is the same."""
    state.run(climb_bpr, np.float32(1), settings, iterations)


@njit(cache=True, nogil=True, fastmath=SUMS)
def climb_bpr(
    lanes, user_vectors, item_vectors, item_bias, users, indptr, items, pace, keep, key, first, last
):
    """Iterations first … last - 1; returns steps and draws. The same pairs as those of MF-AUC."""
    width = LANES * len(lanes)
    n_items = len(item_vectors)
    bits = np.zeros(BLOCK, np.uint64)
    user = np.zeros(BLOCK + AHEAD, np.int64)
    positive = np.zeros(BLOCK + AHEAD, np.int64)
    negative = np.zeros(BLOCK + AHEAD, np.int64)
    draws = 0
    for begin in range(first, last, BLOCK):
        size = min(BLOCK, last - begin)
        draw_positives(key, begin, users, indptr, items, bits[:size], user, positive)
        for t in range(size):
            relevant = items[indptr[user[t]] : indptr[user[t] + 1]]
            negative[t] = irrelevant_item(bits[t], relevant, n_items)
        for t in range(size):
            soon = t + AHEAD
            fetch(user_vectors, user[soon], width)
            fetch(item_vectors, positive[soon], width)
            fetch(item_vectors, negative[soon], width)
            u, i, v = user[t], positive[t], negative[t]
            # A user to whom every item is relevant has no pair.
            if v < 0:
                continue
            draws += 1
            liked = score(user_vectors, item_vectors, item_bias, u, i, width)
            other = score(user_vectors, item_vectors, item_bias, u, v, width)
            slope = np.float32(1 / (1 + np.exp(np.float64(liked - other))))
            take_step(user_vectors, item_vectors, item_bias, u, i, v, width, pace * slope, keep)
    return draws, draws
