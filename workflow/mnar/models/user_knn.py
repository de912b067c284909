"""User neighbourhoods (kddcup2011's lessons): what those like the user make of an item.

Ratings: baseline + mean of the residuals of the k raters of the item most like the user, weighted by
shrunk Pearson correlation. Ranking: the sum of the shrunk cosines of those among the user's k nearest
to whom the item is relevant.
"""

from typing import Any

from mnar.core.palette import GREEN
from mnar.matrices.ratings import Ratings
from mnar.models import _knn
from mnar.models._about import About
from mnar.models._knn import SETTINGS, predicts_ratings

__all__ = ["ABOUT", "fit"]

ABOUT = About(
    label="User kNN",
    description="Nearest users, by correlation of residuals or by cosine on what is relevant.",
    colour=GREEN,
    marker="v",
    settings=SETTINGS,
    predicts_ratings=True,
    predicts_ratings_at=predicts_ratings,
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> Any:
    return _knn.fit("user-knn", "users", train, settings, threads)
