"""Binary least squares with sampled missing entries (kddcup2011 section 5, Track 2).

Settings: factors, lambda; where wanted ones (`observed` entries or the `relevant` ones among them),
sampling (`uniform`, or `popularity`: in proportion to how often an item is relevant, as the test of
Track 2 draws its unrated items) and sweeps.
"""

from collections.abc import Iterator

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._allrank import Settings
from mnar.models._balanced import fit_balanced


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    return fit_balanced(train, points, seed, threads)
