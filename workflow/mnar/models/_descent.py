"""Sweeps until the objective has converged, along a path of growing λ.

A model at a large λ is reached from those at the smaller ones before it: from below takes fewer sweeps
than a random start, and from above a search ends in saddle points, since factors that λ has pressed to
zero stay there. Where a path begins and which values it takes is a function of the settings alone
(`path`, put there by the search), so a model trained alone is the model of the search, byte by byte.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Settings = dict[str, Any]
Floats = NDArray[np.floating]
# The vectors of users and items.
Vectors = tuple[Floats, Floats]
# One sweep from some vectors: the new ones, and the objective there.
Sweep = Callable[[Vectors], tuple[Vectors, float]]

# Share of the last step by which a sweep begins ahead: at first, its growth a sweep, and at most.
AHEAD, GROWTH, FURTHEST = 0.5, 1.1, 1.0
# The objective has converged when this number of sweeps in a row lower it by less than the bound.
CALM = 2


def descend(sweep: Sweep, vectors: Vectors, most: int, bound: float) -> Vectors:
    """Sweep until the relative decrease of the objective stays below `bound`, `most` times at most.

    Each sweep begins ahead of the vectors in the direction of the last step (Nesterov's acceleration).
    One that would raise the objective is dropped, and the next begins at the vectors themselves.
    """
    before, value, ahead, calm = vectors, np.inf, AHEAD, 0
    for number in range(most):
        start = tuple(
            now + now.dtype.type(ahead) * (now - old) for now, old in _pairs(vectors, before)
        )
        found, reached = sweep((start[0], start[1]))
        if reached > value:
            before, ahead = vectors, ahead / 2
            continue
        calm = calm + 1 if value - reached <= bound * reached else 0
        # The way of the first sweep is that from any start, and no direction to go on in.
        before = vectors if number else found
        vectors, value, ahead = found, reached, min(GROWTH * ahead, FURTHEST)
        if calm == CALM:
            break
    return vectors


def _pairs(one: Vectors, other: Vectors) -> Iterator[tuple[Floats, Floats]]:
    return zip(one, other, strict=True)


@dataclass
class Reached:
    """Vectors at the end of a path."""

    others: Settings
    path: tuple[float, ...]
    vectors: Vectors


class Beginnings:
    """The vectors that paths begin with, kept as long as nothing but λ and w_m changes."""

    def __init__(self) -> None:
        self.others: Settings = {}
        self.by_penalty: dict[float, Vectors] = {}

    def of(self, settings: Settings, begin: Callable[[Settings], Vectors]) -> Vectors:
        """Those of the first λ in `settings`, made by `begin` once for all w_m."""
        varying = ("lambda", "missing_weight")
        others = {name: v for name, v in settings.items() if name not in varying}
        if others != self.others:
            self.others, self.by_penalty = others, {}
        penalty = settings["lambda"]
        if penalty not in self.by_penalty:
            self.by_penalty[penalty] = begin(settings)
        return self.by_penalty[penalty]


def along_paths(
    points: list[Settings],
    begin: Callable[[Settings], Vectors],
    go_on: Callable[[Settings, Vectors], Vectors],
) -> Iterator[Vectors]:
    """The vectors at each point, whose λ is the last of its path; `begin` gives those before the first.

    What a point has in common with the path of the one before is not trained again.
    """
    kept: list[Reached] = []
    for settings in points:
        others = {name: v for name, v in settings.items() if name not in ("lambda", "path")}
        path = (*settings.get("path", ()), settings["lambda"])
        known = [k for k in kept if k.others == others and k.path == path[: len(k.path)]]
        last = max(known, key=lambda k: len(k.path), default=None)
        if last is None:
            last = Reached(others, (), begin({**others, "lambda": path[0]}))
        # Where a path begins depends on its first λ, so nothing else may go on from there.
        kept = [last] if last.path else []
        for penalty in path[len(last.path) :]:
            vectors = go_on({**others, "lambda": penalty}, last.vectors)
            last = Reached(others, (*last.path, penalty), vectors)
            # The end and the one before it: the next point has either on its path.
            kept = [*kept[-1:], last]
        yield last.vectors
