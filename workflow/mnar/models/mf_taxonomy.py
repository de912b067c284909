"""Biased factorisation with parameters shared along the taxonomy (kddcup2011, Track 1).

Settings: factors, lambda; where wanted sweeps and unit.
"""

from functools import partial
from typing import Any

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._biased import fit_biased, fold_in
from mnar.models._taxonomy import levels_of, share

__all__ = ["fit", "fold_in"]


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    levels = levels_of(train, 1 + settings["factors"], "mf-taxonomy", "mf-biased")
    return fit_biased(train, settings, seed, threads, partial(share, levels))
