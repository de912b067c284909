"""How Vega-Lite draws a chart: its marks, scales and axes, written with Altair."""

from typing import Any

import altair as alt
import pandas as pd
from pandas.api.types import is_numeric_dtype

from mnar.reporting.charts import Chart

WIDTH, HEIGHT = 290, 210
# Beside names of up to this width.
NARROW, NAME = 145, 170
# Points of a line from which on its dots are not drawn.
DENSE = 40
# Between the outermost points and the ends of the axis.
PADDING = 12
LOOK = {
    "aria": False,
    "font": "system-ui, sans-serif",
    "axis": {"labelColor": "#1b1f24", "titleColor": "#1b1f24", "gridColor": "#e6e9ec"},
    "axisY": {"labelLimit": NAME},
    "view": {"stroke": None},
    "background": "#ffffff",
}
# Five points, as Vega wants them: a path around (0, 0).
STAR = "M0,-1L0.22,-0.31L0.95,-0.31L0.36,0.12L0.59,0.81L0,0.38L-0.59,0.81L-0.36,0.12L-0.95,-0.31L-0.22,-0.31Z"
# Columns of the rows that a tip does not show.
SILENT = {"panel", "name", "best", "reach", "label", "label_x", "label_y"}
# Solid, dashed, dotted, both.
DASHES = [[1, 0], [6, 3], [2, 3], [8, 3, 2, 3]]


def specification(
    chart: Chart,
    rows: pd.DataFrame,
    series: list[str],
    colours: dict[str, str],
    band: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """`rows` are those of all panels, which share it; each panel brings its own as `rows`."""
    colour = alt.Color(
        "colour:N",
        scale=alt.Scale(domain=list(colours), range=list(colours.values())),
        legend=None
        if set(colours) == set(series)
        else alt.Legend(title=None, orient="top", columnPadding=6, offset=4),
    )
    base = alt.Chart(alt.NamedData("rows"), width=WIDTH, height=HEIGHT)
    base = base.transform_filter("indexof(shown, datum.series) >= 0")
    hover = _hover(chart, rows)
    drawn = {"lines": _lines, "dots": _dots, "bars": _bars}[chart.kind](
        base, chart, rows, colour, hover
    )
    if band:
        ends = alt.InlineData(values=[{"from": band[0], "to": band[1]}])
        grey = alt.Chart(ends).mark_rect(color="#000000", opacity=0.08)
        drawn = alt.layer(grey.encode(x=_place("from", chart, rows), x2="to:Q"), drawn)
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
    titles["edge"] = "at an edge of its search"
    left_out = SILENT | ({"x"} if "at" in rows or chart.kind != "lines" else set())
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
    x = _place("x", chart, rows)
    scale = alt.Scale(zero=False)
    if chart.same_scale:
        scale.domain = [float(rows["low"].min()), float(rows["high"].max())]
    y = alt.Y("y:Q", scale=scale, title=chart.y_title or None)
    detail: dict[str, Any] = {"detail": "series:N"}
    if chart.dash:
        # In the order of the chart: the first is solid.
        order = [one for one in chart.only.get(chart.dash, ()) if one in set(rows["dash"])]
        dashes = alt.Scale(domain=order, range=DASHES[: len(order)]) if order else alt.Undefined
        key = None if chart.dash == chart.filter else alt.Legend(title=None, orient="top")
        detail["strokeDash"] = alt.StrokeDash("dash:N", scale=dashes, legend=key)
    # A layer with both fields carries the zoom: a line at 0 or a band has but one.
    line = base.mark_line().encode(x=x, y=y, color=colour, **detail).add_params(_zoom())
    bar = base.mark_rule().encode(x=x, y="low:Q", y2="high:Q", color=colour)
    # On a dense curve dots would hide the line; they are there to be hovered all the same.
    dense = rows.groupby(["panel", "series"]).size().max() > DENSE
    dot = base.mark_circle(size=45, opacity=0 if dense else 1)
    dot = dot.encode(x=x, y=y, color=colour, tooltip=hover)
    layers = [line, bar, dot]
    if chart.zero:
        layers.insert(0, _once(base).mark_rule(strokeWidth=0.6).encode(y=alt.datum(0)))
    if "edge" in rows:
        # Not filtered: a panel without rings would have a layer without rows. Below the dots, to hover.
        seen = alt.condition("datum.edge != ''", alt.value(1), alt.value(0))
        ring = base.mark_point(size=130, color="black").encode(x=x, y=y, opacity=seen)
        layers.insert(-1, ring)
    if chart.star:
        star = base.transform_filter("datum.best").mark_point(
            shape=STAR, size=380, filled=True, opacity=1, stroke="white", strokeWidth=0.6
        )
        layers.append(star.encode(x=x, y=y, color=colour, tooltip=hover))
    if chart.named:
        named = base.transform_filter("datum.label != ''")
        # Scales that can be moved clip what lies beyond them.
        name = named.mark_text(align="left", dx=8, fontSize=10, clip=False)
        at = _place("label_x", chart, rows)
        layers.append(name.encode(x=at, y="label_y:Q", text="label:N", color=colour))
    return alt.layer(*layers)


def _place(column: str, chart: Chart, rows: pd.DataFrame) -> Any:
    """A column on the axis of x."""
    axis = alt.Axis(title=chart.x_title, tickCount=5, grid=False)
    if "at" in rows:
        axis.values, axis.labelExpr = _log_ticks(rows)
    kind = {"type": "log"} if chart.log else {"zero": False}
    return alt.X(f"{column}:Q", scale=alt.Scale(nice=False, padding=PADDING, **kind), axis=axis)


def _once(base: Any) -> Any:
    """One row, for a line that belongs to no data."""
    return base.transform_aggregate(rows="count()")


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
    layers = [bar, dot]
    if chart.zero:
        layers.insert(0, _once(base).mark_rule(strokeWidth=0.8).encode(x=alt.datum(0)))
    if chart.reach:
        each = base.transform_aggregate(reached="min(reach)", groupby=["colour"])
        layers.insert(0, each.mark_rule(strokeDash=[4, 2]).encode(x="reached:Q", color=colour))
    return alt.layer(*layers).add_params(
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
