"""Figures: one look for all of them, saved as PDF, SVG and PNG with the data behind them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import NullFormatter

from mnar import measures, models
from mnar.core.files import atomic, write_text
from mnar.core.palette import BLACK, COLOURS

# As many characters as a label of the config may have.
_LONGEST = 100
NOTHING: Mapping[str, Any] = MappingProxyType({})
# Shown beside methods, without being one.
BLEND = "blend"
BLEND_LOOK = (BLACK, "p")

STYLE: dict[Any, Any] = {
    "figure.dpi": 150,
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 5,
    "errorbar.capsize": 2.5,
    "figure.constrained_layout.use": True,
    # The same figure gives the same bytes.
    "svg.hashsalt": "mnar",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}

rcParams.update(STYLE)


@dataclass(frozen=True)
class Figure:
    canvas: Canvas
    data: pd.DataFrame
    caption: str


def subplots(
    rows: int = 1, columns: int = 1, *, figsize: tuple[float, float], **options: Any
) -> tuple[Canvas, Any]:
    """As pyplot's, without its list of open figures, and the tenth of a second that it takes to load."""
    canvas = Canvas(figsize=figsize)
    FigureCanvasAgg(canvas)
    return canvas, canvas.subplots(rows, columns, **options)


def look_of(method: str, entries: Mapping[str, Mapping[str, Any]] = NOTHING) -> tuple[str, str]:
    """Colour and marker of a method of the config, the same in every figure.

    The method's file says them, or its entry in the `methods` of the config.
    """
    if method == BLEND:
        return BLEND_LOOK
    about = models.about_entry(method, entries)
    return about.colour, about.marker


def family_of(method: str, entries: Mapping[str, Mapping[str, Any]] = NOTHING) -> str:
    """What a method of the config learns from."""
    return models.about_entry(method, entries).family


def colour_of(measure: str) -> str:
    """The colour of a measure, the same in every figure; grey for those that name none."""
    return COLOURS[measures.colour(measure) or "grey"]


def drawn(text: str) -> str:
    """Text of the config or of data as matplotlib draws it: dollars are no formula.

    A first underscore would leave it out of a legend, and a long text would leave no room for the figure.
    """
    text = " ".join(text.split())
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return cut.replace("$", r"\$").replace("_", " _", cut.startswith("_"))


def plain_log_axis(axis: Axis) -> None:
    """Label the powers of ten alone: labels in between run into each other."""
    axis.set_minor_formatter(NullFormatter())


def label_ends(
    axis: Axes,
    x: float | Mapping[str, float],
    ends: Mapping[str, float],
    colours: Mapping[str, str],
) -> None:
    """Names at the ends of lines, moved apart where they would lie on each other."""
    low, high = axis.get_ylim()
    order = sorted(ends.items(), key=lambda pair: pair[1])
    positions = moved_apart([value for _, value in order], 0.048 * (high - low))
    for (name, value), position in zip(order, positions, strict=True):
        axis.annotate(
            drawn(name),
            xy=(x[name] if isinstance(x, Mapping) else x, value),
            xytext=(1.02, position),
            textcoords=axis.get_yaxis_transform(),
            va="center",
            fontsize=8,
            color=colours[name],
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colours[name], "lw": 0.5},
        )


def moved_apart(values: list[float], gap: float) -> list[float]:
    """Places for rising values, at least `gap` apart; those that would touch lie around their mean."""
    groups: list[list[float]] = []
    for value in values:
        groups.append([value])
        while (
            len(groups) > 1
            and _positions(groups[-2], gap)[-1] + gap > _positions(groups[-1], gap)[0]
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [position for group in groups for position in _positions(group, gap)]


def _positions(group: list[float], gap: float) -> list[float]:
    middle, half = sum(group) / len(group), (len(group) - 1) / 2
    return [middle + gap * (number - half) for number in range(len(group))]


def nothing_to_draw(why: str) -> Figure:
    """A figure that says why it is empty."""
    canvas, axis = subplots(figsize=(6, 1))
    axis.set_axis_off()
    axis.text(0.5, 0.5, drawn(why), ha="center", va="center")
    return Figure(canvas, pd.DataFrame(columns=["dataset"]), why)


def write_figure(figure: Figure, stem: str | Path) -> None:
    stem = Path(stem)
    # Without dates, the same figure gives the same bytes.
    metadata = {"png": None, "pdf": {"CreationDate": None}, "svg": {"Date": None}}
    for ending, facts in metadata.items():
        with atomic(stem.with_name(f"{stem.name}.{ending}")) as temporary:
            figure.canvas.savefig(temporary, metadata=facts)
    with atomic(stem.with_name(stem.name + ".csv")) as temporary:
        figure.data.to_csv(temporary, index=False, lineterminator="\n")
    write_text(stem.with_name(stem.name + ".txt"), figure.caption + "\n")
