"""User neighbourhoods (kddcup2011's lessons): what those like the user make of an item.

Ratings: baseline + mean of the residuals of the k raters of the item most like the user, weighted by
shrunk Pearson correlation. Ranking: the sum of the shrunk cosines of those among the user's k nearest
to whom the item is relevant.
"""

from collections.abc import Iterator
from typing import Any

from mnar.core.palette import TAN
from mnar.matrices.ratings import Ratings
from mnar.models import _knn
from mnar.models._about import About
from mnar.models._knn import SETTINGS, predicts_ratings, square_bytes

__all__ = ["ABOUT", "fit", "fit_grid"]

ABOUT = About(
    label="User kNN",
    description="Nearest users, by correlation of residuals or by cosine on relevant items.",
    colour=TAN,
    marker="v",
    family="neighbours",
    settings=SETTINGS,
    predicts_ratings=True,
    predicts_ratings_at=predicts_ratings,
    memory=lambda users, items: square_bytes(users),
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> Any:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[Any]:
    return _knn.fit_grid("user-knn", "users", train, points, threads)
