"""Figures of pradel2012."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from mnar.core.files import read_json
from mnar.core.palette import BLACK, BLUE, GREEN, GREY, ORANGE, RED, SKY
from mnar.experiments.pradel2012 import ALONE, GOALS, METHOD, STUDY
from mnar.experiments.pradel2012.all_models import (
    HEADS,
    PENALTY,
    WEIGHT,
    Grid,
    grid_of,
    label,
)
from mnar.experiments.pradel2012.curve_facts import gains, optima, orders, tendencies
from mnar.experiments.pradel2012.popularity_classes import CLASSES, SOURCES, Popularity, top_share
from mnar.experiments.pradel2012.user_model import draw, sweep
from mnar.reporting.edges import ring_caption, ring_edges
from mnar.reporting.figure_format import Figure, label_ends, subplots
from mnar.reporting.results import Results

COLOURS = {
    "auc": (BLACK, "o"),
    "auc_aman": (SKY, "s"),
    "auc_rand": (RED, "D"),
    "auc_complete": (ORANGE, "v"),
    "recall@10": (GREEN, "^"),
}


def figure1(results: Results) -> Figure:
    """Ratings by class of item, user-selected beside random (section 2.3)."""
    popularity = Popularity(results.view(STUDY), results.dataset)
    shares, facts = popularity.distribution(), popularity.facts()
    rows = [_top_30_percent(results)]
    if results.has_file("data", results.dataset, "truth.npz"):
        rows += _true_ratios(results, popularity)
    facts = pd.concat([facts, pd.DataFrame(rows)], ignore_index=True)
    data = pd.concat([shares, facts], ignore_index=True)
    data.insert(0, "dataset", results.dataset)
    data = _beside_published(results, data)
    colours = {SOURCES[0]: BLUE, SOURCES[1]: ORANGE}
    known = list(dict.fromkeys(shares["source"]))
    canvas, axes = subplots(1, 3, figsize=(9.5, 3), sharey=True)
    class_shares = facts[facts["fact"].isin(["item_share", "rating_share_of_class"])]
    for axis, name in zip(axes, CLASSES, strict=True):
        for number, source in enumerate(known):
            mine = shares[(shares["class"] == name) & (shares["source"] == source)]
            step = np.diff(mine["rating"]).min(initial=1.0)
            width = 0.8 * step / len(known)
            positions = mine["rating"] + (number - (len(known) - 1) / 2) * width
            axis.bar(positions, mine["mean"], width, color=colours[source], label=source)
        items, ratings = class_shares[class_shares["class"] == name]["mean"]
        axis.set_title(f"{name}: {100 * items:.1f} % of items,\n{100 * ratings:.1f} % of ratings")
        axis.set_xlabel("rating")
        axis.set_xticks(sorted(mine["rating"]))
        axis.tick_params(axis="x", labelsize=7 if len(mine) > 6 else 9)
        axis.grid(axis="x", visible=False)
    axes[0].set_ylabel("share of the ratings")
    canvas.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8
    )
    caption = (
        f"Distribution of ratings on {results.dataset} by the popularity of items (counted in the "
        "user-selected ratings)"
    )
    odds = facts[facts["fact"] == "odds_ratio"].set_index("class")
    if len(odds):
        words = [
            f"{name} {odds.loc[name, 'mean']:.2f} [{odds.loc[name, 'low']:.2f}, "
            f"{odds.loc[name, 'high']:.2f}]"
            for name in CLASSES
        ]
        caption += f". Odds of a positive rating, user-selected over random: {', '.join(words)}"
    return Figure(canvas, data, f"{caption}.")


def _top_30_percent(results: Results) -> dict:
    """Over the whole dataset, before the view drops rare items."""
    # Not by polars, which nothing else here needs: pandas has imported Arrow anyway.
    from pyarrow.parquet import read_table

    path = results.file("data", results.dataset, "interactions.parquet")
    items = read_table(path, columns=["item"])["item"]
    counts = items.value_counts().field("counts").to_numpy()
    share = top_share(np.sort(counts)[::-1].astype(np.int64), 0.3)
    return {"fact": "rating_share_of_top_30_percent_of_items", "class": "", "mean": share}


def _true_ratios(results: Results, popularity: Popularity) -> list[dict]:
    """β/α of each class from the truth: as it is estimated, and its plain mean over items."""
    # Imported here, as real data, which have no truth, do without the generator.
    from mnar.data.synthetic import Truth

    truth = Truth.load(results.file("data", results.dataset, "truth.npz"))
    items = popularity.view.item_ids
    positive, alpha, beta = (
        part[items] for part in (truth.probability_positive(), truth.alpha, truth.beta)
    )
    rows = []
    for number, name in enumerate(CLASSES):
        mine = popularity.classes == number
        observed = np.average(beta[mine], weights=1 - positive[mine])
        ratio = observed / np.average(alpha[mine], weights=positive[mine])
        rows.append({"fact": "true_beta_over_alpha", "class": name, "mean": float(ratio)})
        mean = float((beta / alpha)[mine].mean())
        rows.append({"fact": "mean_beta_over_alpha_of_items", "class": name, "mean": mean})
    return rows


def _beside_published(results: Results, data: pd.DataFrame) -> pd.DataFrame:
    """The paper's numbers, in the rows that they belong to."""
    data["published"] = float("nan")
    for row in results.published("pradel2012_anchors").itertuples():
        where = data["class"] == row.condition
        value = row.value
        if row.quantity == "item_share_percent":
            where &= data["fact"] == "item_share"
            value /= 100
        elif row.quantity == "rating_share_percent" and row.condition in CLASSES:
            where &= data["fact"] == "rating_share_of_class"
            value /= 100
        elif row.quantity == "rating_share_percent":
            where = data["fact"] == "rating_share_of_top_30_percent_of_items"
            value /= 100
        elif row.quantity == "five_star_percent":
            source, name = row.condition.rsplit(" ", 1)
            where = (data["source"] == source) & (data["class"] == name) & (data["rating"] == 5)
            value /= 100
        elif row.quantity == "beta_over_alpha":
            where &= data["fact"] == "beta_over_alpha"
        elif row.quantity == "ratings_per_item_head_over_tail":
            where = data["fact"] == "ratings_per_item_head_over_tail"
        else:
            continue
        data.loc[where, "published"] = value
    return data


def figure2(results: Results) -> Figure:
    """Relative change of each measure against w_m, AUC_rand and the truth among them."""
    return _against_weight(results, GOALS)


def figure3(results: Results) -> Figure:
    """The same from user-selected ratings alone, which every dataset has."""
    return _against_weight(results, ALONE)


def _against_weight(results: Results, goals: tuple[str, ...]) -> Figure:
    grid = grid_of(results, METHOD)
    goals = tuple(grid.known(*goals))
    others = [m for m in grid.means if m not in GOALS or m in goals]
    curves = pd.concat([_curve(grid, measure) for measure in others], ignore_index=True)
    best = optima(grid, goals)
    canvas, axes = subplots(
        2, 1, figsize=(7.5, 6), sharex=True, gridspec_kw={"height_ratios": [3, 2]}
    )
    zero = min(weight for weight in grid.weights if weight > 0) / 10
    edges = best.set_index("measure")["missing_weight"].reindex(["auc", "auc_aman"])
    for axis in axes:
        axis.axvspan(*sorted(np.maximum(edges, zero)), color=GREY, alpha=0.15, lw=0)
        axis.axhline(0, color=BLACK, lw=0.6)
    for measure in goals:
        axis = axes[1] if measure.startswith("recall") else axes[0]
        _draw_curve(axis, curves[curves["measure"] == measure], measure, zero)
    axes[0].set_xscale("log")
    for axis in axes:
        _weight_ticks(axis, zero, grid.weights)
    axes[1].set_xlabel("weight of missing ratings, w_m")
    last = curves[curves[WEIGHT] == grid.weights[-1]].set_index("measure")["relative"]
    for axis, recall in zip(axes, (False, True), strict=True):
        axis.set_ylabel("(value − mean) / mean, %")
        shown = [m for m in goals if m.startswith("recall") == recall]
        colours = {label(measure): COLOURS[measure][0] for measure in shown}
        ends = {label(measure): float(last[measure]) for measure in shown}
        label_ends(axis, grid.weights[-1], ends, colours)
    facts = pd.concat([orders(grid), gains(grid), tendencies(grid)], ignore_index=True)
    if set(goals) != set(grid.known(*GOALS)):
        facts = facts[~facts["measure"].str.contains("auc_rand|auc_complete")]
    data = pd.concat(
        [curves.assign(kind="sweep"), _whole_grid(grid, others), facts.assign(kind="fact")],
        ignore_index=True,
    )
    data.insert(0, "dataset", results.dataset)
    where = ", ".join(f"{label(row.measure)} {row.missing_weight:g}" for row in best.itertuples())
    caption = (
        f"Measures on {results.dataset} against the weight of missing ratings, each with its best λ, "
        f"relative to its mean over the curve; bars: standard errors over {grid.n_runs} runs. Stars "
        f"and best w_m: {where}. Grey: between the optima of AUC and AUC-AMAN."
        f"{ring_caption(curves[curves['measure'].isin(goals)])}"
    )
    return Figure(canvas, data, caption)


def _curve(grid: Grid, measure: str) -> pd.DataFrame:
    """A measure at the best λ for each w_m; relative change as in Figure 2 of the paper."""
    points = grid.sweep(measure)
    mean = grid.means.loc[points, measure].to_numpy()
    sem = grid.sems.loc[points, measure].to_numpy()
    middle = mean.mean()
    return pd.DataFrame(
        {
            "measure": measure,
            WEIGHT: [grid.weight_of(point) for point in points],
            PENALTY: grid.points.loc[points, PENALTY].to_numpy(),
            "mean": mean,
            "sem": sem,
            "n": grid.n_runs,
            "relative": 100 * (mean - middle) / middle if middle else np.nan,
            "relative_sem": 100 * sem / middle if middle else np.nan,
            "optimum": [measure not in HEADS and value == mean.max() for value in mean],
            "edge": [grid.edge_in_sweep(point) for point in points],
        }
    )


def _whole_grid(grid: Grid, names: list[str]) -> pd.DataFrame:
    """Every model of the grid by every measure."""
    means = grid.means[names].melt(ignore_index=False, var_name="measure", value_name="mean")
    sems = grid.sems[names].melt(ignore_index=False, value_name="sem")["sem"]
    means = means.assign(sem=sems.to_numpy(), n=grid.n_runs, kind="grid")
    return means.join(grid.points).join(grid.edges).reset_index(drop=True)


def _draw_curve(axis: Axes, rows: pd.DataFrame, measure: str, zero: float) -> None:
    colour, marker = COLOURS[measure]
    positions = rows[WEIGHT].where(rows[WEIGHT] > 0, zero)
    axis.errorbar(
        positions,
        rows["relative"],
        yerr=rows["relative_sem"],
        color=colour,
        marker=marker,
        ms=4,
        label=label(measure),
    )
    best = rows["optimum"]
    axis.plot(
        positions[best], rows["relative"][best], "*", color=colour, ms=14, mec="white", mew=0.7
    )
    ring_edges(axis, rows.assign(position=positions), "position", "relative")


def _weight_ticks(axis: Axes, zero: float, weights: list[float]) -> None:
    """0 has a position of its own left of the log axis."""
    ticks = [t for t in (1e-4, 1e-3, 1e-2, 1e-1, 1) if zero < t <= weights[-1]]
    labels = [f"{t:g}" for t in ticks]
    if weights[0] == 0:
        ticks, labels = [zero, *ticks], ["0", *labels]
    axis.set_xticks(ticks, labels)
    axis.minorticks_off()


def user_model(results: Results) -> Figure:
    """Section 3 on the items of a generated dataset: which ranking a measure prefers."""
    summary = read_json(results.file("data", results.dataset, "summary.json"))
    return draw(sweep(summary["settings"]), results.dataset)
