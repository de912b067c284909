"""Item neighbourhoods (kddcup2011's lessons): items like those that the user rated.

Ratings: baseline + mean of the residuals of the k rated items most like this one, weighted by shrunk
Pearson correlation. Ranking: the sum of the shrunk cosines of the user's relevant items among the
item's k nearest.
"""

from collections.abc import Iterator
from typing import Any

from mnar.core.palette import BROWN
from mnar.matrices.ratings import Ratings
from mnar.models import _knn
from mnar.models._about import About
from mnar.models._knn import SETTINGS, predicts_ratings, square_bytes

__all__ = ["ABOUT", "fit", "fit_grid", "fold_in"]

ABOUT = About(
    label="Item kNN",
    description="Nearest items, by correlation of residuals or by cosine on relevant items.",
    colour=BROWN,
    marker="^",
    family="neighbours",
    settings=SETTINGS,
    predicts_ratings=True,
    predicts_ratings_at=predicts_ratings,
    memory=lambda users, items: square_bytes(items),
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> Any:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[Any]:
    return _knn.fit_grid("item-knn", "items", train, points, threads)


def fold_in(model: Any, ratings: Ratings, settings: dict[str, Any], threads: int) -> Any:
    return _knn.fold_in_users(model, ratings)
