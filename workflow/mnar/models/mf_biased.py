"""Factorisation of the observed ratings with user and item biases (kddcup2011, Track 1).

Settings: factors, lambda; where wanted sweeps and unit.
"""

from typing import Any

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._biased import fit_biased, fold_in

__all__ = ["fit", "fold_in"]


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    return fit_biased(train, settings, seed, threads)
