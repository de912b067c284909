"""Tables of searches: the chosen settings, and every setting tried."""

import json
from collections.abc import Collection

import pandas as pd

from mnar import measures
from mnar.reporting.edges import MARK, joined
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table, number
from mnar.tuning import choice as selection


def chosen_table(results: Results, study: str) -> Table:
    entry = results.config["studies"][study]
    validation = _validation(results, study)
    rows = validation[(validation["chosen"] == 1) & (validation["settings"] != "{}")]
    tidy = pd.DataFrame(
        {
            "dataset": results.dataset,
            "study": study,
            "method": rows["method"],
            "fold": rows["fold"],
            "settings": rows["settings"],
            "edge": rows["edge"],
            "measure": rows["measure"],
            "mean": rows["score"],
        }
    ).reset_index(drop=True)
    lines = []
    for (method, settings), group in tidy.groupby(["method", "settings"], sort=False):
        folds = ", ".join(str(fold) for fold in group["fold"])
        edge = joined(group["edge"])
        measure = measures.label(group["measure"].iloc[0])
        by_rule = results.select_by(study, str(method)) == selection.INTERVAL
        select_by = f"interval rule ({measure} shown)" if by_rule else measure
        mean = number(group["mean"].mean())
        lines.append([method, _plain(settings, edge.split()), folds, select_by, mean])
    columns = ["method", "settings", "in folds", "chosen by", "validation"]
    notes = [
        "Chosen per fold on the validation items alone. A search goes on beyond its edges up to a "
        f"bound; a parameter that is still at an edge ({MARK}) may have its optimum beyond it.",
        f"Candidates: {entry['candidates'][0]}; average over {entry['average']}s.",
    ]
    caption = f"Settings chosen on validation, {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def grid_table(results: Results, study: str) -> Table:
    validation = _validation(results, study)
    keys = ["method", "settings", "measure"]
    grouped = validation.groupby(keys, sort=False)
    summary = grouped.agg(
        mean=("score", "mean"), sem=("score", "sem"), n=("score", "count"), times=("chosen", "sum")
    ).reset_index()
    summary = summary[summary["settings"] != "{}"].reset_index(drop=True)
    summary.insert(0, "dataset", results.dataset)
    shown = pd.DataFrame(
        {
            "method": summary["method"],
            "settings": [_plain(text) for text in summary["settings"]],
            "measure": [measures.label(m) for m in summary["measure"]],
            "validation": [number(value) for value in summary["mean"]],
            "folds": summary["n"],
            "chosen in folds": summary["times"],
        }
    )
    caption = f"Every setting tried on {results.dataset}, mean over folds on validation."
    return Table(summary, shown, caption, [f"{len(summary)} settings."])


def _validation(results: Results, study: str) -> pd.DataFrame:
    entry = results.config["studies"][study]
    scores = results.scores(study)
    scores = scores[
        (scores["set"] == "validation") & (scores["candidates"] == entry["candidates"][0])
    ]
    wanted = {m: results.measure_of_choice(study, m) for m in results.methods(study)}
    scores = scores[scores["measure"] == scores["method"].map(wanted)]
    return scores.assign(score=scores[f"{entry['average']}_mean"])


def _plain(settings: str, edges: Collection[str] = ()) -> str:
    """Numbers that a search added are floats, 20.0 beside 10: all are written alike."""
    pairs = json.loads(settings).items()
    return ", ".join(
        (f"{name} {value:.10g}" if isinstance(value, float) else f"{name} {value}")
        + f" {MARK}" * (name in edges)
        for name, value in pairs
    )
