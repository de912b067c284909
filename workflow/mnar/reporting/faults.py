"""Models that are no result, marked in every table that shows them."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from mnar import analyses, models
from mnar.reporting import edges
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table

# Another one than that of an edge.
MARK = " ‡"


def faults(results: Results, study: str) -> pd.DataFrame:
    """One row for each method, fold and setting that gave no result."""
    # A study need not be run on every dataset of its paper.
    scores = results.scores(study) if results.methods(study) else pd.DataFrame()
    if "fault" not in scores:
        return pd.DataFrame(columns=["method", "fold", "settings", "fault", "chosen"])
    rows = scores[scores["fault"].astype(str) != ""]
    return rows[["method", "fold", "settings", "fault", "chosen"]].drop_duplicates()


def marked(table: Table, results: Results, studies: Iterable[str]) -> Table:
    """The table with a mark at each method whose chosen setting is no result in some fold, and why."""
    if "method" not in table.shown:
        return table
    shown, notes = table.shown.copy(), list(table.notes)
    for study in studies:
        found = faults(results, study)
        for method, mine in found[found["chosen"] == 1].groupby("method", sort=False):
            names = {method, models.about_entry(str(method), results.config["methods"]).label}
            plain = shown["method"].astype(str).str.removesuffix(f" {edges.MARK}")
            here = plain.isin(names)
            if here.any():
                shown.loc[here, "method"] += MARK
                notes += [_note(study, row) for row in mine.itertuples(index=False)]
        if "settings" in shown:
            notes += [
                _note(study, row) for row in found[found["chosen"] != 1].itertuples(index=False)
            ]
    return replace(table, shown=shown, notes=list(dict.fromkeys(notes)))


def left_out(results: Results, study: str, analysis: str) -> list[str]:
    """A note on the methods that an analysis passes over, if any: their chosen models have diverged."""
    found = faults(results, study)
    rows = found[(found["chosen"] == 1) & (found["fault"] == models.DIVERGED)]
    entries = results.config.get("methods", {})
    diverged = {name: models.module_in(entries[name], name) for name in rows["method"].unique()}
    gone = analyses.load(analysis).methods(diverged)
    return [f"Left out, since the model has diverged: {', '.join(gone)}."] if len(gone) else []


def _note(study: str, row: tuple) -> str:
    method, fold, settings, fault, _ = row
    return f"‡: no result of {method} ({study}, fold {fold}, {settings}): {fault}."
