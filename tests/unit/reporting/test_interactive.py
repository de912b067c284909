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
