"""AllRank-Regression on 0/1 ratings: observed entries count with weight 1, relevant or not.

Ratings of -1 and 1 with missing ones taken as -1 give the same order of items.
"""

from dataclasses import replace

import numpy as np

from mnar.core.palette import SKY
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._allrank import REGRESSION_SETTINGS, Method, regression_terms, undetermined

ABOUT = About(
    label="AllRank-Regression (0/1)",
    description="AllRank-Regression on ratings that are 1 where relevant and 0 where not.",
    colour=SKY,
    marker="d",
    family="missing ratings, too",
    settings=REGRESSION_SETTINGS,
    conflict=undetermined,
)


def binary_values(ratings: Ratings) -> Ratings:
    return replace(ratings, values=ratings.relevant.astype(np.float32))


METHOD = Method(regression_terms, binary_values)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
objectives = METHOD.objectives
operations = METHOD.operations
