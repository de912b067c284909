"""Where the time of a whole run goes, as a table and a figure."""

import pandas as pd
from matplotlib.patches import Rectangle

from mnar.core.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from mnar.reporting.figure_format import Figure, subplots

COLOURS = {
    "parse": GREY,
    "start": ORANGE,
    "compile": PURPLE,
    "read": GREEN,
    "kernel": BLUE,
    "write": RED,
}


def whole_table(spent: pd.DataFrame) -> str:
    kinds = spent.groupby("kind", sort=False)[["jobs", "seconds", "cpu_seconds"]].sum()
    kinds["share"] = (100 * kinds["seconds"] / kinds["seconds"].sum()).map("{:.0f} %".format)
    kinds = kinds.reindex([kind for kind in COLOURS if kind in kinds.index])
    return kinds.round(1).reset_index().to_markdown(index=False)


def whole_figure(spent: pd.DataFrame) -> Figure:
    """A bar for each rule, longest first, coloured by what it mostly does."""
    rows = spent.sort_values("seconds", ascending=False).head(20)
    canvas, panel = subplots(figsize=(6, 0.22 * len(rows) + 1))
    panel.barh(rows["what"], rows["seconds"], color=[COLOURS[kind] for kind in rows["kind"]])
    panel.invert_yaxis()
    panel.set_xlabel("seconds, summed over jobs")
    used = [kind for kind in COLOURS if kind in set(rows["kind"])]
    handles = [Rectangle((0, 0), 1, 1, color=COLOURS[kind]) for kind in used]
    panel.legend(handles, used, loc="lower right")
    caption = (
        "Where the time of the last run went. Start: Python and imports, as measured here, for every "
        "job, and taken off its rule."
    )
    return Figure(canvas, spent, caption)
