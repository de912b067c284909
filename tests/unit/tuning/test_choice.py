"""Choosing a point of a search: by a measure, and by pradel2012's interval rule."""

import numpy as np
import pytest
from helpers.running import tiny_config
from hypothesis import given
from hypothesis import strategies as st

from mnar.config import checking as configuration
from mnar.core.errors import UserError
from mnar.tuning import choice as selection
from mnar.tuning.search import grid_points

WEIGHTS = [0, 1e-4, 1e-3, 0.01, 0.1, 1]


def scores(points, best, sharpness=1.0):
    """A curve over log w_m with its peak at `best`; λ = 2 is always a little better than λ = 1."""
    positions = [np.log(max(point["missing_weight"], 1e-5)) for point in points]
    peak = np.log(max(best, 1e-5))
    return [
        -sharpness * (position - peak) ** 2 + 0.01 * point["lambda"]
        for position, point in zip(positions, points, strict=True)
    ]


def test_a_measure_takes_the_first_of_the_best():
    points = grid_points({"lambda": [1, 2, 3]})
    assert selection.choose(points, {"atop": [0.1, 0.3, 0.3]}, "atop") == 1
    assert selection.needed("atop") == ("atop",)


def test_interval_is_the_geometric_middle_with_its_own_best_lambda():
    points = grid_points({"missing_weight": WEIGHTS, "lambda": [1, 2]})
    found = selection.choose(
        points, {"auc": scores(points, 1e-4), "auc_aman": scores(points, 0.01)}, "interval"
    )
    assert points[found] == {"missing_weight": 1e-3, "lambda": 2}


def test_the_nearest_weight_tried_is_taken():
    weights = np.array([1e-4, 4e-4, 0.01, 0.1])
    auc, aman = np.array([1, 0, 0, 0.0]), np.array([0, 0, 0, 1.0])
    # The middle is 0.00316, on a log axis nearer to 0.01 than to 0.0004.
    assert selection.middle_weight(weights, auc, aman) == 0.01


def test_an_optimum_at_zero_counts_as_one_at_the_smallest_weight():
    points = grid_points({"missing_weight": WEIGHTS})
    for best in (0, 1e-4):
        auc = [float(point["missing_weight"] == best) for point in points]
        aman = [float(point["missing_weight"] == 0.01) for point in points]
        found = selection.choose(points, {"auc": auc, "auc_aman": aman}, "interval")
        assert points[found]["missing_weight"] == 1e-3


def test_both_optima_at_zero_leave_zero():
    points = grid_points({"missing_weight": WEIGHTS})
    curve = [-point["missing_weight"] for point in points]
    found = selection.choose(points, {"auc": curve, "auc_aman": curve}, "interval")
    assert points[found]["missing_weight"] == 0


@given(st.sampled_from(WEIGHTS), st.sampled_from(WEIGHTS), st.integers(0, 20))
def test_the_choice_lies_between_the_optima(low, high, seed):
    points = grid_points({"missing_weight": WEIGHTS, "lambda": [1, 2]})
    random = np.random.default_rng(seed).permutation(len(points))
    points = [points[position] for position in random]
    found = selection.choose(
        points, {"auc": scores(points, low), "auc_aman": scores(points, high)}, "interval"
    )
    chosen = points[found]["missing_weight"]
    assert min(low, high) <= chosen <= max(low, high, 1e-4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"measures": ["auc", "atop"]}, "auc_aman"),
        ({"methods": ["observed-only-tuned-for-rmse"]}, "missing_weight"),
    ],
)
def test_config_without_an_interval_is_refused(change, words):
    config = tiny_config()
    config["studies"]["pradel2012"].update(change, select_by="interval")
    with pytest.raises(UserError, match=words):
        configuration.check(config)
