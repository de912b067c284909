"""Binary least squares with sampled missing entries, vectors shared along the taxonomy (Track 2).

The paper reports it as the step from BinarySVD to BinarySVD+ (kddcup2011 section 5, item 2).
"""

from collections.abc import Iterator
from functools import partial

from mnar.core.palette import MAGENTA
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._allrank import Settings
from mnar.models._als import Share
from mnar.models._balanced import SETTINGS, fit_balanced
from mnar.models._taxonomy import levels_of, share

ABOUT = About(
    label="MF-balanced, taxonomy",
    description="MF-balanced with item vectors shared along track, album, artist and genre.",
    colour=MAGENTA,
    marker="^",
    family="missing ratings, too",
    settings=SETTINGS,
    needs="taxonomy",
)


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    def share_of(settings: Settings) -> Share:
        levels = levels_of(train, settings["factors"], "mf-balanced-taxonomy", "mf-balanced")
        return partial(share, levels)

    return fit_balanced(train, points, seed, threads, share_of)
