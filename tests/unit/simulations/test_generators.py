"""What the grid of generators says of curves over r_m, on made-up scores."""

from dataclasses import dataclass

import numpy as np
import pytest

from mnar.data.synthetic import Settings, generate
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
    """Values of users on validation and on test in several folds; NaN: no such item."""

    valid: list[np.ndarray]
    test: list[np.ndarray]

    def users(self, name, measure):
        parts = self.valid if name == "validation" else self.test
        return [UserValues.alike(values, np.ones(len(values), bool)) for values in parts]


def test_the_gap_of_validation_and_test_is_over_users_with_folds_averaged():
    random = np.random.default_rng(1)
    of_user = random.normal(0, 0.2, 300)
    test = [1 + of_user + random.normal(0, 0.01, 300) for _ in range(4)]
    valid = [values - 0.1 + random.normal(0, 0.2, 300) for values in test]
    valid[0][:50] = np.nan
    gap, low, high = pairs._gap(Chosen(valid, test), "adg", 5)
    scored = ~np.isnan(valid[0])
    means = [v[scored if n == 0 else slice(None)].mean() for n, v in enumerate(valid)]
    others = [t[scored if n == 0 else slice(None)].mean() for n, t in enumerate(test)]
    assert gap == pytest.approx(100 * (np.mean(means) / np.mean(others) - 1))
    # The noise of a user's validation is averaged over folds; what users have in common drops out.
    error = 100 * 0.2 / np.sqrt(4 * 300)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.2)
    assert low < gap < high


def test_validation_and_test_agree_only_within_ten_percent():
    """A gap that is not known well is no agreement."""
    near, wide, far = (1, -4, 6), (0, -14, 14), (-13, -16, -10.5)
    assert pairs._agrees([near, near]) == 1
    assert np.isnan(pairs._agrees([near, wide]))
    assert pairs._agrees([wide, far]) == 0
    assert pairs._agrees([near, (13, 10.5, 16)]) == 0
    # The number alone is outside, its interval is not.
    assert np.isnan(pairs._agrees([near, (-11, -14, -8)]))


def test_every_fold_has_its_own_choice():
    """A mean over folds of one split would look four times as sure as it is."""
    data = generate(Settings(users=60, items=40, ratings_per_user=10, seed=3), 1)
    view = pairs.view_of(data, pairs.RELEVANT, relevant_only=True)
    folds = [
        pairs.Fold.of(view, pairs.splits.split("four-folds", view, {}, number, 1))
        for number in range(pairs.FOLDS)
    ]
    method = {"module": "svd", "select_by": "adg", "grid": {"factors": [1, 2]}}
    svd = pairs.Folds.of(folds, method, pairs.STUDY, 1, 1)
    values = [one.chosen("test", "adg") for one in svd.trained]
    assert len(set(values)) == pairs.FOLDS == 4
    assert svd.chosen("test", "adg") == pytest.approx(np.mean(values))
    assert svd.among_all("train", "adg") == pytest.approx(
        np.mean([one.among_all("train", "adg") for one in svd.trained])
    )
