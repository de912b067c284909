"""The statements of pradel2012 on curves against w_m, as numbers with intervals over users."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from mnar.experiments.pradel2012 import GOALS
from mnar.experiments.pradel2012.all_models import STRATIFIED, Grid, label
from mnar.statistics.bootstrap import interval
from mnar.statistics.correlation import kendall, spearman

COLUMNS = ("fact", "measure", "mean", "low", "high", "share_of_samples", "share_of_runs")


def optima(grid: Grid, names: Sequence[str]) -> pd.DataFrame:
    """The best w_m for each measure, and where it lies in samples of users and in single runs."""
    rows = []
    for measure in names:
        points = grid.sweep(measure)
        weights = np.array([grid.weight_of(point) for point in points])
        best = int(np.argmax(grid.means.loc[points, measure]))
        sampled = best_in_samples(grid, measure)
        in_runs = best_in_runs(grid, measure)
        low, high = np.quantile(sampled, [0.025, 0.975], method="nearest")
        rows.append(
            {
                "measure": measure,
                "missing_weight": weights[best],
                "lambda": grid.points.loc[points[best], "lambda"],
                "mean": grid.means.loc[points[best], measure],
                "sem": grid.sems.loc[points[best], measure],
                "low_weight": low,
                "high_weight": high,
                "share_of_samples": float((sampled == weights[best]).mean()),
                "share_of_runs": float((in_runs == weights[best]).mean()),
                "edge": grid.edge_of(points[best]),
            }
        )
    return pd.DataFrame(rows)


def best_in_runs(grid: Grid, measure: str) -> np.ndarray:
    """The best w_m in each run, λ as it is best on average."""
    points = grid.sweep(measure)
    table = grid.by_run(measure)[points]
    return np.array([grid.weight_of(point) for point in table.idxmax(axis=1)])


def best_in_samples(grid: Grid, measure: str) -> np.ndarray:
    points = grid.sweep(measure)
    weights = np.array([grid.weight_of(point) for point in points])
    return weights[grid.samples(measure, points).argmax(axis=1)]


def orders(grid: Grid) -> pd.DataFrame:
    """Whether the optima stand in the order the paper says, on average, by samples and by runs."""
    rows = []
    for chain in (
        ("auc", "auc_aman"),
        ("auc", "auc_rand", "auc_aman"),
        ("auc", "auc_complete", "auc_aman"),
        ("auc_aman", "recall@10"),
    ):
        if len(grid.known(*chain)) < len(chain):
            continue
        means = [np.array([grid.weight_of(grid.best(m))]) for m in chain]
        samples = [best_in_samples(grid, m) for m in chain]
        runs = [best_in_runs(grid, m) for m in chain]
        rows.append(
            {
                "fact": "optimum of " + " ≤ ".join(label(m) for m in chain),
                "measure": " ".join(chain),
                "mean": float(_in_order(means)[0]),
                "share_of_samples": float(_in_order(samples).mean()),
                "share_of_runs": float(_in_order(runs).mean()),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _in_order(chain: list[np.ndarray]) -> np.ndarray:
    return np.all([a <= b for a, b in pairwise(chain)], axis=0)


def gains(grid: Grid) -> pd.DataFrame:
    """Differences between points of the curves, with 95 % intervals over users."""
    rows = []

    def add(fact: str, measure: str, first: int, second: int) -> None:
        pair = grid.samples(measure, [first, second])
        low, high = interval(pair[:, 0] - pair[:, 1])
        difference = grid.means.loc[first, measure] - grid.means.loc[second, measure]
        rows.append(
            {"fact": fact, "measure": measure, "mean": difference, "low": low, "high": high}
        )

    for measure in grid.known(*GOALS):
        points = dict(zip(grid.weights, grid.sweep(measure), strict=True))
        best = grid.best(measure)
        positive = max(
            (p for w, p in points.items() if w > 0), key=lambda p: grid.means.loc[p, measure]
        )
        add("best − largest w_m", measure, best, points[grid.weights[-1]])
        if 0 in points:
            add("best w_m above 0 − w_m 0", measure, positive, points[0])
            add("largest w_m − w_m 0", measure, points[grid.weights[-1]], points[0])
    return pd.DataFrame(rows, columns=list(COLUMNS))


def tendencies(grid: Grid) -> pd.DataFrame:
    """Rank correlations along the curves and over the whole grid."""
    rows = []

    def add(fact: str, measure: str, value: float) -> None:
        rows.append({"fact": fact, "measure": measure, "mean": value})

    for measure in grid.known("auc_aman", "recall@5", "recall@10", "recall@20", "recall@50"):
        points = grid.sweep(measure)
        curve = grid.means.loc[points, measure].to_numpy()
        rising = curve[: int(curve.argmax()) + 1]
        add(
            "Spearman of w_m and measure up to its optimum",
            measure,
            spearman(rising, np.arange(float(len(rising)))),
        )
    heads = grid.means.loc[grid.sweep("head_10"), "head_10"].to_numpy()
    add("Spearman of w_m and head_10", "head_10", spearman(heads, np.arange(float(len(heads)))))
    for measure in grid.known(*STRATIFIED):
        rho = spearman(grid.means["auc_aman"].to_numpy(), grid.means[measure].to_numpy())
        add("Spearman with AUC-AMAN over the grid", measure, rho)
        best = grid.best(measure)
        add("w_m of the model that is best by", measure, grid.weight_of(best))
        add("head_10 of the model that is best by", measure, grid.means.loc[best, "head_10"])
    if grid.truth:
        for measure in grid.known("auc", "auc_aman", *STRATIFIED):
            tau = kendall(grid.means[grid.truth].to_numpy(), grid.means[measure].to_numpy())
            add("Kendall with AUC-rand over the grid", measure, tau)
    add("largest |AUC-AMAN − ATOP| of a user over its bound", "auc_aman", _atop_bound(grid))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _atop_bound(grid: Grid) -> float:
    """(N+ − 1)/N−, with N− taken as large as it can be, so the bound as small."""
    point = grid.best("auc_aman")
    items = grid.n_items
    worst = 0.0
    pairs = zip(grid.user_values("auc_aman", point), grid.user_values("atop", point), strict=True)
    for (aman, positives), (atop, _) in pairs:
        several = positives > 1
        bound = (positives - 1) / (items - positives)
        ratio = np.abs(aman - atop)[several] / bound[several]
        worst = max(worst, float(ratio.max(initial=0.0)))
    return worst
