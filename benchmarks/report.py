"""Tables and figures of what was measured: results/bench/summary.md and the figures beside it."""

from pathlib import Path

import numpy as np
import pandas as pd
from growth_figures import growth_figure, growth_table
from ratios import TARGETS, ratio_figure, ratios
from shapes import shape_of
from whole_figures import whole_figure, whole_table

from mnar.core.files import write_text
from mnar.reporting.figure_format import write_figure

TITLES = {
    "als": "Least squares: seconds until the objective is within 0.5 % of the converged one",
    "pairwise": "Pairwise ranking: positives a second, one thread, at most ten draws",
    "evaluate": "Evaluation: all measures on full ranks here, the top 100 there",
    "dense": "The same on a matrix of dense scores",
}


def write_all(folder: Path) -> None:
    """Reads the CSV files of the tasks in `folder`; writes tables and figures of those there are."""
    parts = []
    contests = [file for task in TITLES for file in sorted(folder.glob(f"{task}-*.csv"))]
    if contests:
        measured = pd.concat([pd.read_csv(file) for file in contests], ignore_index=True)
        for task, title in TITLES.items():
            for shape, rows in measured[measured["task"] == task].groupby("shape", sort=False):
                parts += [f"## {title}: {shape}", contest_table(rows)]
        compared = ratios(measured)
        if len(compared):
            write_figure(ratio_figure(compared), folder / "ratios")
            parts = ["## Ratios to reach", target_table(compared), *parts]
    points = sorted(folder.glob("growth-*.csv"))
    if points:
        grown = pd.concat([pd.read_csv(file) for file in points], ignore_index=True)
        grown = grown.sort_values(["task", "shape"], key=in_order, kind="stable")
        write_figure(growth_figure(grown), folder / "growth")
        parts += ["## Growth", growth_table(grown)]
    for file in sorted(folder.glob("whole-*.csv")):
        spent, name = pd.read_csv(file), file.stem.removeprefix("whole-")
        write_figure(whole_figure(spent), folder / f"spent-{name}")
        parts += [f"## Where the time of a run goes: {name}", whole_table(spent)]
    write_text(folder / "summary.md", "\n\n".join(["# Benchmarks", *parts]) + "\n")


def contest_table(rows: pd.DataFrame) -> str:
    """One line for each contestant: median (smallest to largest) of what was repeated."""
    lines = []
    for contestant, own in rows.groupby("contestant", sort=False):
        line = {"contestant": contestant}
        for (quantity, threads), found in own.groupby(["quantity", "threads"], sort=False):
            name = str(quantity).replace("_", " ")
            if quantity == "same_bits":
                continue
            label = f"{name}, {threads} thread{'s' * (threads > 1)}" if threads else name
            line[label] = _spread(found["value"])
        lines.append(line)
    same = rows.loc[rows["quantity"] == "same_bits", "value"].astype(str)
    text = (
        pd.DataFrame(lines, dtype=object).fillna("").to_markdown(index=False, disable_numparse=True)
    )
    if len(same):
        text += f"\n\nThe same bits on all numbers of threads: {'yes' if (same == 'True').all() else 'NO'}."
    return text


def target_table(compared: pd.DataFrame) -> str:
    lines = []
    for target in TARGETS:
        for _, found in target.of(compared).iterrows():
            lines.append(
                {
                    "what": target.what,
                    "shape": found["shape"],
                    "threads": found["threads"],
                    "against": found["contestant"],
                    "ratio": f"{found['ratio']:.2f} ({found['low']:.2f} to {found['high']:.2f})",
                    "to reach": target.least_at(found["shape"]),
                    "reached": "yes" if found["ratio"] >= target.least_at(found["shape"]) else "no",
                }
            )
    return pd.DataFrame(lines).to_markdown(index=False)


def in_order(column: pd.Series) -> pd.Series:
    """Shapes by their number of ratings; tasks as they are."""
    return column if column.name == "task" else column.map(lambda name: shape_of(name).ratings)


def _spread(values: pd.Series) -> str:
    numbers = pd.to_numeric(values, errors="coerce").to_numpy()
    if np.isnan(numbers).any():
        return str(values.iloc[0])
    if len(numbers) == 1:
        return f"{numbers[0]:.4g}"
    return f"{np.median(numbers):.3g} ({numbers.min():.3g} to {numbers.max():.3g})"
