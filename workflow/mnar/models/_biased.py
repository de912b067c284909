"""Observed ratings as mean + user bias + item bias + product of vectors, by least squares.

A solved row is [bias, vector]; facing the other side it becomes [1, vector], and its bias part of
what is already explained. Biases and vectors share one penalty: λ times the number of ratings.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.factor_model import FactorModel
from mnar.models._als import Floats, Side, check_size, observed_side, padded, solve, start
from mnar.ratings import Ratings

SWEEPS = 15

# From solved item rows to what each of them is drawn towards.
Share = Callable[[Floats], Floats]


def fit_biased(
    train: Ratings, settings: dict[str, Any], seed: int, threads: int, share: Share | None = None
) -> FactorModel:
    factors = settings["factors"]
    mean = float(train.values.mean(dtype=np.float64)) if len(train.values) else 0.0
    users, items = (observed_side(rows, settings["lambda"]) for rows in (train, train.by_item))
    user_rows = start(train.n_users, 1 + factors, seed)
    user_rows[:, 0] = 0
    towards = None
    for _ in range(settings.get("sweeps", SWEEPS)):
        item_rows = solve_facing(items, user_rows, mean, threads, factors, towards)
        if share is not None:
            towards = share(item_rows)
        user_rows = solve_facing(users, item_rows, mean, threads, factors)
    return FactorModel(
        _vectors(user_rows, factors),
        _vectors(item_rows, factors),
        item_rows[:, 0].copy(),
        user_rows[:, 0].copy(),
        mean,
    )


def fold_in(
    model: FactorModel, ratings: Ratings, settings: dict[str, Any], threads: int
) -> FactorModel:
    """Users for the rows of `ratings`, the items held fixed: one solve."""
    check_size("items", model.n_items, ratings.n_items)
    factors = model.item_vectors.shape[1]
    item_rows = padded(np.column_stack([model.item_bias, model.item_vectors]))
    side = observed_side(ratings, settings["lambda"])
    user_rows = solve_facing(side, item_rows, model.offset, threads, factors)
    return replace(
        model, user_vectors=_vectors(user_rows, factors), user_bias=user_rows[:, 0].copy()
    )


def _vectors(rows: Floats, factors: int) -> NDArray[np.float32]:
    return np.ascontiguousarray(rows[:, 1 : 1 + factors], np.float32)


def solve_facing(
    side: Side,
    other: Floats,
    mean: float,
    threads: int,
    factors: int,
    towards: Floats | None = None,
) -> Floats:
    """[bias, vector] of each row of one side, given those of the other side.

    Where `towards` is given each row is drawn to its row there, and equals it without ratings.
    """
    design = other.copy()
    design[:, 0] = 1
    side = replace(side, base=mean + other[:, 0])
    if towards is None:
        return solve(side, design, 1 + factors, threads)
    solved = solve(side, design, 1 + factors, threads, side.ridge[:, None] * towards)
    return np.where(side.ridge[:, None] > 0, solved, towards)
