"""Interactive charts: what they draw of a figure's data."""

import pandas as pd
import pytest

from mnar.reporting.charts import Chart
from mnar.reporting.interactive import chart_data

WEIGHTS = [0, 0.001, 0.01, 0.1, 1]


@pytest.fixture
def csv(tmp_path):
    """Two quantities of one method in one file, as figures write them."""
    parts = [
        pd.DataFrame({"method": "svd", "measure": measure, "w": WEIGHTS, "mean": value, "sem": 0.1})
        for measure, value in (("atop", 0.9), ("gain", 0.1), ("auc_complete", 0.8))
    ]
    path = tmp_path / "figure.csv"
    pd.concat(parts).to_csv(path, index=False)
    return path


def chart(**more):
    about = {"kind": "lines", "x": "w", "y": "mean", "x_title": "weight", "log": True}
    return Chart(**(about | more))


def test_a_line_has_one_value_at_each_place(csv):
    with pytest.raises(ValueError, match="two values"):
        chart_data(csv, chart(), {})
    found = chart_data(csv, chart(only={"measure": ("atop",)}), {})
    assert [row["y"] for row in found["panels"][0]["rows"]] == [0.9] * 5
    assert len(chart_data(csv, chart(panel=("measure",)), {})["panels"]) == 3


def test_a_log_axis_has_few_ticks_and_a_place_for_0(csv):
    found = chart_data(csv, chart(only={"measure": ("atop",)}), {})
    axis = found["spec"]["layer"][0]["encoding"]["x"]["axis"]
    assert axis["values"] == [0.0001, 0.001, 0.01, 0.1, 1]
    assert "'0'" in axis["labelExpr"]


def test_values_that_are_no_measure_have_the_words_and_colour_of_the_chart(csv):
    looks = {"auc_complete": ("AUC, complete data", "#123456")}
    found = chart_data(csv, chart(filter="measure", colour="measure", looks=looks), {})
    shown = {one["name"]: one["colour"] for one in found["shown"]}
    assert shown["AUC, complete data"] == "#123456"
    assert "ATOP" in shown


def test_dense_curves_are_lines_without_dots(tmp_path):
    path = tmp_path / "figure.csv"
    pd.DataFrame({"method": "svd", "w": range(1, 200), "mean": 0.5}).to_csv(path, index=False)
    dots = chart_data(path, chart(log=False), {})["spec"]["layer"][2]["mark"]
    assert dots["opacity"] == 0


@pytest.fixture
def swept(tmp_path):
    """Two measures with their best weights, one of them at an edge, and rows that are no curve."""
    curves = [
        pd.DataFrame({"measure": name, "w": WEIGHTS, "mean": values, "kind": "sweep", "edge": ""})
        for name, values in (("auc", [0.9, 0.8, 0.7, 0.6, 0.5]), ("adg", [0.1, 0.2, 0.3, 0.2, 0.1]))
    ]
    for curve in curves:
        curve["best"] = curve["mean"] == curve["mean"].max()
    curves[1].loc[2, "edge"] = "lambda"
    facts = pd.DataFrame({"measure": ["auc"], "w": [1], "mean": [5.0], "kind": ["fact"]})
    path = tmp_path / "figure.csv"
    pd.concat([*curves, facts]).to_csv(path, index=False)
    return path


def of_measures(**more):
    only = {"kind": ("sweep",), "measure": ("adg",)}
    return chart(filter="measure", colour="measure", **{"only": only} | more)


def marks(found):
    layers = found["spec"]["layer"]
    inner = [part for layer in layers for part in layer.get("layer", [layer])]
    return [part["mark"]["type"] for part in inner]


def test_the_best_points_have_stars_and_those_of_two_lines_bound_the_grey(swept):
    found = chart_data(swept, of_measures(star="best", band=("auc", "adg"), zero=True), {})
    rows = found["panels"][0]["rows"]
    assert [row["at"] for row in rows if row["best"]] == [0.01]
    # AUC is best at 0, which has a place of its own; it is not in this chart.
    [[ends]] = found["spec"]["datasets"].values()
    assert ends == {"from": 0.0001, "to": 0.01}
    assert marks(found).count("rect") == 1


def test_points_at_an_edge_have_rings_and_the_caption_says_so(swept):
    found = chart_data(swept, of_measures(caption="What it shows."), {})
    assert [row["edge"] for row in found["panels"][0]["rows"]] == ["", "", "lambda", "", ""]
    assert "point" in marks(found)
    assert found["caption"] == "What it shows. Rings: other settings at an edge of their search."


def test_a_chart_may_end_early_and_names_its_lines_apart(tmp_path):
    path = tmp_path / "figure.csv"
    parts = [
        pd.DataFrame({"method": name, "w": [1, 2, 3], "mean": [0, 1, end]})
        for name, end in (("svd", 0.50), ("ease", 0.51))
    ]
    pd.concat(parts).to_csv(path, index=False)
    found = chart_data(path, chart(log=False, named=True, upto=2), {})
    assert {row["x"] for row in found["panels"][0]["rows"]} == {1, 2}
    found = chart_data(path, chart(log=False, named=True), {})
    named = [row for row in found["panels"][0]["rows"] if row["label"]]
    assert [row["label"] for row in named] == ["svd", "ease"]
    assert named[1]["label_y"] - named[0]["label_y"] > 0.05
    assert "text" in marks(found)
