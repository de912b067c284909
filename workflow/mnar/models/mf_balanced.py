"""Binary least squares with sampled missing entries (kddcup2011 section 5, Track 2).

Settings: factors, lambda; where wanted ones (`observed` entries or the `relevant` ones among them),
sampling (`uniform`, or `popularity`: in proportion to how often an item is relevant, as the test of
Track 2 draws its unrated items) and sweeps.
"""

from typing import Any

from mnar.factor_model import FactorModel
from mnar.models._balanced import fit_balanced
from mnar.ratings import Ratings


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    return fit_balanced(train, settings, seed, threads)
