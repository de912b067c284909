"""Differences that pradel2012 speaks of, each with its interval over users, in percent points.

An array of values is the number itself, then its bootstrap samples, all from the same draws of
users, so that whatever is computed from several of them is paired.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.experiments.pradel2012 import METHOD, MODELS
from mnar.experiments.pradel2012.all_models import SAMPLES, STRATIFIED, Grid
from mnar.reporting.difference_table import shown_differences
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table
from mnar.statistics.bootstrap import interval
from mnar.statistics.correlation import kendall, spearman

Values = NDArray[np.float64]
Rows = Iterator[dict[str, Any]]
DEPTHS = ("recall@5", "recall@20", "recall@50")
MEASURES = ("auc", "auc_aman", "auc_rand", *STRATIFIED)
# Goals in the order in which the paper says that choosing by them costs more.
BY_COST = ("auc_aman", "auc", "recall@10")
KEYS = ["dataset", "fact", "measure", "against", "missing_weight", "other_weight"]


def differences(results: Results) -> Table:
    """Everything that a claim compares: models, points of the curves, optima, orders."""
    # Its own: sums over other batches of points differ in the last digit from those kept before.
    grid = Grid(results, METHOD)
    parts = (_models, _curves, _optima, _tendencies, _strata, _losses)
    tidy = pd.DataFrame([row for part in parts for row in part(grid)])
    tidy = tidy.assign(dataset=results.dataset).reindex(columns=[*KEYS, "mean", "low", "high"])
    tidy = tidy.assign(sem=np.nan, n=grid.n_runs, published=np.nan, difference=np.nan)
    headings = {"fact": "quantity", "missing_weight": "w_m", "other_weight": "other w_m"}
    shown = shown_differences(tidy, {name: name for name in KEYS[1:]} | headings)
    notes = [f"95 % intervals: bootstrap over users, {SAMPLES} samples, runs averaged in each."]
    return Table(tidy, shown, f"Differences with intervals on {results.dataset}.", notes)


def _row(fact: str, values: Values, **where: Any) -> dict[str, Any]:
    low, high = interval(values[1:])
    return {"fact": fact, **where, "mean": float(values[0]), "low": low, "high": high}


def _values(grid: Grid, measure: str, points: list[int]) -> Values:
    """Points × (itself and samples)."""
    itself = grid.means.loc[points, measure].to_numpy()[:, np.newaxis]
    return np.hstack([itself, grid.samples(measure, points).T])


def _models(grid: Grid) -> Rows:
    """The four models of Table 1, two by two, and how each measure orders them."""
    points = list(dict.fromkeys(grid.nearest(*model) for model in MODELS))
    weights = [grid.weight_of(point) for point in points]
    whole = list(grid.points.index)
    for measure in grid.known(*MEASURES):
        values = _values(grid, measure, points)
        for first, second in combinations(range(len(points)), 2):
            pair = {"missing_weight": weights[first], "other_weight": weights[second]}
            yield _row("model − model", values[first] - values[second], measure=measure, **pair)
        if grid.truth and measure != grid.truth:
            for name, which in (("models", points), ("grid", whole)):
                sides = [_values(grid, one, which) for one in (grid.truth, measure)]
                tau = _each(kendall, *sides)
                yield _row(f"Kendall with AUC-rand, {name}", tau, measure=measure)


def _each(statistic, first: Values, second: Values) -> Values:
    return np.array([statistic(a, b) for a, b in zip(first.T, second.T, strict=True)])


def _curves(grid: Grid) -> Rows:
    """Each w_m against w_m = 0, and how far w_m = 0 is below the best."""
    for measure in grid.known("auc", "auc_aman", "recall@10"):
        values = _values(grid, measure, grid.sweep(measure))
        if 0 not in grid.weights:
            return
        nothing = values[grid.weights.index(0)]
        yield _row("best − w_m 0", values.max(axis=0) - nothing, measure=measure)
        for weight, there in zip(grid.weights, values, strict=True):
            if weight > 0:
                gap = there - nothing
                yield _row("w_m − w_m 0", gap, measure=measure, missing_weight=weight)


def _best(grid: Grid, measure: str) -> NDArray[np.int64]:
    """The place of the best w_m along the curve, in each sample."""
    return _values(grid, measure, grid.sweep(measure)).argmax(axis=0)


def _optima(grid: Grid) -> Rows:
    """How far the best w_m of measures are apart: as a ratio, and in steps of the grid."""
    weights = np.array(grid.weights)
    # An optimum at 0 counts as the smallest weight above it, so that no ratio is too large.
    small = np.maximum(weights[_best(grid, "auc")], weights[weights > 0].min())
    for measure in grid.known("auc_aman", "recall@10", *DEPTHS):
        best = weights[_best(grid, measure)]
        yield _row("best w_m / best w_m for AUC", best / small, measure=measure)
    for measure in grid.known(*DEPTHS):
        steps = np.abs(_best(grid, measure) - _best(grid, "recall@10")).astype(float)
        yield _row("steps between best w_m", steps, measure=measure, against="recall@10")


def _tendencies(grid: Grid) -> Rows:
    """Rank correlations along the curves and over the whole grid."""
    for measure in grid.known("auc_aman", "recall@10", *DEPTHS):
        curves = _values(grid, measure, grid.sweep(measure))
        rising = [_rise(curve) for curve in curves.T]
        yield _row(
            "Spearman of w_m and measure up to its optimum", np.array(rising), measure=measure
        )
    heads = _values(grid, "head_10", grid.sweep("head_10"))
    along = np.arange(float(len(heads)))
    tendency = np.array([spearman(along, curve) for curve in heads.T])
    yield _row("Spearman of w_m and head_10", tendency, measure="head_10")
    whole = list(grid.points.index)
    aman = _values(grid, "auc_aman", whole)
    for measure in grid.known(*STRATIFIED):
        rho = _each(spearman, aman, _values(grid, measure, whole))
        yield _row("Spearman with AUC-AMAN over the grid", rho, measure=measure)


def _rise(curve: Values) -> float:
    """Spearman's ρ up to the maximum; 0 where the first point is the maximum: nothing rises."""
    rising = curve[: int(curve.argmax()) + 1]
    return spearman(rising, np.arange(float(len(rising)))) if len(rising) > 1 else 0.0


def _strata(grid: Grid) -> Rows:
    """From one β of stratified recall to the next: w_m and head items of the model it prefers."""
    whole = list(grid.points.index)
    weights = grid.points.loc[whole, "missing_weight"].to_numpy()
    heads = _values(grid, "head_10", whole)
    best = {m: _values(grid, m, whole).argmax(axis=0) for m in grid.known(*STRATIFIED)}
    samples = np.arange(heads.shape[1])
    for first, second in pairwise(best):
        pair = {"measure": second, "against": first}
        yield _row("w_m of the best model", weights[best[second]] - weights[best[first]], **pair)
        gap = heads[best[second], samples] - heads[best[first], samples]
        yield _row("head_10 of the best model", gap, **pair)


def _losses(grid: Grid) -> Rows:
    """Of choosing by one measure over choosing by another, in AUC-rand."""
    if not grid.truth:
        return
    goals = grid.known(*BY_COST)
    values = dict(zip(goals, _values(grid, grid.truth, [grid.best(g) for g in goals]), strict=True))
    for cheap, dear in pairwise(goals):
        gap = values[cheap] - values[dear]
        yield _row("loss − loss", gap, measure=dear, against=cheap)
