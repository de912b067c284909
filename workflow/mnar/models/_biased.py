"""Observed ratings as mean + user bias + item bias + product of vectors, by least squares.

A solved row is [bias, vector]; facing the other side it becomes [1, vector], and its bias part of
what is already explained. Biases and vectors share one penalty: λ times the number of ratings.
Ratings are counted in units of the setting `unit` (1 by default): on a scale of 0 to 100 stars are
25 apart, and the λ that would suit the vectors would press the biases to nothing.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._als import (
    Floats,
    Share,
    Side,
    check_size,
    observed_side,
    padded,
    start,
)
from mnar.models._blocks import improve_towards
from mnar.models._common_settings import FACTORS, PENALTY, sweeps

SWEEPS = 15
UNIT = 1
SETTINGS = (
    FACTORS,
    PENALTY,
    Real("unit", "ratings are counted in units of this", above=0, default=UNIT),
    sweeps(SWEEPS),
)


def fit_biased(
    train: Ratings, settings: dict[str, Any], seed: int, threads: int, share: Share | None = None
) -> FactorModel:
    factors, unit = settings["factors"], settings.get("unit", UNIT)
    train = _in_units(train, unit)
    mean = float(train.values.mean(dtype=np.float64)) if len(train.values) else 0.0
    users, items = (observed_side(rows, settings["lambda"]) for rows in (train, train.by_item))
    user_rows: Floats = start(train.n_users, 1 + factors, seed)
    user_rows[:, 0] = 0
    item_rows: Floats = np.zeros((train.n_items, user_rows.shape[1]), user_rows.dtype)
    towards = None
    for _ in range(settings.get("sweeps", SWEEPS)):
        item_rows = solve_facing(items, user_rows, mean, threads, factors, item_rows, towards)
        if share is not None:
            towards = share(item_rows, np.diff(items.indptr))
        user_rows = solve_facing(users, item_rows, mean, threads, factors, user_rows)
    return FactorModel(
        _vectors(user_rows, factors, unit),
        _vectors(item_rows, factors, unit),
        unit * item_rows[:, 0],
        unit * user_rows[:, 0],
        unit * mean,
    )


def fold_in(
    model: FactorModel, ratings: Ratings, settings: dict[str, Any], threads: int
) -> FactorModel:
    """Users for the rows of `ratings`, the items held fixed: one solve."""
    check_size("items", model.n_items, ratings.n_items)
    factors, unit = model.item_vectors.shape[1], settings.get("unit", UNIT)
    bias, vectors = model.item_bias / unit, model.item_vectors / np.float32(np.sqrt(unit))
    side = observed_side(_in_units(ratings, unit), settings["lambda"])
    item_rows = padded(np.column_stack([bias, vectors]))
    user_rows = solve_facing(side, item_rows, model.offset / unit, threads, factors)
    return replace(
        model,
        user_vectors=_vectors(user_rows, factors, unit),
        user_bias=unit * user_rows[:, 0],
    )


def _in_units(ratings: Ratings, unit: float) -> Ratings:
    if unit == 1:
        return ratings
    return replace(ratings, values=ratings.values / np.float32(unit))


def _vectors(rows: Floats, factors: int, unit: float) -> NDArray[np.float32]:
    """Vectors whose products are ratings again: both sides take a root of the unit."""
    return np.float32(np.sqrt(unit)) * rows[:, 1 : 1 + factors]


def solve_facing(
    side: Side,
    other: Floats,
    mean: float,
    threads: int,
    factors: int,
    rows: Floats | None = None,
    towards: Floats | None = None,
) -> Floats:
    """[bias, vector] of each row of one side, given those of the other side.

    With many factors `rows` are made better, where they are given. Where `towards` is given each row is
    drawn to its row there.
    """
    design = other.copy()
    design[:, 0] = 1
    side = replace(side, base=mean + other[:, 0])
    return improve_towards(side, design, 1 + factors, threads, rows, towards)
