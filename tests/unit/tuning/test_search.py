import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnar.models import Real, Whole
from mnar.tuning.search import beyond, edges, grid_points, refined_points, settings_at


def test_grid_is_every_combination_in_order():
    points = grid_points({"lambda": [1, 2], "rate": [0.1, 0.2]})
    assert points == [
        {"lambda": 1, "rate": 0.1},
        {"lambda": 1, "rate": 0.2},
        {"lambda": 2, "rate": 0.1},
        {"lambda": 2, "rate": 0.2},
    ]


def test_empty_grid_is_one_point():
    assert grid_points({}) == [{}]


def test_refinement_lies_halfway_to_the_neighbours():
    tried = grid_points({"missing_weight": [0, 0.01, 0.04, 1]})
    points = refined_points(tried, {"missing_weight": 0.04})
    assert points == [{"missing_weight": 0.02}, {"missing_weight": 0.2}]
    # Next to zero there is no geometric mean.
    assert refined_points(tried, {"missing_weight": 0.01}) == [
        {"missing_weight": 0.005},
        {"missing_weight": 0.02},
    ]


def test_refinement_leaves_names_alone():
    tried = grid_points({"sampling": ["uniform", "popularity"], "rank_weight": [True, False]})
    assert refined_points(tried, tried[0]) == []


@given(st.lists(st.floats(0.001, 100), min_size=1, max_size=6, unique=True), st.data())
def test_refined_points_are_new_and_stay_inside_the_grid(values, data):
    tried = grid_points({"lambda": values})
    best = data.draw(st.sampled_from(tried))
    for point in refined_points(tried, best):
        assert point not in tried
        slack = 1e-3 * max(values)
        assert min(values) - slack <= point["lambda"] <= max(values) + slack


KNOWN = {
    "lambda": Real("lambda", "a penalty", least=0),
    "rate": Real("rate", "a step", above=0),
    "missing_weight": Real("missing_weight", "a weight", least=0, ends=(1,)),
    "k": Whole("k", "neighbours"),
    "factors": Whole("factors", "a budget", goes_on=False),
}


def test_edges_are_named_with_their_side():
    grid = {"lambda": [1, 2, 3], "rate": [0.1, 0.2], "factors": [5]}
    assert edges(grid, {"lambda": 2, "rate": 0.1, "factors": 5}, KNOWN) == {"rate": -1}
    assert edges(grid, {"lambda": 3, "rate": 0.2, "factors": 5}, KNOWN) == {"lambda": 1, "rate": 1}


def test_natural_ends_are_no_edges():
    grid = {"lambda": [0, 1], "missing_weight": [0, 0.5, 1], "k": [1, 5]}
    assert edges(grid, {"lambda": 0, "missing_weight": 1, "k": 1}, KNOWN) == {}
    assert edges(grid, {"lambda": 1, "missing_weight": 0, "k": 5}, KNOWN) == {"lambda": 1, "k": 1}
    # Of a parameter that no method declares every edge counts.
    assert edges(grid, {"lambda": 0}, {}) == {"lambda": -1}


@pytest.mark.parametrize(
    ("name", "values", "side", "value"),
    [
        ("lambda", [0.1, 0.2], 1, 0.4),
        ("lambda", [0.2, 0.1], -1, 0.05),
        ("lambda", [0, 0.1, 0.3], 1, 0.9),
        # From zero there is no factor to go on by; below it nothing is allowed.
        ("lambda", [0, 0.1], 1, 0.2),
        ("missing_weight", [0.1, 0.5], 1, 1),
        ("missing_weight", [0.2, 0.4], 1, 0.8),
        ("k", [2, 3], 1, 4),
        ("k", [2, 3], -1, 1),
        ("k", [10, 40], 1, 160),
        ("factors", [10, 40], 1, None),
        ("undeclared", [10, 40], 1, None),
    ],
)
def test_the_value_beyond_an_edge(name, values, side, value):
    assert beyond(values, side, KNOWN.get(name)) == value


def test_settings_that_are_no_numbers_have_no_edge():
    grid = {"weights": [{}, {5: 2}], "lambda": [1, 2, 3], "rank_weight": [True, False]}
    assert edges(grid, {"weights": {}, "lambda": 2, "rank_weight": True}, KNOWN) == {}
    tried = grid_points({"weights": [{}, {5: 2}], "lambda": [1, 2, 3]})
    assert refined_points(tried, {"weights": {}, "lambda": 3}) == [{"weights": {}, "lambda": 2.449}]


def test_paths_follow_from_the_grid_of_the_config():
    def path(value, **settings):
        method = {"settings": settings, "grid": {"lambda": [0.3, 0.1, 0.2]}}
        return settings_at(method, {"lambda": value}).get("path")

    assert path(0.1, converged=1e-3) == []
    assert path(0.3, converged=1e-3) == [0.1, 0.2]
    assert path(0.25, converged=1e-3) == [0.1, 0.2]
    # Beyond the grid a path of its own, so that the grid need not be trained once more.
    assert path(0.4, converged=1e-3) is None
    assert path(0.05, converged=1e-3) is None
    assert path(0.3) is None
