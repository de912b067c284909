"""Which settings are tried: one grid, values beyond its edges, then finer steps around the best.

A grid is a product: every value of a parameter meets the same values of all others. A value beyond an
edge joins its axis, so the product stays whole. Refined points alone do not: no sweep takes them.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

from mnar.models import Setting, Whole

Point = dict[str, Any]
Grid = dict[str, list[Any]]
Known = Mapping[str, Setting]


def grid_points(grid: Grid) -> list[Point]:
    """Every combination; no grid is one point without choice."""
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def edges(grid: Grid, point: Point, known: Known) -> dict[str, int]:
    """Parameters whose value is the smallest (−1) or largest (1) one tried, natural ends apart."""
    found = {}
    for name, value in point.items():
        if not _is_number(value) or len(grid[name]) < 2:
            continue
        if name in known and value in known[name].natural_ends:
            continue
        if value in (min(grid[name]), max(grid[name])):
            found[name] = -1 if value == min(grid[name]) else 1
    return found


def beyond(values: list[Any], side: int, setting: Setting | None) -> Any | None:
    """The value that follows the edge of an axis on one side; None where the search ends.

    The step is the last one of the axis: as a factor, or as a difference where one end is not
    positive. It stops at a natural end. Of a parameter that no method declares, nothing is known.
    """
    if setting is None or not setting.goes_on:
        return None
    near, edge = sorted(values, reverse=side < 0)[-2:]
    value = edge * edge / near if edge > 0 and near > 0 else 2 * edge - near
    for end in setting.natural_ends:
        if (edge - end) * (value - end) < 0:
            value = end
    if isinstance(setting, Whole):
        value = round(value) if round(value) != edge else edge + side
    else:
        value = float(f"{value:.4g}")
    return value if setting.accepts(value) else None


def settings_at(method: Mapping[str, Any], point: Point) -> dict[str, Any]:
    """All settings of a method at a point, with the path of λ that training takes to it.

    The path has the smaller values of the grid in the config, so it depends neither on the order nor on
    the outcome of the search: refined values start from the grid's next smaller one, values beyond
    the grid alone.
    """
    settings = {**method["settings"], **point}
    values = method.get("grid", {}).get("lambda", [])
    if settings.get("converged") and values and min(values) <= settings["lambda"] <= max(values):
        settings["path"] = sorted({value for value in values if value < settings["lambda"]})
    return settings


def in_fold(settings: dict[str, Any], fold: int) -> dict[str, Any]:
    """Settings with the number of the fold in the place of {fold}, where a text has it."""
    return {
        name: value.replace("{fold}", str(fold)) if isinstance(value, str) else value
        for name, value in settings.items()
    }


def refined_points(tried: list[Point], best: Point) -> list[Point]:
    """Combinations halfway from the best point to its neighbours in each numeric direction.

    Halfway is the geometric mean where both ends are positive, else the arithmetic one.
    """
    directions = []
    for name, value in best.items():
        values = sorted({point[name] for point in tried}) if _is_number(value) else [value]
        position = values.index(value)
        around = values[max(position - 1, 0) : position + 2]
        directions.append([value if near == value else _halfway(value, near) for near in around])
    points = [dict(zip(best, values, strict=True)) for values in product(*directions)]
    return [point for point in points if point not in tried]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _halfway(one: float, other: float) -> float:
    middle = (one * other) ** 0.5 if one > 0 and other > 0 else (one + other) / 2
    return float(f"{middle:.4g}")
