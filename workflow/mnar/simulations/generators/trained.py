"""A generated dataset as an experiment sees it, and the scores of every setting tried on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar import measures
from mnar.data.synthetic import Synthetic
from mnar.matrices.view import Entries, View
from mnar.measures import UserValues
from mnar.simulations.generators import MEASURES, METHODS
from mnar.splits.fold import Fold
from mnar.tuning.fold_search import SearchedFold, train_fold

Floats = NDArray[np.float64]
# What one generated dataset says: numbers, whether something is so, and edges in words.
Row = dict[str, float | bool | str]


def view_of(data: Synthetic, relevant: int, relevant_only: bool = False) -> View:
    """All ratings, those from `relevant` on as relevant; or these alone."""
    settings = data.settings
    chosen = _entries(data.user, data.item, data.rating, data.timestamp, relevant, relevant_only)
    no_times = np.full(len(data.random_user), -1, np.int64)
    at_random = _entries(
        data.random_user, data.random_item, data.random_rating, no_times, relevant, relevant_only
    )
    ids = np.arange(settings.users), np.arange(settings.items)
    return View(*ids, chosen, at_random, np.empty((settings.items, 0), np.int32))


def _entries(
    user: NDArray, item: NDArray, rating: NDArray, time: NDArray, relevant: int, only: bool
) -> Entries:
    is_relevant = rating >= relevant
    keep = is_relevant if only else np.ones(len(user), np.bool_)
    values = rating[keep].astype(np.float32)
    return Entries(user[keep], item[keep], values, is_relevant[keep], time[keep].astype(np.int64))


@dataclass(frozen=True)
class Trained:
    """The scores of every setting tried of a method."""

    outcome: SearchedFold
    candidates: str
    average: Any

    @classmethod
    def on(
        cls, fold: Fold, method: dict[str, Any], study: dict[str, Any], seed: int, threads: int
    ) -> "Trained":
        _refuse_unnamed(method["module"], [*study["measures"], *study.get("chosen_measures", [])])
        usual = {"refine": 0, "beyond_edges": 0, "settings": {}}
        outcome = train_fold(fold, usual | method, study, seed, threads)
        return cls(outcome, study["candidates"][0], study["average"])

    def setting(self, name: str) -> Floats:
        return np.array([point[name] for point in self.outcome.points], float)

    def users(self, name: str, measure: str, point: int) -> UserValues:
        return self.outcome.scores[point, self.candidates, name][measure]

    def scores(self, name: str, measure: str) -> Floats:
        """By setting; in percent, except errors, which are on the scale of the ratings."""
        scale = 1 if measure == "rmse" else 100
        points = range(len(self.outcome.points))
        means = [float(self.users(name, measure, point).mean(self.average)) for point in points]
        return scale * np.array(means)

    def chosen(self, name: str, measure: str) -> float:
        values = self.users(name, measure, self.outcome.chosen)
        return (1 if measure == "rmse" else 100) * float(values.mean(self.average))

    def edge(self, point: int, swept: str = "") -> str:
        """The parameters of a point that lie at an edge of the search, but one that is swept."""
        return " ".join(name for name in self.outcome.edges.get(point, []) if name != swept)

    def among_all(self, name: str, measure: str) -> float:
        """Of the chosen setting, every item a candidate."""
        values = self.outcome.scores[self.outcome.chosen, "all", name][measure]
        return 100 * float(values.mean(self.average))


def at_edges(choices: Mapping[str, tuple[Trained, int]], swept: str = "") -> str:
    """The choices at an edge of their search, by name, each with its parameters there."""
    found = {name: trained.edge(point, swept) for name, (trained, point) in choices.items()}
    return "; ".join(f"{name}: {edge}" for name, edge in found.items() if edge)


def _refuse_unnamed(module: str, names: list[str]) -> None:
    """Raise unless a change of the method and of each measure is seen as one of the grid's results."""
    unnamed = {module} - {*METHODS}
    unnamed |= {*measures.modules_of(names)} - {*measures.modules_of(MEASURES)}
    if unnamed:
        raise ValueError(f"mnar.simulations.generators must also name {sorted(unnamed)}.")
