"""Figures 1 to 3 of steck2010."""

import json

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from mnar.core.palette import GREY
from mnar.experiments.steck2010 import ALLRANK, ATOP_TUNED, LISTS, STUDY
from mnar.experiments.steck2010.resampling import resampling_of
from mnar.experiments.steck2010.top_of_list import SAMPLE_TOPK, sampled, top_of_list
from mnar.matrices.view import View
from mnar.reporting.edges import edge_notes, marked, ring_caption, ring_edges
from mnar.reporting.figure_format import Figure, look_of, subplots
from mnar.reporting.results import Results
from mnar.reporting.sweeps import over_folds, searched, sweep
from mnar.statistics.bootstrap import interval

LINES = {"test": "-", "validation": "--"}
NAMES = {"test": "test", "validation": "xv"}


def figure1(results: Results) -> Figure:
    """ATOP against r_m, w_m and λ tuned on xv for each."""
    data = _sweep(results, "imputed")
    data["atop_without_missing"] = _without_missing(results, data["imputed"])
    weights = results.scores(STUDY).query("method == @ALLRANK")["setting.missing_weight"]
    data["smallest_weight"] = weights[weights > 0].min()
    canvas, axis = subplots(figsize=(5, 3.4))
    _curves(axis, data, "imputed")
    mean = data["mean_rating"].iloc[0]
    axis.axvline(mean, color="black", lw=0.8, ls=":")
    axis.annotate(
        f"mean rating {mean:.2f}", (mean, 0.03), xycoords=("data", "axes fraction"), fontsize=8,
        xytext=(-4, 0), textcoords="offset points", ha="right", va="bottom",
    )  # fmt: skip
    axis.set(xlabel="imputed rating $r_m$", ylabel="ATOP")
    axis.legend()
    caption = (
        f"ATOP on {results.dataset} against the rating imputed for missing entries, weight and λ "
        f"tuned on xv at each; test solid, xv dashed, standard errors over seeds.{ring_caption(data)}"
    )
    return Figure(canvas, data, caption)


def figure2(results: Results) -> Figure:
    """ATOP against w_m, r_m and λ tuned on xv for each: whole range, and around the optimum."""
    data = _sweep(results, "missing_weight")
    gains = _gains_over_zero(results)
    best = _optimum(data, "missing_weight")
    canvas, (whole, zoom) = subplots(2, 1, figsize=(5, 5.6))
    for axis in (whole, zoom):
        _curves(axis, data, "missing_weight")
        for value in data.loc[(data["missing_weight"] == 1) & (data["set"] == "test"), "mean"]:
            axis.axhline(value, color=GREY, lw=1, label="test at $w_m$ = 1")
        axis.set(xlabel="weight of missing ratings $w_m$", ylabel="ATOP")
    whole.set_xlim(-0.02, 1.02)
    if best > 0:
        zoom.set_xlim(-0.1 * best, 5 * best)
    zoom.legend(loc="lower right")
    caption = (
        f"ATOP on {results.dataset} against the weight of missing ratings, imputed rating and λ tuned "
        f"on xv at each: whole range (top) and up to five times the optimum {best:g} (bottom); test "
        "solid, xv dashed, standard errors over seeds, test ATOP at weight 1 as a "
        f"line.{ring_caption(data)}"
    )
    return Figure(canvas, pd.concat([data, gains], ignore_index=True), caption)


def _sweep(results: Results, parameter: str) -> pd.DataFrame:
    """The curve over the values that all seeds have tried, and the choice on it."""
    rows = sweep(results, STUDY, ALLRANK, parameter)
    rows = rows[rows["measure"] == "atop"]
    data = over_folds(rows, parameter)
    data = data[data["n"] == rows["fold"].nunique()].reset_index(drop=True)
    others = [name for name in json.loads(rows["settings"].iloc[0]) if name != parameter]
    for name in others:
        found = [
            sorted(
                {json.loads(text)[name] for text in rows.loc[rows[parameter] == value, "settings"]}
            )
            for value in data[parameter]
        ]
        data[f"chosen_{name}"] = [" ".join(f"{one:g}" for one in values) for values in found]
        if name == "missing_weight":
            data["largest_chosen_weight"] = [values[-1] for values in found]
    view = results.view(results.config["studies"][STUDY]["view"])
    data["mean_rating"] = float(view.ratings.rating.mean(dtype=np.float64))
    data["observed_share"] = view.facts["density"]
    data["balancing_weight"] = _balancing_weight(results, view)
    data.insert(0, "method", ALLRANK)
    data.insert(0, "dataset", results.dataset)
    return data


def _balancing_weight(results: Results, view: View) -> float:
    """The w_m at which all missing ratings weigh as much as all those trained on."""
    per_user = results.users(STUDY, ALLRANK)
    sets = [per_user[0, "all", name] for name in ("validation", "test")]
    held_out = sum(part.values("rmse").weight.sum() for part in sets)
    trained = len(view.ratings.rating) - held_out
    return float(trained / (view.shape[0] * view.shape[1] - trained))


def _curves(axis: Axes, data: pd.DataFrame, parameter: str) -> None:
    colour, marker = look_of(ALLRANK)
    for name, line in LINES.items():
        rows = data[data["set"] == name]
        axis.errorbar(
            rows[parameter], rows["mean"], yerr=rows["sem"], color=colour, marker=marker, ms=3.5,
            ls=line, mfc=colour if name == "test" else "white", label=NAMES[name],
        )  # fmt: skip
        ring_edges(axis, rows, parameter)


def _optimum(data: pd.DataFrame, parameter: str) -> float:
    rows = data[data["set"] == "validation"]
    return float(rows.loc[rows["mean"].idxmax(), parameter])


def _without_missing(results: Results, imputed: pd.Series) -> list[float]:
    """Test ATOP of w_m = 0 with the same offset, λ tuned on xv: the plateau, if there is one."""
    scores = searched(results, STUDY, ALLRANK, "imputed")
    scores = scores[(scores["measure"] == "atop") & (scores["setting.missing_weight"] == 0)]
    keys = ["setting.imputed", "fold", "point"]
    wide = scores.pivot_table("pair_mean", keys, "set").reset_index()
    best = wide.loc[wide.groupby(["setting.imputed", "fold"])["validation"].idxmax()]
    means = best.groupby("setting.imputed")["test"].mean()
    return [float(means.get(value, np.nan)) for value in imputed]


def _gains_over_zero(results: Results) -> pd.DataFrame:
    """Test ATOP at each w_m minus that at w_m = 0, with its interval over users; none without 0."""
    rows = sweep(results, STUDY, ALLRANK, "missing_weight")
    rows = rows[(rows["measure"] == "atop") & (rows["set"] == "test")]
    resampling = resampling_of(results, STUDY)
    points = {
        value: dict(zip(part["fold"], part["point"], strict=True))
        for value, part in rows.groupby("missing_weight")
        if part["fold"].nunique() == rows["fold"].nunique()
    }
    scored = rows.set_index(["missing_weight", "fold"])["score"]
    parts = []
    for value in points if 0 in points else ():
        gaps = scored[value] - scored[0]
        spread = resampling.means(ALLRANK, "atop", "test", points[value])
        low, high = interval(spread - resampling.means(ALLRANK, "atop", "test", points[0]))
        parts.append(
            {
                "dataset": results.dataset,
                "method": ALLRANK,
                "missing_weight": value,
                "set": "test",
                "measure": "gain over w_m = 0",
                "mean": gaps.mean(),
                "sem": gaps.sem(),
                "n": len(gaps),
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(parts)


def figure3(results: Results) -> Figure:
    """TOPK against k for every method: the whole list, and its top 2 %."""
    tops = top_of_list(results)
    shares = np.unique(
        np.round(np.concatenate([np.arange(41) / 2000, np.arange(1, 200) / 200, [1]]), 4)
    )
    names = [f"topk({share:g})" for share in shares]
    low, high = tops.differences(ALLRANK, ATOP_TUNED, names)
    parts = []
    for method in results.methods(STUDY):
        values = np.array([tops.by_fold(method, name) for name in names])
        against = [tops.by_fold(method, sampled(share, SAMPLE_TOPK)).mean() for share in shares]
        seeds = values.shape[1]
        part = pd.DataFrame(
            {
                "dataset": results.dataset,
                "method": method,
                "measure": "topk",
                "k": shares,
                "mean": values.mean(axis=1),
                "sem": values.std(axis=1, ddof=1) / np.sqrt(seeds) if seeds > 1 else np.nan,
                "n": seeds,
                "sampled_1001": against,
            }
        )
        if method == ALLRANK:
            ignoring = np.array([tops.by_fold(ATOP_TUNED, name).mean() for name in names])
            part["over_observed_only"] = part["mean"] - ignoring
            part = part.assign(over_observed_only_low=low, over_observed_only_high=high)
        parts.append(part)
    data = pd.concat(parts, ignore_index=True)
    canvas, axes = subplots(2, 1, figsize=(5, 5.8))
    lines = {ALLRANK: "-", ATOP_TUNED: "--", LISTS[2]: "-.", LISTS[0]: ":"}
    for axis, end in zip(axes, (1, 0.02), strict=True):
        for method, line in lines.items():
            rows = data[(data["method"] == method) & (data["k"] <= end)]
            colour, _ = look_of(method, results.config["methods"])
            name = marked(results, STUDY, method)
            axis.plot(100 * rows["k"], rows["mean"], ls=line, color=colour, label=name)
        axis.set(
            xlabel="k, % of the catalogue", ylabel="TOPK(k)", xlim=(0, 100 * end), ylim=(0, None)
        )
    axes[0].legend(fontsize=7, loc="lower right")
    caption = (
        f"TOPK(k) on {results.dataset} (test, mean over seeds) among all items: whole range (top) and the "
        "top 2 % (bottom); missing ratings accounted for (solid) or ignored (dashed), two bestseller lists."
    )
    caption = " ".join([caption, *edge_notes(results, STUDY, lines)])
    return Figure(canvas, data, caption)
