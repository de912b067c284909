"""Binary least squares with sampled missing entries (kddcup2011 section 5, Track 2)."""

from collections.abc import Iterator

from mnar.core.palette import ROSE
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._allrank import Settings
from mnar.models._balanced import SETTINGS, fit_balanced

ABOUT = About(
    label="MF-balanced",
    description="Least squares of 1 for observed entries and 0 for as many sampled missing ones.",
    colour=ROSE,
    marker="^",
    family="missing ratings, too",
    settings=SETTINGS,
)


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    return fit_balanced(train, points, seed, threads)
