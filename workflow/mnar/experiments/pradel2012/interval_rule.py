"""The interval rule of pradel2012 against choosing by one measure."""

from typing import Any

import numpy as np
import pandas as pd

from mnar.experiments.pradel2012 import METHOD
from mnar.experiments.pradel2012.all_models import WEIGHT, Grid, grid_of, label
from mnar.experiments.pradel2012.cells import OVER_USERS, table_row
from mnar.reporting.edges import note, with_mark
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table, with_error
from mnar.statistics.bootstrap import interval
from mnar.statistics.comparison import mean_and_error
from mnar.tuning import choice as selection

RULES = (selection.INTERVAL, "auc", "auc_aman", "recall@10")


def interval_rule(results: Results) -> Table:
    """Each rule chooses in each run from user-selected ratings; AUC_rand judges the choice."""
    grid = grid_of(results, METHOD)
    judges = grid.known("auc_rand", "auc_complete") or grid.known("auc", "auc_aman", "recall@10")
    chosen = {rule: _chosen_by(grid, rule) for rule in RULES}
    rows = []
    for judge in judges:
        rows += _judged(grid, results, judge, chosen)
    tidy = pd.DataFrame(rows)
    lines = []
    for row in tidy.itertuples():
        weights = f"{row.missing_weight:g} ({row.smallest_weight:g} to {row.largest_weight:g})"
        lost = f"{row.loss:.2f} [{row.loss_low:.2f}, {row.loss_high:.2f}]"
        more = f"{row.gain:+.2f} [{row.gain_low:+.2f}, {row.gain_high:+.2f}]"
        if row.rule == selection.INTERVAL:
            more = "–"
        numbers = [text.replace("-", "−") for text in (lost, more)]
        reached = with_error(row.mean, row.sem, 2)
        weights = with_mark(weights, row.edge)
        lines.append([label(row.measure), _rule_name(row.rule), weights, reached, *numbers])
    columns = ["judged by", "chosen by", "w_m", "reached, %", "loss to the best", "interval − this"]
    notes = [
        "Each rule chooses per run from the validation ratings alone; w_m: median and range over "
        f"{grid.n_runs} runs. Loss: against the model with the best mean in the whole grid.",
        "Interval: w_m at the geometric middle of the optima by AUC and by AUC-AMAN, λ best there by "
        "their sum.",
        OVER_USERS,
    ]
    if not grid.truth:
        notes.append("No randomly selected ratings here, so the right weight is unknown.")
    at_edge = {rule: grid.edge_of(*points.values()) for rule, points in chosen.items()}
    notes += note(f"{_rule_name(rule)}: {edge}" for rule, edge in at_edge.items() if edge)
    caption = f"Choosing the model from user-selected ratings on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def _judged(
    grid: Grid, results: Results, judge: str, chosen: dict[str, dict[int, int]]
) -> list[dict[str, Any]]:
    """The value of each rule's choice by one measure, against the best and the interval rule."""
    best = grid.best(judge)
    by_run = grid.by_run(judge)
    reached = {
        rule: np.array([by_run.loc[run, point] for run, point in points.items()])
        for rule, points in chosen.items()
    }
    sampled = {rule: grid.samples_by_run(judge, points) for rule, points in chosen.items()}
    rows = []
    for rule, points in chosen.items():
        mean, sem = mean_and_error(reached[rule])
        loss = interval(grid.samples(judge, [best])[:, 0] - sampled[rule])
        gain = interval(sampled[selection.INTERVAL] - sampled[rule])
        weights = [grid.weight_of(point) for point in points.values()]
        row = table_row(results, grid.method, judge, mean, None) | {"sem": sem, "n": grid.n_runs}
        row |= {
            "rule": rule,
            WEIGHT: float(np.median(weights)),
            "smallest_weight": min(weights),
            "largest_weight": max(weights),
            "best_weight": grid.weight_of(best),
            # In some run.
            "edge": grid.edge_of(*points.values()),
            "loss": grid.means.loc[best, judge] - mean,
            "loss_low": loss[0],
            "loss_high": loss[1],
            # Of the interval rule over this one.
            "gain": float(reached[selection.INTERVAL].mean() - mean),
            "gain_low": gain[0],
            "gain_high": gain[1],
        }
        rows.append(row)
    return rows


def _rule_name(rule: str) -> str:
    return "interval" if rule == selection.INTERVAL else label(rule)


def _chosen_by(grid: Grid, rule: str) -> dict[int, int]:
    """The point that a rule takes in each run."""
    points = list(grid.points.index)
    settings = grid.points.to_dict("records")
    found = {}
    for run, table in grid.runs.groupby("fold"):
        values = table.droplevel("fold").loc[points]
        scores = {m: values[m].to_numpy() for m in selection.needed(rule)}
        found[int(run)] = points[selection.choose(settings, scores, rule)]
    return found
