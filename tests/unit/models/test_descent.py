"""Sweeps until convergence, and paths of growing λ: the same model whatever the order of training."""

import numpy as np
import pytest
from helpers.continuation import shortfalls, training_ratings
from helpers.matrices import random_ratings

from mnar import models
from mnar.models._descent import Beginnings, along_paths, descend
from mnar.tuning.search import settings_at

METHODS = pytest.mark.parametrize(
    "name",
    [
        "allrank-regression",
        "allrank-binary-regression",
        "allrank-binary-logistic",
        "observed-only",
        "dense-svd",
    ],
)
GRID = {"lambda": [0.02, 0.05, 0.2]}
FIXED = {"factors": 4, "converged": 1e-3, "missing_weight": 0.1, "imputed": 2.0}
METHOD = {"settings": FIXED, "grid": GRID}


class Valley:
    """A long valley, plain sweeps along which are slow; it counts them and keeps the objectives."""

    curvature = np.array([1.0, 0.05])

    def __init__(self):
        self.values = []

    def __call__(self, vectors):
        users = vectors[0] * (1 - self.curvature)
        self.values.append(1 + float(users**2 @ self.curvature))
        return (users, users), self.values[-1]


def test_sweeps_end_when_the_objective_has_converged():
    start = (np.array([1.0, 5.0]), np.zeros(2))
    plain, ahead = Valley(), Valley()
    for _ in range(200):
        start = plain(start)[0]
    found = descend(ahead, (np.array([1.0, 5.0]), np.zeros(2)), 200, 1e-4)
    needed = np.flatnonzero(np.array(plain.values) <= 1.001)[0] + 1
    assert len(ahead.values) < 0.6 * needed
    assert 1 + found[0] ** 2 @ Valley.curvature <= 1.001


def test_sweeps_end_at_their_number():
    valley = Valley()
    descend(valley, (np.array([1.0, 5.0]), np.zeros(2)), 7, 0.0)
    assert len(valley.values) == 7


def test_one_small_step_is_no_convergence():
    """The objective may hardly move in one sweep and fall in the next: out of a saddle point."""
    values = iter([10.0, 9.9999, 5.0, 4.99999, 4.99998, 1.0])

    def sweep(vectors):
        return vectors, next(values)

    descend(sweep, (np.zeros(1), np.zeros(1)), 10, 1e-3)
    assert next(values) == 1.0


def test_a_sweep_that_raises_the_objective_is_dropped():
    """It began too far ahead; the next one begins at the vectors that were left."""
    begun, values = [], iter([4.0, 3.0, 5.0, 2.0])

    def sweep(vectors):
        begun.append(float(vectors[0][0]))
        moved = np.array([float(len(begun))])
        return (moved, moved), next(values)

    found = descend(sweep, (np.zeros(1), np.zeros(1)), 4, 0.0)
    # From the start, from 1, ahead of 2 by a part of the last step, from 2 again.
    assert begun[:2] == [0, 1]
    assert begun[2] > 2
    assert begun[3] == 2
    assert found[0] == [4.0]


def test_a_path_is_trained_once():
    trained = []

    def go_on(settings, vectors):
        trained.append((settings["w"], settings["lambda"]))
        return vectors[0] + settings["lambda"], vectors[1]

    def begin(settings):
        trained.append((settings["w"], "begin", settings["lambda"]))
        return np.zeros(1), np.zeros(1)

    grid = {"settings": {"converged": 0.1}, "grid": {"lambda": [1, 2, 4]}}
    points = [settings_at(grid, {"w": w, "lambda": x}) for w in "ab" for x in (1, 1.5, 2, 4, 8)]
    sums = [float(vectors[0][0]) for vectors in along_paths(points, begin, go_on)]
    assert sums == [1, 2.5, 3, 7, 8] * 2
    once = ["begin", 1, 1.5, 2, 4, "begin", 8]
    assert [step[1] for step in trained] == once * 2


def test_paths_of_all_weights_begin_alike():
    begun = []

    def begin(settings):
        begun.append((settings["imputed"], settings["lambda"]))
        return np.full(1, len(begun)), np.zeros(1)

    beginnings = Beginnings()
    found = [
        int(beginnings.of({"imputed": r, "missing_weight": w, "lambda": x}, begin)[0][0])
        for r in (0, 2)
        for w in (0, 0.1)
        for x in (0.02, 0.4)
    ]
    assert found == [1, 2, 1, 2, 3, 4, 3, 4]
    assert begun == [(0, 0.02), (0, 0.4), (2, 0.02), (2, 0.4)]


@METHODS
@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 2, 0, 3, 1]])
def test_a_model_trained_alone_is_that_of_the_search(name, order):
    """Grid, refined (0.1) and beyond an edge (0.4), in any order, on any number of threads."""
    train = random_ratings(users=300)
    values = [0.02, 0.05, 0.1, 0.2, 0.4]
    points = [settings_at(METHOD, {"lambda": values[place]}) for place in order]
    found = list(models.fit_grid(name, train, points, seed=3, threads=2))
    for settings, model in zip(points, found, strict=True):
        alone = next(models.fit_grid(name, train, [settings], seed=3, threads=1))
        assert alone.user_vectors.tobytes() == model.user_vectors.tobytes()
        assert alone.item_vectors.tobytes() == model.item_vectors.tobytes()


@METHODS
def test_a_path_changes_the_model_and_so_does_convergence(name):
    train = random_ratings()
    point = settings_at(METHOD, {"lambda": 0.2})
    assert point["path"] == [0.02, 0.05]
    fitted = [
        next(models.fit_grid(name, train, [settings], seed=3, threads=1)).item_vectors
        for settings in (point, point | {"path": []}, point | {"converged": 0.0})
    ]
    assert not np.array_equal(fitted[0], fitted[1])
    assert not np.array_equal(fitted[1], fitted[2])


@pytest.mark.parametrize(
    ("method", "grid"),
    [
        ("allrank-regression", {"imputed": [3], "missing_weight": [0, 0.1, 1]}),
        ("observed-only-tuned-for-atop", {}),
        ("allrank-binary-regression", {"missing_weight": [0.03]}),
    ],
)
def test_the_objective_is_as_low_as_that_of_twice_the_sweeps(method, grid):
    """Some points of steck2010 on the embedded data; `make test-continuation` takes them all."""
    found = list(shortfalls(method, training_ratings(), **grid))
    assert len(found) >= 4
    assert max(shortfall for _, shortfall in found) < 0.001, found
