"""Factorisation of the observed ratings with user and item biases (kddcup2011, Track 1)."""

from typing import Any

from mnar.core.palette import ORANGE
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._biased import SETTINGS, fit_biased, fold_in

__all__ = ["ABOUT", "fit", "fold_in"]

ABOUT = About(
    label="MF with biases",
    description="Least squares over the observed ratings with a bias for each user and item.",
    colour=ORANGE,
    marker="o",
    family="observed ratings",
    settings=SETTINGS,
    predicts_ratings=True,
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    return fit_biased(train, settings, seed, threads)
