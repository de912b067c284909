"""MF-AUC: the same model as MF-ADG, by the hinge loss that bounds AUC (lim2015 section 6).

Settings: rate, lambda, factors (50), iterations (1,000,000), initial_scale (0.1), decay (false; true
lets the rate fall to zero over the iterations).
"""

from collections.abc import Iterator

import numpy as np

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _pairwise
from mnar.models._pairwise import PairwiseState, Settings, start
from mnar.models._pairwise_kernels import climb_auc

__all__ = ["advance", "fit", "fit_grid", "start"]


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return _pairwise.fit(train, settings, seed, advance)


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    return _pairwise.fit_grid(train, points, seed, threads, advance)


def advance(state: PairwiseState, settings: Settings, iterations: int) -> None:
    """So many more iterations; in any number of parts the result is the same."""
    state.run(climb_auc, np.float32(1), settings, iterations)
