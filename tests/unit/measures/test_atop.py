"""ATOP against the bounds of steck2010."""

import numpy as np
from helpers.matrices import ratings_of
from helpers.rankings import model_of

from mnar.matrices.context import Context
from mnar.measures import evaluate


def test_no_random_ranking_passes_the_bounds_of_steck2010():
    rng = np.random.default_rng(0)
    scores = rng.random((10_000, 20)).astype(np.float32)
    relevant = rng.random((10_000, 20)) < rng.random((10_000, 1))
    relevant[:, 0] = True
    n = relevant.sum(axis=1)
    rated = ratings_of(relevant)
    found = evaluate(model_of(scores), rated, None, ["atop", "topk(0.2)"], Context(), 1)
    atop, topk = (values.total / values.weight for values in found.values())
    assert np.all(atop <= 1 - (n - 1) / (2 * 19) + 1e-12)
    assert np.all(topk <= np.minimum(1, 4 / n) + 1e-12)
