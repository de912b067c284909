"""MF-IPS: factorisation of observed ratings, each weighed by 1/propensity (Schnabel et al. 2016).

The chance that a rating is in training is taken to be ∝ (ratings of its item)^gamma; gamma 0 is
`observed-only`. Instead, a caller who knows the chances may give one for each training rating, in the
order of the matrix. Weights are scaled to mean 1, so that λ means the same for all of them.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import OneOf, Real
from mnar.core.errors import UserError
from mnar.core.palette import MAROON
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models._about import About
from mnar.models._allrank import SWEEPS, sweep
from mnar.models._common_settings import FACTORS, PENALTY, sweeps

Settings = dict[str, Any]

# Chances that the caller gives, one for each training rating.
OF_TRUST = ("known", "published")

ABOUT = About(
    label="MF-IPS",
    description="Least squares over the observed ratings, each weighed by 1 / its chance.",
    colour=MAROON,
    marker="X",
    family="observed ratings",
    settings=(
        FACTORS,
        PENALTY,
        sweeps(SWEEPS),
        Real("gamma", "power of popularity that the chance grows with", least=0, default=1.0),
        Real("clip", "quantile at which weights are cut", above=0, default=1.0),
        OneOf(
            "propensities",
            "where the chances come from",
            options=("popularity", "known", "published"),
            default="popularity",
        ),
    ),
    predicts_ratings=True,
)


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    """One model for each point, all from the same start."""
    for settings in points:
        weights = weights_of(train, settings)
        across = replace(train, values=weights).by_item.values
        users = _als.side_of(train, 0.0, 0.0, settings["lambda"], weights)
        items = _als.side_of(train.by_item, 0.0, 0.0, settings["lambda"], across)
        factors = settings["factors"]
        user_vectors: _als.Floats = _als.start(train.n_users, factors, seed)
        item_vectors: _als.Floats = np.zeros((train.n_items, user_vectors.shape[1]), np.float32)
        for _ in range(settings.get("sweeps", SWEEPS)):
            user_vectors, item_vectors = sweep(
                users, items, user_vectors, factors, threads, item_vectors
            )
        yield FactorModel.without_biases(user_vectors[:, :factors], item_vectors[:, :factors])


def weights_of(train: Ratings, settings: Settings) -> NDArray[np.float32]:
    """1/propensity of each training rating, with mean 1."""
    given = settings.get("propensities", "popularity")
    if isinstance(given, str) and given in OF_TRUST:
        raise UserError(
            f"Method mf-ips: `propensities: {given}` is for the experiment trust, which has such "
            "chances; use popularity."
        )
    if isinstance(given, str):
        counts = np.bincount(train.items, minlength=train.n_items)
        given = counts[train.items].astype(np.float64) ** settings.get("gamma", 1)
    given = np.asarray(given, np.float64)
    if given.shape != train.items.shape or not (given > 0).all():
        raise UserError(
            f"Method mf-ips: propensities must be {len(train.items)} numbers above 0, one for each "
            f"training rating; {given.size} were given, the smallest {given.min(initial=np.inf):g}."
        )
    weights = 1 / given
    weights = np.minimum(weights, np.quantile(weights, min(settings.get("clip", 1.0), 1.0)))
    return (weights / weights.mean()).astype(np.float32)
