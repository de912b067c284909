"""The scores of training jobs on disk: means of every setting tried, and values per user.

`<folds>.csv` has one row a fold, point, kind of candidates, set and measure. Its column `step` says how
the point came to be tried, and `edge` names the point's parameters that lie at an edge of the whole
search of the fold, natural ends apart. `<folds>.npz` has the per-user values behind the rows (of the
chosen point, of the best at each value of a swept parameter, too, or of all), for resampling over users.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.files import read_arrays, write_arrays, write_csv
from mnar.measures import UserValues
from mnar.tuning.fold_search import GRID, SearchedFold

COLUMNS = (
    "fold",
    "point",
    "chosen",
    "settings",
    "step",
    "edge",
    "candidates",
    "set",
    "measure",
    "user_mean",
    "pair_mean",
    "users",
    "left_out",
    # Why the point is no result; empty where it is one.
    "fault",
)


def write_scores(path: str | Path, outcomes: dict[int, SearchedFold]) -> None:
    write_csv(path, COLUMNS, score_rows(outcomes))


def score_rows(outcomes: dict[int, SearchedFold]) -> Iterator[list[Any]]:
    """The rows of the score file of some folds."""
    for fold, outcome in outcomes.items():
        for (point, candidates, name), scores in outcome.scores.items():
            settings, chosen = json.dumps(outcome.points[point]), int(point == outcome.chosen)
            step, edges = outcome.steps.get(point, GRID), " ".join(outcome.edges.get(point, []))
            head = [fold, point, chosen, settings, step, edges, candidates, name]
            for measure, values in scores.items():
                means = [repr(float(values.mean(average))) for average in ("user", "pair")]
                counts = [values.n_scored, values.left_out]
                yield [*head, measure, *means, *counts, outcome.faults.get(point, "")]


def write_user_values(path: str | Path, outcomes: dict[int, SearchedFold], which: str) -> None:
    write_arrays(path, user_arrays(outcomes, which))


def user_arrays(outcomes: dict[int, SearchedFold], which: str) -> dict[str, Any]:
    """`which`: "chosen", "swept" or "all" points. Users that no measure scores are left out."""
    arrays: dict[str, Any] = {}
    for fold, outcome in outcomes.items():
        kept = _kept(outcome, which)
        for candidates, name in {key[1:]: None for key in outcome.scores}:
            points = [point for point in kept if (point, candidates, name) in outcome.scores]
            if not points:
                continue
            common = outcome.scores[points[0], candidates, name]
            for point in points[1:]:
                common = {
                    m: v for m, v in common.items() if m in outcome.scores[point, candidates, name]
                }
            weights = np.array([values.weight for values in common.values()])
            users = np.flatnonzero((weights > 0).any(axis=0))
            totals = [
                [outcome.scores[point, candidates, name][m].total[users] for m in common]
                for point in points
            ]
            stem = f"{fold}/{candidates}/{name}"
            arrays[f"{stem}/totals"] = np.array(totals, np.float32)
            arrays[f"{stem}/weights"] = weights[:, users].astype(np.float32)
            arrays[f"{stem}/users"] = users.astype(np.int32)
            arrays[f"{stem}/points"] = np.array(points, np.int32)
            arrays[f"{stem}/measures"] = np.array(list(common))
            arrays[f"{stem}/pooled"] = np.array([values.pooled for values in common.values()])
            arrays[f"{stem}/rooted"] = np.array([values.rooted for values in common.values()])
    return arrays


def _kept(outcome: SearchedFold, which: str) -> list[int]:
    """The points whose values are kept; the chosen one is first, unless all are kept."""
    if which == "all":
        return list(range(len(outcome.points)))
    others = outcome.swept if which == "swept" else []
    return [outcome.chosen, *(point for point in others if point != outcome.chosen)]


@dataclass(frozen=True)
class PerUser:
    """Values of users in one fold, candidates and set: totals[point, measure, user]."""

    users: NDArray[np.int32]
    points: NDArray[np.int32]
    measures: list[str]
    totals: NDArray[np.float32]
    weights: NDArray[np.float32]
    pooled: NDArray[np.bool_]
    rooted: NDArray[np.bool_]

    def values(self, measure: str, point: int | None = None) -> UserValues:
        """The values of one measure; of the first point kept if none is named."""
        row = 0 if point is None else int(np.flatnonzero(self.points == point)[0])
        column = self.measures.index(measure)
        return UserValues(
            self.totals[row, column].astype(np.float64),
            self.weights[column].astype(np.float64),
            pooled=bool(self.pooled[column]),
            rooted=bool(self.rooted[column]),
        )


def read_user_values(paths: Sequence[str | Path]) -> dict[tuple[int, str, str], PerUser]:
    """(fold, candidates, set) -> values per user."""
    found: dict[tuple[int, str, str], PerUser] = {}
    for path in paths:
        arrays = read_arrays(path)
        for stem in dict.fromkeys(key.rsplit("/", 1)[0] for key in arrays):
            fold, candidates, name = stem.split("/")
            parts: dict[str, Any] = {
                key: arrays[f"{stem}/{key}"] for key in PerUser.__dataclass_fields__
            }
            parts["measures"] = [str(measure) for measure in parts["measures"]]
            found[int(fold), candidates, name] = PerUser(**parts)
    return found
