"""Choices at an edge of their search: a mark where the number stands, and a list of them all."""

from collections import Counter
from collections.abc import Collection, Iterable
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
    return with_mark(method, at_edges(results, study).get(method, ""))


def marked_methods(
    shown: pd.DataFrame, results: Results, study: str, columns: Iterable[str] = ("method", "minus")
) -> pd.DataFrame:
    """A table of chosen models with a mark at each method that was chosen at an edge."""
    found = at_edges(results, study)
    named = {column: shown[column] for column in columns if column in shown}
    return shown.assign(
        **{
            column: [with_mark(name, found.get(str(name), "")) for name in names]
            for column, names in named.items()
        }
    )


def edge_notes(results: Results, study: str, shown: Collection[str] | None = None) -> list[str]:
    """What the mark means, if a method has one; or if one of those shown has."""
    found = at_edges(results, study)
    return note(
        f"{method}: {parameters}"
        for method, parameters in found.items()
        if shown is None or method in shown
    )


def note(choices: Iterable[str]) -> list[str]:
    """What the mark means, and which choices have it; nothing without one."""
    listed = "; ".join(dict.fromkeys(choices))
    if not listed:
        return []
    return [
        f"{MARK} Chosen at an edge of its search, so the optimum may lie beyond it ({listed}). Natural "
        "ends are no edges."
    ]


def with_mark(text: str, edges: str) -> str:
    """The text of a cell, with a mark if parameters are at an edge where its number was taken."""
    return f"{text} {MARK}" if edges else text


def ring_edges(axis: "Axes", rows: pd.DataFrame, x: str, y: str = "mean") -> None:
    """A ring around the points of a sweep where other settings are at an edge of their search."""
    at_edge = rows[rows["edge"] != ""]
    axis.plot(at_edge[x], at_edge[y], "o", mfc="none", mec="black", mew=0.8, ms=9, zorder=5)


def ring_caption(data: pd.DataFrame) -> str:
    """The end of a caption, where a figure has rings."""
    return RINGS if (data["edge"] != "").any() else ""


def joined(edges: Iterable[str]) -> str:
    """The parameters of several rows, each once."""
    return " ".join(sorted(set(" ".join(edges).split())))


def without(edges: str, parameter: str) -> str:
    """The other parameters: every value of a swept one is shown, its ends too."""
    return " ".join(one for one in edges.split() if one != parameter)


def only(edges: str, parameter: str) -> str:
    """The parameter where it is among them: a mark beside its own value."""
    return parameter if parameter in edges.split() else ""


def listed(folder: Path) -> list[dict[str, Any]]:
    """Study, method and parameters of each choice at an edge, from all tables of chosen settings."""
    found = []
    for path in sorted(folder.glob("chosen*.csv")):
        chosen = pd.read_csv(path, keep_default_na=False)
        rows = chosen[chosen["edge"] != ""]
        for (study, method), mine in rows.groupby(["study", "method"], sort=False):
            found.append({"study": study, "method": method, "parameters": joined(mine["edge"])})
    return found
