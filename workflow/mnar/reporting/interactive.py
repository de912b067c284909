"""Charts that can be hovered, zoomed and filtered: Vega-Lite by Altair, data from the figures' CSVs."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import vl_convert
from pandas.api.types import is_numeric_dtype

from mnar.core.palette import BLUE, GREEN, ORANGE, PURPLE, RED, SKY
from mnar.reporting.charts import Chart
from mnar.reporting.difference_table import label_or_name
from mnar.reporting.figure_format import colour_of, look_of

WIDTH, HEIGHT = 290, 210
# Beside names of up to this width.
NARROW, NAME = 145, 170
# Points of a line from which on its dots are not drawn.
DENSE = 40
PARTS = {"right": BLUE, "undecided": "#D0D0D0", "wrong": RED}
PLAIN = [BLUE, ORANGE, GREEN, RED, PURPLE, SKY]
LOOK = {
    "aria": False,
    "font": "system-ui, sans-serif",
    "axis": {"labelColor": "#1b1f24", "titleColor": "#1b1f24", "gridColor": "#e6e9ec"},
    "axisY": {"labelLimit": NAME},
    "view": {"stroke": None},
    "background": "#ffffff",
}
HINT = "Drag to move, Ctrl and wheel to zoom, double-click to reset."


@cache
def library() -> str:
    """Vega, Vega-Lite and the interpreter of expressions, which needs no eval, as one script."""
    code = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return "(() => {" + code.replace("</script", "<\\/script") + "})();"


def chart_data(csv: Path, chart: Chart, entries: Mapping[str, Any]) -> dict[str, Any] | None:
    """Specification, panels with their rows, and what can be filtered; None if there is nothing."""
    frame = pd.read_csv(csv)
    for column, values in chart.only.items():
        frame = frame[frame[column].isin(values)] if column in frame else frame.iloc[:0]
    frame = _with_parts(frame, chart)
    if frame.empty or frame[chart.y].isna().all():
        return None
    rows = _rows(frame, chart)
    series = list(dict.fromkeys(rows["series"]))
    colours = _colours(frame, rows, chart, entries)
    panels = [
        {
            "title": str(title),
            "rows": json.loads(part.drop(columns="panel").to_json(orient="records")),
        }
        for title, part in rows.groupby("panel", sort=False)
    ]
    return {
        "title": chart.title,
        "spec": _specification(chart, rows, series, colours),
        "panels": panels,
        "shown": [{"name": n, "colour": colours.get(n, "")} for n in series],
    }


def _with_parts(frame: pd.DataFrame, chart: Chart) -> pd.DataFrame:
    if not chart.parts:
        return frame
    keys = [column for column in frame if column not in chart.parts]
    return frame.melt(keys, list(chart.parts), "part", "share").assign(
        percent=lambda melted: 100 * melted["share"]
    )


def _word(chart: Chart, column: str, value: Any) -> str:
    if value in chart.looks:
        return chart.looks[value][0]
    if column == "measure":
        return label_or_name(str(value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _words(chart: Chart, frame: pd.DataFrame, column: str) -> list[str]:
    return [_word(chart, column, value) for value in frame[column]]


def _rows(frame: pd.DataFrame, chart: Chart) -> pd.DataFrame:
    """The columns of the chart under plain names, rounded to what a screen can show."""
    rows = pd.DataFrame({"series": _words(chart, frame, chart.filter)})
    rows["colour"] = _words(chart, frame, chart.colour)
    rows["x"] = frame[chart.x].to_numpy() if chart.kind == "lines" else 0
    if chart.kind == "lines" and chart.log:
        smallest = frame.loc[frame[chart.x] > 0, chart.x].min()
        rows["x"] = rows["x"].where(rows["x"] > 0, smallest / 10)
        rows["at"] = frame[chart.x].to_numpy()
    if chart.kind != "lines":
        rows["name"] = _words(chart, frame, chart.x)
    rows["y"] = frame[chart.y].to_numpy()
    low, high = _ends(frame, chart)
    rows["low"], rows["high"] = low.to_numpy(), high.to_numpy()
    if chart.dash:
        rows["dash"] = frame[chart.dash].to_numpy()
    for column in chart.more:
        rows[column] = frame[column].to_numpy()
    titles = [_words(chart, frame, column) for column in chart.panel]
    rows["panel"] = [", ".join(parts) for parts in zip(*titles, strict=True)] if titles else ""
    rows = rows.dropna(subset="y").round(6)
    if chart.kind == "lines":
        _check_one_value_each(rows, chart)
    return rows


def _check_one_value_each(rows: pd.DataFrame, chart: Chart) -> None:
    """A line with two values at one place runs up and down: its rows belong to several lines."""
    keys = ["panel", "series", "x", *(["dash"] if chart.dash else [])]
    twice = rows[rows.duplicated(keys)]
    if len(twice):
        raise ValueError(f"the chart of {chart.y_title!r} has two values at {dict(twice.iloc[0])}")


def _ends(frame: pd.DataFrame, chart: Chart) -> tuple[pd.Series, pd.Series]:
    if chart.low and chart.high:
        return frame[chart.low], frame[chart.high]
    error = frame[chart.error].fillna(0) if chart.error else 0
    return frame[chart.y] - error, frame[chart.y] + error


def _colours(
    frame: pd.DataFrame, rows: pd.DataFrame, chart: Chart, entries: Mapping[str, Any]
) -> dict[str, str]:
    """The colour that a method, measure or part has in every figure."""
    pairs = dict(zip(rows["colour"], frame.loc[frame[chart.y].notna(), chart.colour], strict=True))
    found = {}
    for number, (word, value) in enumerate(pairs.items()):
        if value in chart.looks:
            found[word] = chart.looks[value][1]
        elif chart.colour == "method":
            found[word] = look_of(str(value), entries)[0]
        elif chart.colour == "measure" and word != value:
            found[word] = colour_of(str(value))
        else:
            found[word] = PARTS.get(str(value), PLAIN[number % len(PLAIN)])
    return found


def _specification(
    chart: Chart, rows: pd.DataFrame, series: list[str], colours: dict[str, str]
) -> dict[str, Any]:
    colour = alt.Color(
        "colour:N",
        scale=alt.Scale(domain=list(colours), range=list(colours.values())),
        legend=None if set(colours) == set(series) else alt.Legend(title=None, orient="top"),
    )
    base = alt.Chart(alt.NamedData("rows"), width=WIDTH, height=HEIGHT)
    base = base.transform_filter("indexof(shown, datum.series) >= 0")
    hover = _hover(chart, rows)
    drawn = {"lines": _lines, "dots": _dots, "bars": _bars}[chart.kind](
        base, chart, rows, colour, hover
    )
    drawn = drawn.add_params(alt.param(name="shown", value=series))
    spec = drawn.to_dict()
    spec.pop("$schema", None)
    spec["config"] = LOOK
    return spec


def _hover(chart: Chart, rows: pd.DataFrame) -> list[Any]:
    """What a dot tells: its names, its place, its number with the interval."""
    titles = {
        "y": chart.y_title or chart.x_title if chart.kind != "lines" else chart.y_title or "value"
    }
    if chart.kind == "lines":
        titles["at" if "at" in rows else "x"] = chart.x_title
    left_out = {"panel", "name"} | ({"x"} if "at" in rows or chart.kind != "lines" else set())
    left_out |= {"colour"} if (rows["colour"] == rows["series"]).all() else set()
    left_out |= {"low", "high"} if (rows["low"] == rows["high"]).all() else set()
    kinds = {c: "Q" if is_numeric_dtype(rows[c]) else "N" for c in rows}
    return [
        alt.Tooltip(f"{column}:{kinds[column]}", title=titles.get(column, column))
        for column in rows
        if column not in left_out
    ]


def _zoom() -> Any:
    return alt.selection_interval(bind="scales", zoom="wheel![event.ctrlKey]")


def _lines(base: Any, chart: Chart, rows: pd.DataFrame, colour: Any, hover: list[Any]) -> Any:
    axis = alt.Axis(title=chart.x_title, tickCount=5, grid=False)
    if "at" in rows:
        axis.values, axis.labelExpr = _log_ticks(rows)
    scale = alt.Scale(type="log") if chart.log else alt.Scale(zero=False)
    x = alt.X("x:Q", scale=scale, axis=axis)
    y = alt.Y("y:Q", scale=alt.Scale(zero=False), title=chart.y_title or None)
    detail: dict[str, Any] = {"detail": "series:N"}
    if chart.dash:
        detail["strokeDash"] = alt.StrokeDash("dash:N", legend=alt.Legend(title=None, orient="top"))
    line = base.mark_line().encode(x=x, y=y, color=colour, **detail)
    bar = base.mark_rule().encode(x=x, y="low:Q", y2="high:Q", color=colour)
    # On a dense curve dots would hide the line; they are there to be hovered all the same.
    dense = rows.groupby(["panel", "series"]).size().max() > DENSE
    dot = base.mark_circle(size=45, opacity=0 if dense else 1)
    dot = dot.encode(x=x, y=y, color=colour, tooltip=hover)
    return alt.layer(line, bar, dot).add_params(_zoom())


def _log_ticks(rows: pd.DataFrame) -> tuple[list[float], str]:
    """Few places on a log axis: 0 where it was tried, powers of ten, or all where they are few."""
    tried = sorted(set(rows["at"]) - {0})
    tens = [10.0**n for n in range(-9, 10) if tried[0] <= 10.0**n <= tried[-1]]
    places = tens if len(tens) > 2 else tried
    zero = float(rows["x"].min())
    if (rows["at"] == 0).any():
        return [zero, *places], f"datum.value < {2 * zero} ? '0' : format(datum.value, '~r')"
    return places, "format(datum.value, '~s')"


def _dots(base: Any, chart: Chart, rows: pd.DataFrame, colour: Any, hover: list[Any]) -> Any:
    names = list(dict.fromkeys(rows["name"]))
    base = base.properties(width=NARROW, height=24 * len(names))
    y = alt.Y("name:N", sort=names, title=None)
    shift = alt.YOffset("colour:N")
    # One scale for all panels, so that they can be compared.
    ends = [float(rows["low"].min()), float(rows["high"].max())]
    axis = alt.Axis(title=chart.x_title, tickCount=4)
    x = alt.X("y:Q", axis=axis, scale=alt.Scale(domain=ends, zero=False))
    bar = base.mark_rule().encode(x=alt.X("low:Q"), x2="high:Q", y=y, yOffset=shift, color=colour)
    dot = base.mark_circle(size=55, opacity=1).encode(
        x=x, y=y, yOffset=shift, color=colour, tooltip=hover
    )
    return alt.layer(bar, dot).add_params(
        alt.selection_interval(bind="scales", encodings=["x"], zoom="wheel![event.ctrlKey]")
    )


def _bars(base: Any, chart: Chart, rows: pd.DataFrame, colour: Any, hover: list[Any]) -> Any:
    names = list(dict.fromkeys(rows["name"]))
    base = base.properties(width=NARROW, height=17 * len(names))
    parts = "indexof(['right', 'undecided', 'wrong'], datum.colour)"
    return (
        base.transform_calculate(order=parts)
        .mark_bar(height=12)
        .encode(
            x=alt.X("y:Q", stack="zero", title=chart.x_title, scale=alt.Scale(domain=[0, 100])),
            y=alt.Y("name:N", sort=names, title=None),
            order="order:Q",
            color=colour,
            tooltip=hover,
        )
    )
