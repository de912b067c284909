from hypothesis import given
from hypothesis import strategies as st

from mnar.tuning.search import at_edge, grid_points, refined_points


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


def test_edges_are_named():
    tried = grid_points({"lambda": [1, 2, 3], "rate": [0.1, 0.2], "factors": [5]})
    assert at_edge(tried, {"lambda": 2, "rate": 0.1, "factors": 5}) == ["rate"]
    assert at_edge(tried, {"lambda": 3, "rate": 0.2, "factors": 5}) == ["lambda", "rate"]


def test_several_grids_are_their_union():
    points = grid_points([{"a": [1, 2], "b": [0]}, {"a": [2], "b": [0, 5]}])
    assert points == [{"a": 1, "b": 0}, {"a": 2, "b": 0}, {"a": 2, "b": 5}]


def test_settings_that_are_no_numbers_have_no_edge():
    tried = grid_points({"weights": [{}, {5: 2}], "lambda": [1, 2, 3]})
    assert at_edge(tried, {"weights": {}, "lambda": 2}) == []
    assert refined_points(tried, {"weights": {}, "lambda": 3}) == [{"weights": {}, "lambda": 2.449}]
