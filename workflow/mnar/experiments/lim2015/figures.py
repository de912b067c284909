"""Figures of lim2015: its two tables drawn, and what lies behind them."""

import pandas as pd

from mnar import measures
from mnar.core.files import read_csv
from mnar.experiments.lim2015 import MEASURES, PAIR, STUDY
from mnar.reporting.figures import Figure, look_of, plain_log_axis, subplots
from mnar.reporting.results import Results
from mnar.reporting.sweep_figures import missing_weight_figure


def table1_plot(results: Results) -> Figure:

    tidy = results.table(STUDY, "table1")
    tidy = tidy[tidy["measure"].isin(MEASURES)]
    methods = results.methods(STUDY)[::-1]
    canvas, axes = subplots(1, len(MEASURES), figsize=(11, 0.9 + 0.28 * len(methods)), sharey=True)
    for axis, measure in zip(axes, MEASURES, strict=True):
        for place, method in enumerate(methods):
            row = tidy[(tidy["method"] == method) & (tidy["measure"] == measure)].iloc[0]
            colour, marker = look_of(method, results.config["methods"])
            axis.errorbar(row["mean"], place, xerr=row["sem"], fmt=marker, color=colour)
            axis.plot(row["published"], place, "d", mfc="none", mec="black", ms=7)
        axis.set_title(measures.label(measure))
        axis.margins(x=0.1)
        axis.locator_params(axis="x", nbins=4)
    axes[0].set_yticks(range(len(methods)), methods)
    canvas.supxlabel("mean over folds ± standard error (published: open diamonds)", fontsize=9)
    caption = f"Test performance on {results.dataset}; error bars are standard errors over folds."
    return Figure(canvas, tidy, caption)


def table2_plot(results: Results) -> Figure:

    tidy = results.table(STUDY, "table2")
    groups = {
        "unbiased to missing data": [m for m in MEASURES if measures.unbiased(m)],
        "not unbiased": [m for m in MEASURES if not measures.unbiased(m)],
    }
    methods = results.methods(STUDY)
    canvas, axes = subplots(
        1, 2, figsize=(9.5, 3.6), sharey=True, gridspec_kw={"width_ratios": [3, 2]}
    )
    for axis, (title, names) in zip(axes, groups.items(), strict=True):
        for shift, method in enumerate(methods):
            colour, marker = look_of(method, results.config["methods"])
            rows = tidy[tidy["method"] == method].set_index("measure").loc[names]
            places = [
                i + (shift - (len(methods) - 1) / 2) * 0.8 / len(methods) for i in range(len(names))
            ]
            errors = [rows["mean"] - rows["low"], rows["high"] - rows["mean"]]
            axis.errorbar(
                places, rows["mean"], yerr=errors, fmt=marker, color=colour, ms=4, label=method
            )
        axis.axhline(0, color="black", lw=0.8)
        axis.set_xticks(range(len(names)), [measures.label(m) for m in names])
        axis.set_title(title)
        axis.grid(axis="x", visible=False)
    axes[0].set_ylabel("(validation − test) / test, %")
    axes[1].legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    caption = (
        f"Validation against test on {results.dataset}: UBM measures agree, MAP and NDCG do not. "
        "Bars: 95 % bootstrap intervals over users."
    )
    return Figure(canvas, tidy, caption)


def table1_recall_curve(results: Results) -> Figure:

    chosen = results.chosen(STUDY)
    recalls = chosen[chosen["measure"].str.fullmatch(r"recall@\d+")]
    recalls = recalls.assign(k=recalls["measure"].str[7:].astype(int))
    grouped = recalls.groupby(["method", "k"], sort=True)["value"]
    data = grouped.agg(mean="mean", sem="sem", n="count").reset_index()
    base = recalls[recalls["method"] == PAIR[0]].set_index(["fold", "k"])["value"]
    ours = recalls[recalls["method"] == PAIR[1]].set_index(["fold", "k"])["value"]
    gain = (100 * (ours / base - 1)).groupby("k").agg(["mean", "sem", "count"]).reset_index()
    canvas, (left, right) = subplots(1, 2, figsize=(11, 3.6))
    for method in results.methods(STUDY):
        colour, marker = look_of(method, results.config["methods"])
        rows = data[data["method"] == method]
        left.errorbar(
            rows["k"],
            rows["mean"],
            yerr=rows["sem"],
            color=colour,
            marker=marker,
            ms=4,
            label=method,
        )
    left.set(xscale="log", yscale="log", xlabel="k", ylabel="Recall@k")
    for axis in (left.xaxis, left.yaxis):
        plain_log_axis(axis)
    canvas.legend(*left.get_legend_handles_labels(), loc="outside right upper", fontsize=7)
    colour, marker = look_of(PAIR[1], results.config["methods"])
    right.errorbar(gain["k"], gain["mean"], yerr=gain["sem"], color=colour, marker=marker)
    right.axhline(0, color="black", lw=0.8)
    right.set(xscale="log", xlabel="k", ylabel="gain of MF-ADG over MF-AUC, %")
    gain = gain.rename(columns={"count": "n"}).assign(method="mf-adg over mf-auc, %")
    data = pd.concat([data, gain], ignore_index=True)
    data.insert(0, "dataset", results.dataset)
    caption = (
        f"Recall@k on {results.dataset} (left) and the relative gain of MF-ADG over MF-AUC (right), "
        "mean and standard error over folds."
    )
    return Figure(canvas, data, caption)


def learning_curve(results: Results) -> Figure:

    curve = read_csv(results.file("analyses", STUDY, results.dataset, "learning_curve.csv"))
    keys = ["method", "measure", "iterations"]
    data = (
        curve.groupby(keys, sort=True)
        .agg(
            steps=("steps", "mean"),
            draws=("draws", "mean"),
            mean=("value", "mean"),
            sem=("value", "sem"),
            n=("value", "count"),
        )
        .reset_index()
    )
    shown = [m for m in ("adg", "atop") if m in set(data["measure"])]
    scales = {"iterations": "iterations", "steps": "gradient steps", "draws": "items drawn"}
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
                    label=method,
                )
            axis.set(xscale="log", xlabel=label)
            plain_log_axis(axis.xaxis)
        row[0].set_ylabel(f"{measures.label(measure)} on test")
    for axis in axes[:, 0]:
        axis.axvline(1e6, color="black", lw=0.8, ls=":")
    axes[0, 0].legend(fontsize=8)
    data.insert(0, "dataset", results.dataset)
    caption = (
        f"Learning curves on {results.dataset} at the settings chosen at the paper's budget (dotted "
        "line), against iterations, gradient steps and items drawn: an iteration of MF-ADG is more work."
    )
    return Figure(canvas, data, caption)


def missing_weight(results: Results) -> Figure:

    return missing_weight_figure(results, STUDY, (*MEASURES, "auc_aman"))
