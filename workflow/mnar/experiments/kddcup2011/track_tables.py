"""Tables of kddcup2011 on the two tracks: methods, blend, and steps of modelling."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.kddcup2011 import BASELINE, BLEND, TAXONOMY_STEPS, TRACK1, TRACK2
from mnar.experiments.kddcup2011.cells import cell, completed, gain_cell, percent
from mnar.experiments.kddcup2011.factor_sweep import factor_sweep
from mnar.experiments.kddcup2011.track_scores import (
    best_on_validation,
    blend_scores,
    gain_over,
    mean_of,
    score_row,
    scores_of,
    test_variances,
)
from mnar.reporting.edges import at_edges, edge_notes, marked, note, with_mark
from mnar.reporting.faults import left_out
from mnar.reporting.method_rows import merged
from mnar.reporting.results import Results, fold_values
from mnar.reporting.table_format import Table, number
from mnar.statistics.bootstrap import SAMPLES


def track1(results: Results) -> Table:
    """RMSE and R² of every method on the last six ratings of each user."""
    variances = test_variances(results)
    rows = []
    for method in [*results.methods(TRACK1), BLEND]:
        rmse = fold_values(scores_of(results, TRACK1, method), method, "rmse")
        gain = gain_over(results, TRACK1, method, "rmse")
        rows.append(score_row(results, TRACK1, method, "rmse", rmse) | gain)
        rows.append(score_row(results, TRACK1, method, "r2", 1 - rmse**2 / variances))
    tidy = completed(pd.DataFrame(rows))
    lines = []
    for method, mine in tidy.groupby("method", sort=False):
        mine = mine.set_index("measure")
        line = [marked(results, TRACK1, str(method))]
        line += [cell(mine.loc[name]) for name in ("rmse", "r2")]
        lines.append([*line, gain_cell(mine.loc["rmse"])])
        if mine["published"].notna().any():
            theirs = [number(mine.loc[name, "published"]) for name in ("rmse", "r2")]
            lines.append([f"{method}, published", *theirs, ""])
    columns = ["method", "RMSE", "R²", f"RMSE against {BASELINE}"]
    notes = [
        "Mean over folds, standard error in brackets; differences with the 95 % interval of a "
        f"bootstrap over users ({SAMPLES} samples).",
        "R² is the share of the variance of the test ratings that is explained. The blend's weights "
        "are fitted on validation.",
        *edge_notes(results, TRACK1),
    ]
    caption = f"Track 1 on {results.dataset}: test RMSE."
    return merged(Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes))


def track2(results: Results) -> Table:
    """Error, recall and popularity-weighted recall of every method."""
    study = results.config["studies"][TRACK2]
    names = [*study["measures"], *study.get("chosen_measures", [])]
    rows = []
    for method in [*results.methods(TRACK2), BLEND]:
        scores = scores_of(results, TRACK2, method)
        for measure in names:
            row = score_row(results, TRACK2, method, measure, fold_values(scores, method, measure))
            compared = measure == "track2_error"
            rows.append(row | (gain_over(results, TRACK2, method, measure) if compared else {}))
    tidy = completed(pd.DataFrame(rows))
    lines = []
    for method, mine in tidy.groupby("method", sort=False):
        mine = mine.set_index("measure")
        error = mine.loc["track2_error"]
        name = marked(results, TRACK2, str(method))
        line = [name, cell(error), gain_cell(error), percent(error["relative"])]
        lines.append([*line, *(cell(mine.loc[name]) for name in names if name != "track2_error")])
        if pd.notna(error["published"]):
            others = ["–"] * (len(names) + 1)
            lines.append([f"{method}, published", number(error["published"]), *others])
    columns = ["method", "error", f"against {BASELINE}", "change %"]
    columns += [measures.label(name) for name in names if name != "track2_error"]
    notes = [
        "The error is the share of six items, three rated highly and three drawn by popularity, that "
        "are put on the wrong side: 0.5 by chance. Recall with β = 1 weights items inversely to "
        "their number of high ratings; recall ranks all unseen items.",
        "Mean over folds, standard error in brackets; differences with the 95 % interval of a "
        f"bootstrap over users ({SAMPLES} samples).",
        *edge_notes(results, TRACK2),
    ]
    caption = f"Track 2 on {results.dataset}: test error."
    return merged(Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes))


def blend(results: Results) -> Table:
    """The blend against the single method that is best on validation, and its weights."""
    rows, lines, gone = [], [], []
    for study, measure in ((TRACK1, "rmse"), (TRACK2, "track2_error")):
        best = best_on_validation(results, study, measure)
        values = {
            method: fold_values(scores_of(results, study, method), method, measure)
            for method in (best, BLEND)
        }
        for method, scores in values.items():
            rows.append(score_row(results, study, method, measure, scores) | {"weight": np.nan})
        gain = gain_over(results, study, BLEND, measure, best)
        rows[-1] |= gain
        single, blended = pd.Series(rows[-2]), pd.Series(rows[-1])
        name = f"{marked(results, study, best)} (best single)"
        lines.append([measures.label(measure), name, cell(single), "", ""])
        line = [measures.label(measure), BLEND, cell(blended)]
        lines.append([*line, gain_cell(blended), percent(gain["relative"])])
        weights = blend_scores(results, study)["settings"].drop_duplicates().map(json.loads)
        for method, weight in pd.DataFrame(list(weights)).mean().items():
            row = {"dataset": results.dataset, "method": method, "measure": f"{measure} weight"}
            rows.append(row | {"mean": weight, "n": len(weights)})
        gone += edge_notes(results, study, [best]) + left_out(results, study, BLEND)
    columns = ["measure", "method", "test", "against best single", "change %"]
    notes = [
        "Weights by least squares on validation: of ratings in Track 1, of 1 (rated highly) and 0 "
        "(drawn) within each user in Track 2; the weights, mean over folds, are in the CSV.",
        f"Differences with the 95 % interval of a bootstrap over users ({SAMPLES} samples).",
        *gone,
    ]
    caption = f"Least-squares blend of all methods on {results.dataset}."
    return Table(
        completed(pd.DataFrame(rows)), pd.DataFrame(lines, columns=columns), caption, notes
    )


def steps(results: Results) -> Table:
    """How much a step of modelling changes RMSE, and how much the Track 2 error."""
    rows: list[tuple] = []
    sweep = factor_sweep(results)
    for method, mine in sweep.groupby("method", sort=False):
        # A value that only some folds tried is the mean of others than its neighbour.
        mine = mine[mine["n"] == mine["n"].max()].sort_values("factors")
        for before, after in pairwise(mine.itertuples()):
            step = f"{before.factors:g} to {after.factors:g} factors"
            sides = (before.mean, after.mean, before.edge, after.edge)
            rows.append((step, method, mine["measure"].iloc[0], *sides))
    for study, measure in ((TRACK1, "rmse"), (TRACK2, "track2_error")):
        best = best_on_validation(results, study, measure)
        found = at_edges(results, study)
        for step, pair in {**TAXONOMY_STEPS[study], "blend": (best, BLEND)}.items():
            if set(pair) <= {*results.methods(study), BLEND}:
                values = [mean_of(results, study, method, measure) for method in pair]
                edges = [found.get(method, "") for method in pair]
                rows.append((step, f"{pair[1]} after {pair[0]}", measure, *values, *edges))
    columns = ["step", "method", "measure", "before", "after", "before_edge", "after_edge"]
    tidy = pd.DataFrame(rows, columns=columns)
    tidy["mean"] = 100 * (tidy["after"] / tidy["before"] - 1)
    tidy = completed(tidy.assign(dataset=results.dataset, sem=np.nan, n=1))
    lines, at_edge = [], []
    for row in tidy.itertuples():
        pairs = ((row.before, row.before_edge), (row.after, row.after_edge))
        cells = [with_mark(number(value), edge) for value, edge in pairs]
        lines.append([row.step, measures.label(row.measure), row.method, *cells, percent(row.mean)])
        at_edge += [f"{row.method}, {row.step}: {edge}" for _, edge in pairs if edge]
    columns = ["step", "measure", "method", "before", "after", "change %"]
    medians = tidy["mean"].abs().groupby(tidy["measure"]).median()
    notes = [
        "Test values, settings tuned on validation before and after the step. Median size of the "
        + ", of the ".join(f"{measures.label(m)} changes: {v:.2f} %" for m, v in medians.items())
        + ".",
        *note(at_edge),
    ]
    caption = f"Steps of modelling on {results.dataset}: their effect on RMSE and on Track 2 error."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)
