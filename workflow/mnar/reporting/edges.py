"""Choices at an edge of their search: a mark where the number stands, and a list of them all."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from mnar.reporting.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK = "†"
# The end of a caption, where a figure has rings.
RINGS = " Rings: other settings at an edge of their search."


def at_edges(results: Results, study: str) -> dict[str, str]:
    """By method: the parameters that were chosen at an edge, and in how many folds."""
    scores = results.scores(study)
    chosen = scores[scores["chosen"] == 1].drop_duplicates(["method", "fold"])
    found = {}
    for method, rows in chosen.groupby("method", sort=False):
        folds = Counter(name for edges in rows["edge"] for name in edges.split())
        if folds:
            names = [f"{name} in {n} of {len(rows)} folds" for name, n in sorted(folds.items())]
            found[str(method)] = ", ".join(names)
    return found


def marked(results: Results, study: str, method: str) -> str:
    """The name of a method, with a mark if it was chosen at an edge."""
    return f"{method} {MARK}" if method in at_edges(results, study) else method


def edge_notes(results: Results, study: str) -> list[str]:
    """What the mark means, if there is one."""
    found = at_edges(results, study)
    if not found:
        return []
    listed = "; ".join(f"{method}: {parameters}" for method, parameters in found.items())
    return [
        f"{MARK} Chosen at an edge of its search, so the optimum may lie beyond it ({listed}). Natural "
        "ends are no edges."
    ]


def ring_edges(axis: "Axes", rows: pd.DataFrame, x: str) -> None:
    """A ring around the points of a sweep where other settings are at an edge of their search."""
    at_edge = rows[rows["edge"] != ""]
    axis.plot(at_edge[x], at_edge["mean"], "o", mfc="none", mec="black", mew=0.8, ms=9, zorder=5)


def ring_caption(data: pd.DataFrame) -> str:
    """The end of a caption, where a figure has rings."""
    return RINGS if (data["edge"] != "").any() else ""


def joined(edges: Iterable[str]) -> str:
    """The parameters of several rows, each once."""
    return " ".join(sorted(set(" ".join(edges).split())))


def listed(folder: Path) -> list[dict[str, Any]]:
    """Study, method and parameters of each choice at an edge, from all tables of chosen settings."""
    found = []
    for path in sorted(folder.glob("chosen*.csv")):
        chosen = pd.read_csv(path, keep_default_na=False)
        rows = chosen[chosen["edge"] != ""]
        for (study, method), mine in rows.groupby(["study", "method"], sort=False):
            found.append({"study": study, "method": method, "parameters": joined(mine["edge"])})
    return found
