"""The systems: every point of every method's grid, none chosen."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mnar import models
from mnar.estimators.selected_ratings import Selected
from mnar.matrices.factor_model import FactorModel
from mnar.tuning.search import grid_points


@dataclass(frozen=True)
class System:
    """A method at one setting; `rates` says whether it predicts ratings."""

    name: str
    method: str
    module: str
    settings: dict[str, Any]
    rates: bool


def systems_of(entry: dict[str, Any], known: bool) -> list[System]:
    """All systems of the config; those that need known chances only where these are known."""
    found = []
    for method, about in entry.items():
        for point in grid_points(about.get("grid", {})):
            settings = about.get("settings", {}) | point
            if settings.get("propensities") == "known" and not known:
                continue
            varied = ", ".join(f"{key}={value}" for key, value in point.items())
            name = f"{method} {varied}".strip()
            module = about.get("module", method)
            found.append(System(name, method, module, settings, bool(about.get("rates", False))))
    return found


def train_all(
    systems: list[System], selected: Selected, seed: int, threads: int
) -> Iterator[tuple[System, FactorModel]]:
    """Every system, trained on the training part."""
    for _, group in groupby(systems, key=lambda system: system.method):
        mine = list(group)
        points = [_with_chances(system.settings, selected) for system in mine]
        fitted = models.fit_grid(mine[0].module, selected.train, points, seed, threads)
        yield from zip(mine, fitted, strict=True)


def _with_chances(settings: dict[str, Any], selected: Selected) -> dict[str, Any]:
    """`propensities: known` is the true chance to be in training, (1 − h)α."""
    if settings.get("propensities") != "known" or selected.chances is None:
        return settings
    rated = selected.chances.of(selected.train.items, selected.train.relevant)
    return settings | {"propensities": (1 - selected.share) * rated}
