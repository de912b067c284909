"""What tables and figures are made from: chosen settings, sweeps and search tables of made-up runs."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure as MatplotlibFigure

from mnar.measures import UserValues
from mnar.reporting import faults
from mnar.reporting.edges import edge_notes, listed, marked, ring_caption, ring_edges
from mnar.reporting.results import Results, fold_values
from mnar.reporting.search_tables import chosen_table, grid_table
from mnar.reporting.sweeps import over_folds, sweep, swept_methods
from mnar.reporting.table_format import across
from mnar.tuning.fold_search import SearchedFold
from mnar.tuning.scores import write_scores

# fold -> point -> (validation, test); the best on test is never the best on validation.
POINTS = [{"lambda": lam, "rate": rate} for lam in (1, 2) for rate in (0.1, 0.2)]
ADG = {
    0: [(0.50, 0.30), (0.40, 0.90), (0.60, 0.20), (0.70, 0.10)],
    1: [(0.30, 0.80), (0.40, 0.25), (0.65, 0.35), (0.45, 0.95)],
}
CHOSEN = {0: 3, 1: 2}


def outcome(values, chosen, measure="adg", weight=(1.0, 3.0)):
    found = SearchedFold(POINTS, chosen)
    found.edges = {point: ["lambda", "rate"] for point in range(len(POINTS))}
    for point, pair in enumerate(values):
        for name, value in zip(("validation", "test"), pair, strict=True):
            weights = np.array(weight)
            # The mean over users is the value; that over pairs is another.
            scores = UserValues(np.array([value - 0.05, value + 0.05]) * weights, weights)
            found.scores[point, "unseen", name] = {measure: scores}
            found.scores[point, "all", name] = {measure: UserValues(weights * 0.99, weights)}
    return found


@pytest.fixture
def results(tmp_path):
    """Folds lie in two files, the later one first; a second method is tuned by its RMSE."""
    files = []
    for method, measure in (("m", "adg"), ("errors", "rmse")):
        for fold in (1, 0):
            path = tmp_path / "scores" / "s" / "d" / method / f"{fold}-{fold}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_scores(path, {fold: outcome(ADG[fold], CHOSEN[fold], measure)})
            files.append(str(path))
    study = {"candidates": ["unseen", "all"], "average": "user", "methods": ["m", "errors"]}
    study["sweeps"] = ["lambda"]
    methods = {"m": {"select_by": "adg"}, "errors": {"select_by": "rmse"}}
    return Results("d", files, {"studies": {"s": study}, "methods": methods})


def test_chosen_scores_are_of_the_set_that_is_asked_for(results):
    for part, name in enumerate(("validation", "test")):
        rows = results.chosen("s", name)
        rows = rows[rows["method"] == "m"].set_index("fold")["value"]
        expected = {fold: ADG[fold][CHOSEN[fold]][part] for fold in ADG}
        assert rows.to_dict() == pytest.approx(expected)
    everything = results.chosen("s", "test", "all")["value"]
    assert everything.to_numpy() == pytest.approx(0.99)


def test_values_of_folds_stand_in_the_order_of_the_folds(results):
    """Fold 1 is read first and has the larger value: neither order may decide."""
    assert fold_values(results.chosen("s"), "m", "adg") == pytest.approx([0.10, 0.35])
    assert fold_values(results.chosen("s", "validation"), "m", "adg") == pytest.approx([0.7, 0.65])


def test_a_sweep_tunes_the_other_parameters_on_validation(results):
    rows = sweep(results, "s", "m", "lambda")
    test = rows[rows["set"] == "test"].set_index(["fold", "lambda"])["score"]
    expected = {(0, 1): 0.30, (0, 2): 0.10, (1, 1): 0.25, (1, 2): 0.35}
    assert test.to_dict() == pytest.approx(expected)
    valid = rows[rows["set"] == "validation"].set_index(["fold", "lambda"])["score"]
    assert valid.to_dict() == pytest.approx({(0, 1): 0.5, (0, 2): 0.7, (1, 1): 0.4, (1, 2): 0.65})


def test_a_sweep_by_an_error_takes_the_smallest(results):
    rows = sweep(results, "s", "errors", "lambda")
    valid = rows[rows["set"] == "validation"].set_index(["fold", "lambda"])["score"]
    assert valid.to_dict() == pytest.approx({(0, 1): 0.4, (0, 2): 0.6, (1, 1): 0.3, (1, 2): 0.45})


def test_a_curve_has_means_and_standard_errors_over_folds(results):
    curve = over_folds(sweep(results, "s", "m", "lambda"), "lambda")
    test = curve[curve["set"] == "test"].set_index("lambda")
    assert test["mean"].to_dict() == pytest.approx({1: 0.275, 2: 0.225})
    assert test["sem"].to_dict() == pytest.approx({1: 0.025, 2: 0.125})
    assert test["n"].tolist() == [2, 2]
    assert swept_methods(results, "s", "lambda") == ["m", "errors"]
    assert swept_methods(results, "s", "unknown") == []


def test_the_table_of_choices_shows_validation_scores(results):
    tidy = chosen_table(results, "s").tidy
    mine = tidy[tidy["method"] == "m"].set_index("fold")
    assert mine["mean"].to_dict() == pytest.approx({0: 0.7, 1: 0.65})
    assert mine.loc[0, "settings"] == '{"lambda": 2, "rate": 0.2}'
    assert mine.loc[1, "edge"] == "lambda rate"


def test_choices_at_an_edge_are_marked_and_counted(results, tmp_path):
    assert marked(results, "s", "m") == "m †"
    (note,) = edge_notes(results, "s")
    assert "m: lambda in 2 of 2 folds, rate in 2 of 2 folds; errors" in note
    # Of a sweep the other parameters count.
    assert set(sweep(results, "s", "m", "lambda")["edge"]) == {"rate"}
    for name in ("chosen", "chosen_rel4"):
        chosen_table(results, "s").tidy.to_csv(tmp_path / f"{name}.csv", index=False)
    found = listed(tmp_path)
    assert len(found) == 4
    assert found[0] == {"study": "s", "method": "m", "parameters": "lambda rate"}
    scores = results.scores("s")
    scores["edge"] = ""
    assert marked(results, "s", "m") == "m"
    assert edge_notes(results, "s") == []


def test_the_mark_is_that_of_the_method_and_of_its_chosen_setting(results):
    scores = results.scores("s")
    scores["edge"] = np.where((scores["method"] == "m") & (scores["chosen"] == 1), "rate", "")
    assert [marked(results, "s", method) for method in ("m", "errors")] == ["m †", "errors"]
    scores["edge"] = np.where(scores["chosen"] == 1, "", "rate")
    assert marked(results, "s", "m") == "m"


def test_rings_stand_where_other_settings_are_at_an_edge():
    axis = MatplotlibFigure().subplots()
    rows = pd.DataFrame({"weight": [1, 2, 3], "mean": [0.1, 0.2, 0.3], "edge": ["", "rate", ""]})
    ring_edges(axis, rows, "weight")
    [ring] = axis.lines
    assert (ring.get_xdata().tolist(), ring.get_ydata().tolist()) == ([2], [0.2])
    assert "Rings" in ring_caption(rows)
    assert ring_caption(rows.assign(edge="")) == ""


def test_the_table_of_all_settings_has_means_and_standard_errors(results):
    tidy = grid_table(results, "s").tidy
    mine = tidy[tidy["method"] == "m"].set_index("settings")
    first = mine.loc['{"lambda": 1, "rate": 0.1}']
    assert first["mean"] == pytest.approx(0.4)
    assert first["sem"] == pytest.approx(np.std([0.5, 0.3], ddof=1) / np.sqrt(2))
    assert mine["times"].tolist() == [0, 0, 1, 1]
    assert len(mine) == len(POINTS)


@pytest.mark.parametrize(
    ("table", "dataset"),
    [
        ("lim2015_table1", "movielens-10m"),
        ("lim2015_table2", "movielens-10m"),
        ("steck2010_table2", "movielens-1m"),
        ("steck2010_table3", "netflix"),
        ("pradel2012_table1", "yahoo-r3"),
        ("pradel2012_table3", "yahoo-r3"),
    ],
)
def test_published_numbers_are_of_the_same_dataset(table, dataset):
    assert set(Results(dataset, [], {}).published(table)["dataset"]) == {dataset}
    assert Results("coat", [], {}).published(table).empty


def test_published_numbers_stand_beside_ours():
    tidy = pd.DataFrame(
        {
            "dataset": ["d", "e"],
            "method": "m",
            "measure": "adg",
            "mean": [0.1, 0.2],
            "sem": [0.01, np.nan],
            "published": [0.15, np.nan],
        }
    )
    shown = across(tidy, "Table 1").shown.set_index("method")
    assert shown.loc["m", ["d", "e"]].tolist() == ["0.1000 (0.0100)", "0.2000"]
    assert shown.loc["m, published", ["d", "e"]].tolist() == ["0.1500", "–"]


def test_a_study_that_was_not_run_on_the_dataset_has_no_faults(results):
    results.config["studies"]["elsewhere"] = {**results.config["studies"]["s"]}
    assert faults.faults(results, "elsewhere").empty
    table = chosen_table(results, "s")
    assert faults.marked(table, results, ["elsewhere"]).shown.equals(table.shown)
