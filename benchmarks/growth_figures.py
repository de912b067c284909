"""Time and memory against the number of ratings, with the fitted exponent."""

import numpy as np
import pandas as pd

from mnar.core.palette import BLUE, GREEN, ORANGE, RED
from mnar.reporting.figure_format import Figure, plain_log_axis, subplots

LOOKS = {
    "split": ("Split", GREEN, "^"),
    "als": ("ALS, a sweep", BLUE, "o"),
    "pairwise": ("MF-ADG, an epoch", RED, "s"),
    "evaluate": ("Evaluation", ORANGE, "D"),
}


def exponent(points: pd.DataFrame, quantity: str = "seconds") -> float:
    """Slope of the logarithm over the shapes that differ in the number of users alone."""
    family = points[points["label"] == "growth"]
    if len(family) < 2:
        return float("nan")
    return float(np.polyfit(np.log(ratings_of(family)), np.log(family[quantity]), 1)[0])


def draw_exponent(points: pd.DataFrame) -> float:
    """As `exponent`, if every positive took one draw: it shows how the cost of a draw grows."""
    return exponent(points.assign(seconds=points["seconds"] / points["draws"]))


def ratings_of(points: pd.DataFrame) -> pd.Series:
    from shapes import shape_of

    return points["shape"].map(lambda name: shape_of(name).ratings)


def growth_table(grown: pd.DataFrame) -> str:
    lines = []
    for task, points in grown.groupby("task", sort=False):
        for _, point in points.iterrows():
            line = {
                "what": LOOKS[str(task)][0],
                "shape": point["shape"],
                "threads": point["threads"],
            }
            line |= {"seconds": f"{point['seconds']:.3g}", "peak GB": f"{point['peak_gb']:.2f}"}
            if point["share_done"] < 1:
                line["scaled up from"] = f"{100 * point['share_done']:.0f} %"
            if task == "pairwise":
                line["draws of a positive"] = f"{point['draws']:.1f}"
            lines.append(line)
        lines.append(
            {"what": f"{LOOKS[str(task)][0]}: exponent", "seconds": f"{exponent(points):.2f}"}
        )
        if task == "pairwise":
            alike = f"{draw_exponent(points):.2f}"
            lines.append({"what": "MF-ADG, as many draws: exponent", "seconds": alike})
    return (
        pd.DataFrame(lines, dtype=object).fillna("").to_markdown(index=False, disable_numparse=True)
    )


def growth_figure(grown: pd.DataFrame) -> Figure:
    canvas, (time, memory) = subplots(1, 2, figsize=(8, 3.6))
    for task, points in grown.groupby("task", sort=False):
        name, colour, marker = LOOKS[str(task)]
        for label, part in points.groupby("label", sort=False):
            family = label == "growth"
            look = {"color": colour, "marker": marker, "linestyle": "-" if family else ""}
            if not family:
                look["markerfacecolor"] = "white"
            # The caption says what open markers are: a legend of all would lie on the lines.
            shown = f"{name}: exponent {exponent(points):.2f}" if family else None
            if family and task == "pairwise":
                shown = f"{shown}, of a draw {draw_exponent(points):.2f}"
            time.plot(ratings_of(part), part["seconds"], label=shown, **look)
            memory.plot(ratings_of(part), part["peak_gb"], **look)
    for panel, what in ((time, "seconds"), (memory, "peak memory (GB)")):
        panel.set(xscale="log", yscale="log", xlabel="ratings", ylabel=what)
        plain_log_axis(panel.xaxis)
        plain_log_axis(panel.yaxis)
    if (grown["label"] == "growth").any():
        time.legend(fontsize=7)
    caption = (
        "Time and peak memory against the number of ratings, users growing with them (Netflix' "
        "catalogue and ratings per user). Open markers: the shapes of Netflix and Yahoo! Music Track 1. "
        "MF-ADG learns as it goes, and so takes more draws for a positive the longer the epoch is."
    )
    return Figure(canvas, grown, caption)
