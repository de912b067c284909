"""Logistic regression of being rated on counts and means: of the user's and of the item's ratings.

Features are log(1 + ratings) and the mean rating of the user and of the item, standardised. It is
fitted to a random sample of all cells by Newton's method. In a bootstrap sample the features of
items are computed again and the fit goes on from that of the data.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.estimators.propensities import counts_by
from mnar.estimators.selected_ratings import Selected
from mnar.kernels.compiled import njit

SETTINGS: dict[str, Any] = {"cells": 1 << 14}
ABSOLUTE = True
OF_TRUST = False

Floats = NDArray[np.float64]
# Newton's method doubles its digits in each step; from the data's fit two are enough.
STEPS, MORE_STEPS = 12, 2
# Keeps coefficients finite where a feature is constant or separates the cells.
RIDGE = 1e-3
# Bootstrap samples that are fitted at a time.
_ROWS = 64
# The constant, and two features each of the user and of the item.
_WIDTH = 5


def chances(
    selected: Selected, settings: dict[str, Any], times: Floats | None
) -> NDArray[np.floating]:
    users, items, rated = _sampled_cells(selected, int(settings["cells"]))
    of_users = _features(selected, selected.users, selected.shape[0], None)
    of_items = _features(selected, selected.items, selected.shape[1], None)
    by_user, by_item = _standard(of_users), _standard(of_items)
    of_users = (of_users - by_user[0]) / by_user[1]
    cells = (users, items, rated, of_users)
    alike = np.ones((1, len(rated)))
    data = ((of_items - by_item[0]) / by_item[1])[None]
    start = np.zeros((1, _WIDTH))
    fit(*cells, data, alike, STEPS, start)
    held_out = selected.held_out

    def predicted(data: Floats, coefficients: Floats) -> Floats:
        rows = np.empty((len(coefficients), len(held_out.items)))
        predict(held_out.users, held_out.items, of_users, data, coefficients, rows)
        return selected.chance(rows)

    if times is None:
        return predicted(data, start)[0]
    found = np.empty((len(times), len(held_out.items)), np.float32)
    for first in range(0, len(times), _ROWS):
        some = times[first : first + _ROWS]
        data = _features(selected, selected.items, selected.shape[1], some)
        data = (data - by_item[0]) / by_item[1]
        coefficients = np.repeat(start, len(some), axis=0)
        fit(*cells, data, some[:, users % some.shape[1]], MORE_STEPS, coefficients)
        found[first : first + _ROWS] = predicted(data, coefficients)
    return found


@njit(cache=True, nogil=True)
def chance_of(user, item, coefficients):
    """P(rated) by the features of a user and an item."""
    score = coefficients[0]
    for k in range(2):
        score += coefficients[1 + k] * user[k] + coefficients[3 + k] * item[k]
    return min(max(1 / (1 + np.exp(-score)), 1e-6), 1 - 1e-9)


@njit(cache=True, nogil=True)
def fit(users, items, rated, of_users, of_items, weights, steps, coefficients):
    """Newton steps from the coefficients given, for each sample's items and weights of cells."""
    x = np.ones(_WIDTH)
    for sample in range(len(coefficients)):
        for _ in range(steps):
            gradient = -RIDGE * coefficients[sample]
            hessian = RIDGE * np.eye(_WIDTH)
            for cell in range(len(users)):
                weight = weights[sample, cell]
                if weight == 0:
                    continue
                x[1:3] = of_users[users[cell]]
                x[3:5] = of_items[sample, items[cell]]
                chance = chance_of(x[1:3], x[3:5], coefficients[sample])
                slope = weight * (rated[cell] - chance)
                bend = weight * chance * (1 - chance)
                for a in range(_WIDTH):
                    gradient[a] += slope * x[a]
                    for b in range(a + 1):
                        hessian[a, b] += bend * x[a] * x[b]
            for a in range(_WIDTH):
                for b in range(a):
                    hessian[b, a] = hessian[a, b]
            coefficients[sample] += np.linalg.solve(hessian, gradient)


@njit(cache=True, nogil=True)
def predict(users, items, of_users, of_items, coefficients, chances):
    """The chance of each pair in each sample."""
    for sample in range(len(coefficients)):
        for pair in range(len(users)):
            user, item = of_users[users[pair]], of_items[sample, items[pair]]
            chances[sample, pair] = chance_of(user, item, coefficients[sample])


def _sampled_cells(selected: Selected, most: int) -> tuple[NDArray, NDArray, NDArray[np.bool_]]:
    """Users and items of some cells, all where there are few, and whether each was rated."""
    n_users, n_items = selected.shape
    size = n_users * n_items
    if size > most:
        chosen = np.sort(generator(selected.seed, "logistic").integers(size, size=most))
    else:
        chosen = np.arange(size)
    # No table of all cells: a million users would take gigabytes.
    rated = np.isin(chosen, selected.users.astype(np.int64) * n_items + selected.items)
    return chosen // n_items, chosen % n_items, rated


def _features(
    selected: Selected, keys: NDArray[np.integer], n_keys: int, times: Floats | None
) -> Floats:
    """log(1 + ratings) and mean rating of each user or item; without ratings, the overall mean."""
    counts = counts_by(selected.users, keys, n_keys, times)
    sums = counts_by(selected.users, keys, n_keys, times, selected.values)
    overall = float(selected.values.mean(dtype=np.float64))
    means = np.divide(sums, counts, out=np.full_like(sums, overall), where=counts > 0)
    return np.stack([np.log1p(counts), means], axis=-1)


def _standard(features: Floats) -> tuple[Floats, Floats]:
    """Mean and spread of each feature."""
    spread = features.std(axis=0)
    return features.mean(axis=0), np.where(spread > 0, spread, 1)
