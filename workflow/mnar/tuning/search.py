"""Which settings are tried: a grid, then finer steps around the best of it, all kept."""

from itertools import product
from typing import Any

Point = dict[str, Any]


Grid = dict[str, list[Any]]


def grid_points(grid: Grid | list[Grid]) -> list[Point]:
    """Every combination, of each grid if there are several; no grid is one point without choice."""
    points: list[Point] = []
    for one in grid if isinstance(grid, list) else [grid]:
        found = [dict(zip(one, values, strict=True)) for values in product(*one.values())]
        points += [point for point in found if point not in points]
    return points


def refined_points(tried: list[Point], best: Point) -> list[Point]:
    """Combinations halfway from the best point to its neighbours in each numeric direction.

    Halfway is the geometric mean where both ends are positive, else the arithmetic one.
    """
    directions = []
    for name, value in best.items():
        values = sorted({point[name] for point in tried}) if _is_number(value) else [value]
        place = values.index(value)
        around = values[max(place - 1, 0) : place + 2]
        directions.append([value if near == value else _halfway(value, near) for near in around])
    points = [dict(zip(best, values, strict=True)) for values in product(*directions)]
    return [point for point in points if point not in tried]


def at_edge(tried: list[Point], best: Point) -> list[str]:
    """Names of the parameters whose best value is the smallest or largest one tried."""
    edges = []
    for name, value in best.items():
        if _is_number(value):
            values = {point[name] for point in tried}
            if len(values) > 1 and value in (min(values), max(values)):
                edges.append(name)
    return edges


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _halfway(one: float, other: float) -> float:
    middle = (one * other) ** 0.5 if one > 0 and other > 0 else (one + other) / 2
    return float(f"{middle:.4g}")
