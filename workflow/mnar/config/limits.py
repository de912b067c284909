"""Settings that no method can work with, found before any work: numbers too small, or not whole."""

from collections.abc import Iterator
from typing import Any

from mnar.core.errors import UserError

WHOLE = {"factors": 1, "sweeps": 1, "iterations": 1}
LEAST = {**WHOLE, "lambda": 0, "rate": 0, "missing_weight": 0, "initial_scale": 0, "gamma": 0}


def check(entry: dict[str, Any], key: str) -> None:
    """Settings and grids of an entry, and of its quick version."""
    for name, value, place in _values(entry, key):
        if name not in LEAST:
            continue
        kind = "a whole number" if name in WHOLE else "a number"
        number = isinstance(value, int if name in WHOLE else int | float)
        if not number or isinstance(value, bool) or value < LEAST[name]:
            raise UserError(f"{place}: expected {kind} from {LEAST[name]} up, found {value!r}.")


def _values(entry: dict[str, Any], key: str) -> Iterator[tuple[str, Any, str]]:
    for name, value in entry.get("settings", {}).items():
        yield name, value, f"{key}.settings.{name}"
    grids = entry.get("grid", {})
    for grid in grids if isinstance(grids, list) else [grids]:
        for name, values in grid.items():
            for value in values:
                yield name, value, f"{key}.grid.{name}"
    if isinstance(entry.get("quick"), dict):
        yield from _values(entry["quick"], f"{key}.quick")
