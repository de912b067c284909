"""Figures of lim2015: its two tables drawn, and the data behind them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from mnar import measures
from mnar.core.files import read_csv
from mnar.core.palette import BLACK
from mnar.experiments.lim2015 import MEASURES, PAIR, STUDY
from mnar.reporting.edges import edge_notes, marked
from mnar.reporting.faults import left_out
from mnar.reporting.figure_format import (
    Canvas,
    Figure,
    family_of,
    look_of,
    plain_log_axis,
    subplots,
)
from mnar.reporting.method_rows import distinct
from mnar.reporting.results import Results
from mnar.reporting.sweep_figures import missing_weight_figure

# In % of MF-AUC.
FAR_BELOW = -70


def table1_plot(results: Results) -> Figure:

    tidy = results.table(STUDY, "table1")
    tidy = tidy[tidy["measure"].isin(MEASURES)]
    methods = distinct(results, STUDY)[::-1]
    canvas, axes = subplots(1, len(MEASURES), figsize=(11, 0.9 + 0.28 * len(methods)), sharey=True)
    for axis, measure in zip(axes, MEASURES, strict=True):
        for position, method in enumerate(methods):
            row = tidy[(tidy["method"] == method) & (tidy["measure"] == measure)].iloc[0]
            colour, marker = look_of(method, results.config["methods"])
            axis.errorbar(row["mean"], position, xerr=row["sem"], fmt=marker, color=colour)
            axis.plot(row["published"], position, "d", mfc="none", mec="black", ms=7)
        axis.set_title(measures.label(measure))
        axis.margins(x=0.1)
        axis.locator_params(axis="x", nbins=4)
    axes[0].set_yticks(range(len(methods)), [marked(results, STUDY, m) for m in methods])
    words = "mean over folds ± standard error" + _diamonds(tidy)
    canvas.supxlabel(words, fontsize=9)
    caption = f"Test performance on {results.dataset}; error bars are standard errors over folds."
    caption = " ".join([caption, *edge_notes(results, STUDY)])
    return Figure(canvas, tidy, caption)


def _diamonds(tidy: pd.DataFrame) -> str:
    return " (published: open diamonds)" if tidy["published"].notna().any() else ""


def table2_plot(results: Results) -> Figure:
    """A column a measure, a line a method: the relative difference with its interval."""
    tidy = results.table(STUDY, "table2")
    names = sorted(MEASURES, key=lambda m: not measures.unbiased(m))
    methods = distinct(results, STUDY)[::-1]
    canvas, axes = subplots(1, len(names), figsize=(11, 1.2 + 0.28 * len(methods)), sharey=True)
    for axis, measure in zip(axes, names, strict=True):
        rows = tidy[tidy["measure"] == measure].set_index("method")
        for position, method in enumerate(methods):
            colour, marker = look_of(method, results.config["methods"])
            row = rows.loc[method]
            gaps = [[row["mean"] - row["low"]], [row["high"] - row["mean"]]]
            axis.errorbar(row["mean"], position, xerr=gaps, fmt=marker, color=colour, ms=4)
            axis.plot(row["published"], position, "d", mfc="none", mec="black", ms=7)
        axis.axvline(0, color="black", lw=0.8)
        kind = "unbiased" if measures.unbiased(measure) else "not unbiased"
        axis.set_title(f"{measures.label(measure)}\n{kind}", fontsize=9)
        axis.locator_params(axis="x", nbins=4)
    axes[0].set_yticks(range(len(methods)), [marked(results, STUDY, m) for m in methods])
    canvas.supxlabel(f"(validation − test) / test, %{_diamonds(tidy)}", fontsize=9)
    caption = (
        f"Validation against test on {results.dataset}: unbiased measures should agree. "
        "Bars: 95 % bootstrap intervals over users. The scales differ."
    )
    caption = " ".join([caption, *edge_notes(results, STUDY)])
    return Figure(canvas, tidy, caption)


def table1_recall_curve(results: Results) -> Figure:
    """Recall@k of every method, relative to MF-AUC: as values the lines lie on each other."""
    chosen = results.chosen(STUDY)
    recalls = chosen[chosen["measure"].str.fullmatch(r"recall@\d+")]
    recalls = recalls.assign(k=recalls["measure"].str[7:].astype(int))
    base = recalls[recalls["method"] == PAIR[0]].set_index(["fold", "k"])["value"]
    there = pd.MultiIndex.from_frame(recalls[["fold", "k"]])
    recalls = recalls.assign(gain=100 * (recalls["value"].to_numpy() / base[there].to_numpy() - 1))
    data = (
        recalls.groupby(["method", "k"], sort=True)
        .agg(
            # No mean where a fold has none: its model has diverged by then.
            mean=("value", _mean_of_all),
            sem=("value", "sem"),
            n=("value", "count"),
            gain=("gain", "mean"),
            gain_sem=("gain", "sem"),
        )
        .reset_index()
    )
    methods = distinct(results, STUDY)
    # Far below all others, they would press the rest into one line.
    far = [m for m in methods if data.loc[data["method"] == m, "gain"].median() < FAR_BELOW]
    near = [method for method in methods if method not in far]
    names = {method: marked(results, STUDY, method) for method in near}
    canvas = _gains_by_family(data, names, results.config["methods"])
    entries = results.config["methods"]
    data = data.assign(
        family=[family_of(method, entries) for method in data["method"]],
        shown=data["method"].isin(near),
    )
    data.insert(0, "dataset", results.dataset)
    left_out = f" Left out, far below: {', '.join(far)}." if far else ""
    caption = (
        f"Recall@k on {results.dataset} relative to {PAIR[0]}, mean and standard error over folds; one "
        "panel for each kind of thing that methods learn from." + left_out
    )
    caption = " ".join([caption, *edge_notes(results, STUDY, near)])
    return Figure(canvas, data, caption)


def _gains_by_family(
    data: pd.DataFrame, methods: Mapping[str, str], entries: Mapping[str, Mapping[str, Any]]
) -> Canvas:
    """One panel a family: more lines than five in one could not be told apart."""
    families = list(dict.fromkeys(family_of(method, entries) for method in methods))
    columns = 2
    lines = -(-len(families) // columns)
    size = (9, 2.7 * lines)
    canvas, axes = subplots(lines, columns, figsize=size, sharex=True, sharey=True, squeeze=False)
    depths = sorted(data["k"].unique())
    for axis, family in zip(axes.flat, families, strict=False):
        axis.axhline(0, color=BLACK, lw=0.6)
        for method, name in methods.items():
            if family_of(method, entries) != family:
                continue
            colour, marker = look_of(method, entries)
            rows = data[data["method"] == method]
            axis.errorbar(
                rows["k"], rows["gain"], yerr=rows["gain_sem"], color=colour, marker=marker, ms=4,
                label=name,
            )  # fmt: skip
        axis.set(xscale="log", title=family)
        axis.set_xticks(depths, [f"{k:g}" for k in depths])
        axis.minorticks_off()
        axis.legend(fontsize=8)
    for axis in list(axes.flat)[len(families) :]:
        axis.set_visible(False)
    canvas.supxlabel("k", fontsize=9)
    canvas.supylabel(f"Recall@k over that of {PAIR[0]}, %", fontsize=9)
    return canvas


def _mean_of_all(values: pd.Series) -> float:
    return float(values.mean(skipna=False))


def learning_curve(results: Results) -> Figure:

    curve = read_csv(results.file("analyses", STUDY, results.dataset, "learning_curve.csv"))
    keys = ["method", "measure", "iterations"]
    data = (
        curve.groupby(keys, sort=True)
        .agg(
            steps=("steps", "mean"),
            draws=("draws", "mean"),
            # No mean where a fold has none: its model has diverged by then.
            mean=("value", _mean_of_all),
            sem=("value", "sem"),
            n=("value", "count"),
        )
        .reset_index()
    )
    shown = [m for m in ("adg", "atop") if m in set(data["measure"])]
    scales = {
        "iterations": "iterations, millions",
        "steps": "gradient steps",
        "draws": "items drawn",
    }
    canvas, axes = subplots(
        len(shown), 3, figsize=(10, 2.6 * len(shown)), sharey="row", squeeze=False
    )
    for row, measure in zip(axes, shown, strict=True):
        for axis, (column, label) in zip(row, scales.items(), strict=True):
            for method in dict.fromkeys(data["method"]):
                colour, marker = look_of(method, results.config["methods"])
                rows = data[(data["method"] == method) & (data["measure"] == measure)]
                axis.errorbar(
                    rows[column],
                    rows["mean"],
                    yerr=rows["sem"],
                    color=colour,
                    marker=marker,
                    ms=4,
                    label=marked(results, STUDY, method),
                )
            axis.set(xscale="log", xlabel=label)
            plain_log_axis(axis.xaxis)
        places = sorted(set(data["iterations"]))
        row[0].set_xticks(places, [f"{place / 1e6:g}" for place in places])
        row[0].set_ylabel(f"{measures.label(measure)} on test")
    for axis in axes[:, 0]:
        axis.axvline(1e6, color="black", lw=0.8, ls=":")
    axes[0, 0].legend(fontsize=8)
    data.insert(0, "dataset", results.dataset)
    caption = (
        f"Learning curves on {results.dataset} at the settings chosen at the paper's budget (dotted "
        "line), against iterations, gradient steps and items drawn: an iteration of MF-ADG is more work."
    )
    gone = data[data["mean"].isna()]["method"].unique()
    ended = [f"No values where a model has diverged: {', '.join(gone)}."] if len(gone) else []
    edges = edge_notes(results, STUDY, set(data["method"]))
    caption = " ".join([caption, *ended, *left_out(results, STUDY, "learning_curve"), *edges])
    return Figure(canvas, data, caption)


def missing_weight(results: Results) -> Figure:

    return missing_weight_figure(results, STUDY, (*MEASURES, "auc_aman"))
