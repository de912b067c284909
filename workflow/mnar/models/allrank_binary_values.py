"""AllRank-Regression on 0/1 ratings: observed entries count with weight 1, relevant or not.

Ratings of -1 and 1 with missing ones taken as -1 give the same order of items. Settings: as for
allrank-regression.
"""

from dataclasses import replace

import numpy as np

from mnar.matrices.ratings import Ratings
from mnar.models._allrank import Method
from mnar.models.allrank_regression import terms


def binary_values(ratings: Ratings) -> Ratings:
    return replace(ratings, values=ratings.relevant.astype(np.float32))


METHOD = Method(terms, binary_values)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
