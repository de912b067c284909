"""Doubly robust errors (Wang et al. 2019): imputed everywhere, corrected where a rating is held out.

    (1/|C|) · { Σ_C ê + Σ_{held out} (e − ê)/π̂ }      C: all pairs that are not in training

It is unbiased if the chances π̂ are right, or if the imputed errors ê are right on average. Ratings
are imputed from training data alone: the mean of the item, drawn to the overall mean.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnar.estimators.selected_ratings import Selected
from mnar.matrices.factor_model import FactorModel

Floats = NDArray[np.float64]

# That many ratings at the overall mean are added to those of each item.
SHRINKAGE = 5
_USERS = 1024


def imputed_ratings(selected: Selected) -> tuple[Floats, float]:
    """A rating for each item, and the mean squared distance of training ratings from it."""
    train = selected.train
    overall = float(train.values.mean(dtype=np.float64)) if len(train.values) else 0.0
    counts = np.bincount(train.items, minlength=train.n_items)
    sums = np.bincount(train.items, train.values, train.n_items)
    means = (sums + SHRINKAGE * overall) / (counts + SHRINKAGE)
    squares = (train.values - means[train.items]) ** 2
    return means, float(squares.mean()) if len(squares) else 0.0


def _errors(measure: str, distance: Floats, spread: float) -> Floats:
    """Expected error at a distance from the imputed rating: squared, or absolute."""
    return distance**2 + spread if measure == "rmse" else np.abs(distance)


def imputed_errors(selected: Selected, measure: str, predicted: NDArray) -> Floats:
    """ê of the held-out ratings."""
    means, spread = imputed_ratings(selected)
    return _errors(measure, predicted - means[selected.held_out.items], spread)


def predict_all(model: FactorModel, first: int, last: int) -> Floats:
    """Predicted ratings of all items by the users first to last − 1."""
    products = model.user_vectors[first:last] @ model.item_vectors.T
    biases = model.user_bias[first:last, None] + model.item_bias
    return (model.offset + biases + products).astype(np.float64)


def imputed_totals(
    model: FactorModel, selected: Selected, measures: Sequence[str]
) -> dict[str, Floats]:
    """Σ ê of each user over all items that are not in training, by measure."""
    means, spread = imputed_ratings(selected)
    train = selected.train
    totals = {measure: np.empty(train.n_users) for measure in measures}
    for first in range(0, train.n_users, _USERS):
        last = min(first + _USERS, train.n_users)
        distance = predict_all(model, first, last) - means
        for measure, mine in totals.items():
            mine[first:last] = _errors(measure, distance, spread).sum(axis=1)
    seen = model.predict(train.users, train.items) - means[train.items]
    for measure, mine in totals.items():
        mine -= np.bincount(train.users, _errors(measure, seen, spread), train.n_users)
    return totals
