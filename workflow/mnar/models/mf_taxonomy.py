"""Biased factorisation with parameters shared along the taxonomy (kddcup2011, Track 1)."""

from functools import partial
from typing import Any

from mnar.core.palette import PURPLE
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._biased import SETTINGS, fit_biased, fold_in
from mnar.models._taxonomy import levels_of, share

__all__ = ["ABOUT", "fit", "fold_in"]

ABOUT = About(
    label="MF with biases, taxonomy",
    description="MF with biases and item parameters shared along track, album, artist and genre.",
    colour=PURPLE,
    marker="s",
    family="observed ratings",
    settings=SETTINGS,
    predicts_ratings=True,
    needs="taxonomy",
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    levels = levels_of(train, 1 + settings["factors"], "mf-taxonomy", "mf-biased")
    return fit_biased(train, settings, seed, threads, partial(share, levels))
