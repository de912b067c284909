"""A table of what each contestant measured: shapes side by side, speed with quality."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Cells:
    """The quantity and the quality that a cell shows."""

    quantity: str
    quality: str
    explained: str
    unit: float = 1.0


CELLS = {
    "als": Cells("seconds", "adg", "Seconds; in brackets ADG on held-out ratings."),
    "pairwise": Cells(
        "positives_a_second",
        "adg",
        "In millions; in brackets ADG on held-out ratings. Settings of ours and of LightFM were searched "
        "in as many tries; implicit and RankFM have those that they come with.",
        1e6,
    ),
    "evaluate": Cells("seconds", "recall_100", "Seconds; in brackets recall of the top 100."),
    "dense": Cells("seconds", "recall_100", "Seconds; in brackets recall of the top 100."),
}


def cells_table(found: pd.DataFrame, cells: Cells) -> str:
    """One row a contestant, one column a shape."""
    lines = []
    for contestant, own in found.groupby("contestant", sort=False):
        line = {"": contestant}
        for shape, rows in own.groupby("shape", sort=False):
            line[str(shape)] = _cell(rows.set_index("quantity"), cells)
        lines.append(line)
    table = pd.DataFrame(lines, dtype=object).fillna("")
    return table.to_markdown(index=False, disable_numparse=True)


def _cell(rows: pd.DataFrame, cells: Cells) -> str:
    if "failed" in rows.index:
        return str(rows.loc[["failed"], "value"].iloc[0])
    quality = ""
    if cells.quality in rows.index:
        quality = f" ({float(rows.loc[[cells.quality], 'value'].iloc[0]):.3f})"
    if cells.quantity not in rows.index:
        return (
            f"not within {rows.loc['sweeps', 'value'].removeprefix('more than ')} sweeps{quality}"
        )
    measured = rows.loc[[cells.quantity]].astype({"value": float})
    medians = measured.groupby("threads")["value"].median() / cells.unit
    return " / ".join(f"{value:.3g}" for value in medians) + quality
