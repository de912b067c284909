"""Item neighbourhoods (kddcup2011's lessons): what is like the items that the user rated.

Ratings: baseline + mean of the residuals of the k rated items most like this one, weighted by shrunk
Pearson correlation. Ranking: the sum of the shrunk cosines of the user's relevant items among the
item's k nearest.
"""

from typing import Any

from mnar.core.palette import GREEN
from mnar.matrices.ratings import Ratings
from mnar.models import _knn
from mnar.models._about import About
from mnar.models._knn import SETTINGS, predicts_ratings

__all__ = ["ABOUT", "fit", "fold_in"]

ABOUT = About(
    label="Item kNN",
    description="Nearest items, by correlation of residuals or by cosine on what is relevant.",
    colour=GREEN,
    marker="^",
    settings=SETTINGS,
    predicts_ratings=True,
    predicts_ratings_at=predicts_ratings,
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> Any:
    return _knn.fit("item-knn", "items", train, settings, threads)


def fold_in(model: Any, ratings: Ratings, settings: dict[str, Any], threads: int) -> Any:
    return _knn.fold_in_users(model, ratings)
