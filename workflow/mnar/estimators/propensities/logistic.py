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
from mnar.estimators.selected import Selected, held_out_chance

SETTINGS: dict[str, Any] = {"cells": 1 << 15}
ABSOLUTE = True

Floats = NDArray[np.float64]
# Newton's method doubles its digits in each step; from the data's fit two are enough.
STEPS, MORE_STEPS = 12, 2
# Keeps coefficients finite where a feature is constant or separates the cells.
RIDGE = 1e-3


def chances(selected: Selected, settings: dict[str, Any], times: Floats | None) -> Floats:
    cells = _sampled_cells(selected, int(settings["cells"]))
    held_out = (selected.held_out.users, selected.held_out.items)
    of_users = _features(selected, selected.users, selected.shape[0], None)
    of_items = _features(selected, selected.items, selected.shape[1], None)
    centre, scale = _standard(of_users, of_items)

    def design(items: Floats, users_items: tuple[NDArray, NDArray]) -> Floats:
        users, its = users_items
        table = np.hstack([of_users[users], items[its]])
        return np.hstack([np.ones((len(table), 1)), (table - centre) / scale])

    rated = cells[2]
    start = _fit(design(of_items, cells[:2]), rated, np.ones(len(rated)), np.zeros(5), STEPS)
    if times is None:
        return held_out_chance(_chance(design(of_items, held_out), start), selected.share)
    resampled = _features(selected, selected.items, selected.shape[1], times)
    found = np.empty((len(times), len(held_out[0])))
    for row, (weights, items) in enumerate(zip(times, resampled, strict=True)):
        mine = weights[cells[0] % times.shape[1]]
        fitted = _fit(design(items, cells[:2]), rated, mine, start, MORE_STEPS)
        found[row] = held_out_chance(_chance(design(items, held_out), fitted), selected.share)
    return found


def _sampled_cells(selected: Selected, most: int) -> tuple[NDArray, NDArray, NDArray[np.bool_]]:
    """Users and items of some cells, all where there are few, and whether each was rated."""
    n_users, n_items = selected.shape
    rated = np.zeros(n_users * n_items, np.bool_)
    rated[selected.users.astype(np.int64) * n_items + selected.items] = True
    chosen = np.arange(len(rated))
    if len(rated) > most:
        chosen = np.sort(generator(selected.seed, "logistic").integers(len(rated), size=most))
    return chosen // n_items, chosen % n_items, rated[chosen]


def _features(
    selected: Selected, keys: NDArray[np.integer], n_keys: int, times: Floats | None
) -> Floats:
    """log(1 + ratings) and mean rating of each user or item; without ratings, the overall mean."""
    counts = counts_by(selected.users, keys, n_keys, times)
    sums = counts_by(selected.users, keys, n_keys, times, selected.values)
    overall = float(selected.values.mean(dtype=np.float64))
    means = np.divide(sums, counts, out=np.full_like(sums, overall), where=counts > 0)
    return np.stack([np.log1p(counts), means], axis=-1)


def _standard(of_users: Floats, of_items: Floats) -> tuple[Floats, Floats]:
    centre = np.concatenate([of_users.mean(axis=0), of_items.mean(axis=0)])
    scale = np.concatenate([of_users.std(axis=0), of_items.std(axis=0)])
    return centre, np.where(scale > 0, scale, 1)


def _chance(design: Floats, coefficients: Floats) -> Floats:
    return np.clip(1 / (1 + np.exp(-design @ coefficients)), 1e-6, 1 - 1e-9)


def _fit(
    design: Floats, rated: NDArray[np.bool_], weights: Floats, start: Floats, steps: int
) -> Floats:
    coefficients = start
    for _ in range(steps):
        chance = _chance(design, coefficients)
        gradient = design.T @ (weights * (rated - chance)) - RIDGE * coefficients
        bent = design * (weights * chance * (1 - chance))[:, None]
        hessian = bent.T @ design + RIDGE * np.eye(len(coefficients))
        coefficients = coefficients + np.linalg.solve(hessian, gradient)
    return coefficients
