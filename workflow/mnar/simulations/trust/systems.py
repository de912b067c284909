"""The systems: every point of every method's grid, none chosen."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mnar import models
from mnar.estimators.selected_ratings import Selected
from mnar.matrices.model import Model
from mnar.tuning.search import grid_points

# Where mf-ips gets chances by itself.
FROM_COUNTS = "popularity"


@dataclass(frozen=True)
class System:
    """A method at one setting; `rates` says whether it predicts ratings."""

    name: str
    method: str
    module: str
    settings: dict[str, Any]
    rates: bool


def chances_in(selected: Selected) -> list[str]:
    """Where systems may get chances of being rated from, beside what they train on."""
    there = {"known": selected.chances, "published": selected.published}
    return [name for name, chances in there.items() if chances is not None]


def systems_of(entry: dict[str, Any], chances: Collection[str]) -> list[System]:
    """All systems of the config; those that train with chances only where there are these."""
    found = []
    for method, about in entry.items():
        for point in grid_points(about.get("grid", {})):
            settings = about.get("settings", {}) | point
            if settings.get("propensities", FROM_COUNTS) not in (FROM_COUNTS, *chances):
                continue
            varied = ", ".join(f"{key}={value}" for key, value in point.items())
            name = f"{method} {varied}".strip()
            module = about.get("module", method)
            found.append(System(name, method, module, settings, bool(about.get("rates", False))))
    return found


def train_all(
    systems: list[System], selected: Selected, seed: int, threads: int
) -> Iterator[tuple[System, Model]]:
    """Every system, trained on the training part."""
    for _, group in groupby(systems, key=lambda system: system.method):
        mine = list(group)
        points = [_with_chances(system.settings, selected) for system in mine]
        fitted = models.fit_grid(mine[0].module, selected.train, points, seed, threads)
        yield from zip(mine, fitted, strict=True)


def twins_of(systems: Sequence[System]) -> dict[str, str]:
    """Of each system that corrects in training, the one that does not and else has its settings."""

    def rest(system: System) -> dict[str, Any]:
        own = ("gamma", "clip", "propensities")
        return {key: value for key, value in system.settings.items() if key not in own}

    plain = [system for system in systems if system.module == "observed-only"]
    weighed = [system for system in systems if system.module == "mf-ips"]
    return {one.name: other.name for one in weighed for other in plain if rest(one) == rest(other)}


def _with_chances(settings: dict[str, Any], selected: Selected) -> dict[str, Any]:
    """`propensities: known` is the true chance to be in training, (1 − h)α; or with a published α."""
    train, kind = selected.train, settings.get("propensities")
    if kind == "known" and selected.chances is not None:
        rated = selected.chances.of(train.items, train.relevant)
    elif kind == "published" and selected.published is not None:
        rated = selected.published[train.users, train.items]
    else:
        return settings
    return settings | {"propensities": (1 - selected.share) * rated}
