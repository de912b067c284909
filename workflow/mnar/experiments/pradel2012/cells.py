"""Rows and cells that several tables of pradel2012 share."""

from typing import Any

from mnar.experiments.pradel2012.all_models import PENALTY, SAMPLES, WEIGHT, Grid
from mnar.reporting.results import Results
from mnar.statistics.bootstrap import interval
from mnar.statistics.comparison import mean_and_error

OVER_USERS = f"95 % intervals: bootstrap over users, {SAMPLES} samples, runs averaged in each."


def table_row(
    results: Results, method: str, measure: str, mean: float, published: float | None, **more: Any
) -> dict[str, Any]:
    theirs = float("nan") if published is None else published
    row = {"dataset": results.dataset, "method": method, "measure": measure, "mean": mean}
    row |= {"sem": float("nan"), "n": 1, "published": theirs, "difference": mean - theirs}
    return row | more


def model_row(grid: Grid, results: Results, point: int, measure: str, **more: Any) -> dict:
    row = table_row(
        results, grid.method, measure, grid.means.loc[point, measure], more.pop("theirs", None)
    )
    row |= {"sem": grid.sems.loc[point, measure], "n": grid.n_runs}
    row |= {WEIGHT: grid.weight_of(point), PENALTY: grid.points.loc[point, PENALTY]}
    return row | {"edge": grid.edge_of(point)} | more


def difference_row(
    grid: Grid, results: Results, measure: str, first: int, second: int, **more: Any
) -> dict[str, Any]:
    """First minus second model, paired over runs and users."""
    paired = grid.by_run(measure)
    mean, sem = mean_and_error((paired[first] - paired[second]).to_numpy())
    samples = grid.samples(measure, [first, second])
    low, high = interval(samples[:, 0] - samples[:, 1])
    row = table_row(results, grid.method, measure, mean, None) | {"sem": sem, "n": grid.n_runs}
    return (
        row
        | {WEIGHT: grid.weight_of(first), "other_weight": grid.weight_of(second)}
        | {"edge": grid.edge_of(first, second), "low": low, "high": high, **more}
    )


def with_interval(row: Any) -> str:
    """A difference with its interval, in percent points."""
    return f"{row['mean']:+.2f} [{row['low']:+.2f}, {row['high']:+.2f}]".replace("-", "−")
