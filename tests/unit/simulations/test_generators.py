"""What the grid of generators says of curves over r_m, on made-up scores."""

from dataclasses import dataclass

import numpy as np
import pytest

from mnar.measures import UserValues
from mnar.simulations.generators import objectives, pairs, trained
from mnar.tuning.fold_search import SearchedFold


@dataclass(frozen=True)
class Made:
    """Scores of settings as objectives reads them: points of (w_m, r_m, ATOP)."""

    points: list[tuple[float, float, float]]

    def setting(self, name):
        column = {"missing_weight": 0, "imputed": 1}[name]
        return np.array([point[column] for point in self.points], float)

    def scores(self, name, measure):
        return np.array([point[2] for point in self.points], float)


def test_choices_at_an_edge_are_listed_with_their_parameters():
    searched = SearchedFold([{}] * 3, 0, edges={0: [], 1: ["lambda", "imputed"], 2: ["imputed"]})
    tried = trained.Trained(searched, "all", "pair")
    choices = {name: (tried, point) for point, name in enumerate(("inside", "both", "swept"))}
    assert trained.at_edges(choices) == "both: lambda imputed; swept: imputed"
    assert trained.at_edges(choices, swept="imputed") == "both: lambda"


USUAL = [(0, 2, 80), (0.1, 2, 90)]


def test_a_best_point_is_among_those_asked_for():
    """argmax over −inf alone once returned the first point, whatever it was."""
    made = Made(USUAL)
    assert objectives._best(made, np.array([True, False])) == 0
    with pytest.raises(ValueError, match="no point"):
        objectives._best(made, np.array([False, False]))


def test_the_best_weight_on_the_plateau_is_the_largest_chosen_there():
    plain = Made([*USUAL, (0, 3, 85), (0.1, 3, 84), (0, 4, 70), (0.1, 4, 60)])
    assert objectives._over_imputed(plain, 2.5)["plateau_w_m"] == 0
    # Below the mean rating there is no plateau.
    better = Made([*USUAL, (0, 3, 85), (0.1, 3, 84), (0, 4, 60), (0.1, 4, 70)])
    assert objectives._over_imputed(better, 2.5)["plateau_w_m"] == 0.1
    assert objectives._over_imputed(better, 3.5)["plateau_w_m"] == 0.1


@dataclass(frozen=True)
class Chosen:
    """Values of users on validation and on test."""

    valid: np.ndarray
    test: np.ndarray

    class outcome:
        chosen = 0

    def users(self, name, measure, point):
        values = self.valid if name == "validation" else self.test
        return UserValues(values, np.ones(len(values)))


def test_validation_and_test_agree_only_within_ten_percent():
    """A gap that is not known well is no agreement."""
    random = np.random.default_rng(1)
    test = np.full(400, 0.5)
    narrow, wide = test + random.normal(0, 0.05, 400), test + random.normal(0, 2, 400)
    reach = {}
    for name, valid in (("narrow", narrow), ("wide", wide)):
        gap, reach[name] = pairs._gap(Chosen(valid, test), "adg")
        differences = valid - test
        error = differences.std(ddof=1) / np.sqrt(400)
        assert gap == pytest.approx(100 * differences.mean() / 0.5)
        assert reach[name] == pytest.approx(1.96 * 100 * error / 0.5)
    assert pairs._agrees([(0.0, reach["narrow"]), (3.0, 1.0)]) == 1
    assert np.isnan(pairs._agrees([(0.0, reach["wide"]), (3.0, 1.0)]))
    assert pairs._agrees([(0.0, reach["wide"]), (-13.0, 1.0)]) == 0
