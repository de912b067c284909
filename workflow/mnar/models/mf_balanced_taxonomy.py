"""Binary least squares with sampled missing entries, vectors shared along the taxonomy (Track 2).

What the paper reports as the step from BinarySVD to BinarySVD+ (kddcup2011 section 5, item 2).
Settings: as mf-balanced.
"""

from functools import partial
from typing import Any

from mnar.factor_model import FactorModel
from mnar.models._balanced import fit_balanced
from mnar.models._taxonomy import levels_of, share
from mnar.ratings import Ratings


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    levels = levels_of(train, settings["factors"], "mf-balanced-taxonomy", "mf-balanced")
    return fit_balanced(train, settings, seed, threads, partial(share, levels))
