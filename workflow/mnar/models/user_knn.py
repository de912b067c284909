"""User neighbourhoods (kddcup2011's lessons): what those like the user make of an item.

Ratings: baseline + mean of the residuals of the k raters of the item most like the user, weighted by
shrunk Pearson correlation. Ranking: the sum of the shrunk cosines of those among the user's k nearest
to whom the item is relevant.
"""

from typing import Any

from mnar.matrices.ratings import Ratings
from mnar.models import _knn
from mnar.models._knn import SETTINGS

__all__ = ["DESCRIPTION", "LABEL", "SETTINGS", "fit"]

LABEL = "User kNN"
DESCRIPTION = "Nearest users, by correlation of residuals or by cosine on what is relevant."


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> Any:
    return _knn.fit("user-knn", "users", train, settings, threads)
