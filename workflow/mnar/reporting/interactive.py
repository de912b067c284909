"""Charts that can be hovered, zoomed and filtered: Vega-Lite by Altair, data from the figures' CSVs."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import vl_convert

from mnar.core.palette import BLUE, GREEN, ORANGE, PURPLE, RED, SKY
from mnar.reporting.chart_layers import specification
from mnar.reporting.charts import Chart
from mnar.reporting.difference_table import label_or_name
from mnar.reporting.edges import RINGS
from mnar.reporting.figure_format import colour_of, look_of, moved_apart

PARTS = {"right": BLUE, "undecided": "#D0D0D0", "wrong": RED}
PLAIN = [BLUE, ORANGE, GREEN, RED, PURPLE, SKY]
# Between names at the ends of lines, as a share of the scale.
GAP = 0.065
HINT = "Drag to move, Ctrl and wheel to zoom, double-click to reset."


@cache
def library() -> str:
    """Vega, Vega-Lite and the interpreter of expressions, which needs no eval, as one script."""
    code = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return "(() => {" + code.replace("</script", "<\\/script") + "})();"


def chart_data(csv: Path, chart: Chart, entries: Mapping[str, Any]) -> dict[str, Any] | None:
    """Specification, panels with their rows, and what can be filtered; None if there is nothing."""
    every = pd.read_csv(csv)
    frame = _with_parts(_asked(every, chart, chart.only), chart)
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
    rings = RINGS if chart.caption and "edge" in rows else ""
    return {
        "title": chart.title,
        "caption": f"{chart.caption}{rings}",
        "spec": specification(chart, rows, series, colours, _band(every, chart)),
        "panels": panels,
        "shown": [{"name": n, "colour": colours.get(n, "")} for n in series],
    }


def _asked(frame: pd.DataFrame, chart: Chart, only: Mapping[str, tuple[Any, ...]]) -> pd.DataFrame:
    for column, values in only.items():
        frame = frame[frame[column].isin(values)] if column in frame else frame.iloc[:0]
    return frame if chart.upto is None else frame[frame[chart.x] <= chart.upto]


def _band(frame: pd.DataFrame, chart: Chart) -> tuple[float, float] | None:
    """Between the best points of two lines, which another chart of the figure may show."""
    if not chart.band:
        return None
    frame = _asked(frame, chart, chart.only | {chart.colour: chart.band})
    places = _places(frame, chart)[_is_true(frame[chart.star])]
    return (float(places.min()), float(places.max())) if len(places) else None


def _places(frame: pd.DataFrame, chart: Chart) -> pd.Series:
    """x; 0 has a place of its own left of a log axis."""
    x = frame[chart.x]
    return x.where(x > 0, x[x > 0].min() / 10) if chart.log else x


def _is_true(column: pd.Series) -> pd.Series:
    """Beside rows that say neither, CSV has words."""
    return column.astype(str) == "True"


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
    rows["x"] = _places(frame, chart).to_numpy() if chart.kind == "lines" else 0
    if chart.kind == "lines" and chart.log:
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
    if chart.star:
        rows["best"] = _is_true(frame[chart.star]).to_numpy()
    if chart.reach:
        rows["reach"] = frame[chart.reach].to_numpy()
    if chart.kind == "lines" and "edge" in frame and frame["edge"].notna().any():
        rows["edge"] = frame["edge"].fillna("").to_numpy()
    titles = [_words(chart, frame, column) for column in chart.panel]
    rows["panel"] = [", ".join(parts) for parts in zip(*titles, strict=True)] if titles else ""
    rows = rows.dropna(subset="y").round(6)
    if chart.kind == "lines":
        _check_one_value_each(rows, chart)
    return _with_names(rows, chart) if chart.named else rows


def _with_names(rows: pd.DataFrame, chart: Chart) -> pd.DataFrame:
    """Each line's name right of the panel at its last value, moved where it would lie on another."""
    rows = rows.assign(label="", label_x=rows["x"], label_y=rows["y"])
    for _, panel in rows.groupby("panel", sort=False):
        last = panel.loc[panel.groupby("series")["x"].idxmax()].sort_values("y")
        scale = rows if chart.same_scale else panel
        gap = GAP * (scale["high"].max() - scale["low"].min())
        rows.loc[last.index, "label"] = last["series"]
        rows.loc[last.index, "label_x"] = panel["x"].max()
        rows.loc[last.index, "label_y"] = moved_apart(list(last["y"]), gap)
    return rows.round(6)


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
