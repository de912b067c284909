"""Measures of rankings that are written out."""

import numpy as np

from helpers.matrices import ratings_of
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.measures import evaluate


def model_of(scores) -> FactorModel:
    """The model that gives just these scores (users × items)."""
    scores = np.atleast_2d(scores)
    return FactorModel.without_biases(scores, np.eye(scores.shape[1]))


def measured(scores, held_out, names, seen=None, average="user", relevant=None, **context):
    """Means of measures for given scores and masks of held-out and seen items."""
    rated = ratings_of(np.atleast_2d(held_out), relevant)
    left_out = None if seen is None else ratings_of(np.atleast_2d(seen))
    found = evaluate(model_of(scores), rated, left_out, names, Context(**context), threads=1)
    return {name: values.mean(average) for name, values in found.items()}


def discounts(count):
    return 1 / np.log2(np.arange(count) + 2)
