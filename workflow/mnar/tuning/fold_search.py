"""One fold of one method: train every setting of its grid, score each, choose on validation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mnar import measures, models
from mnar.core.errors import UserError
from mnar.matrices.factor_model import FactorModel
from mnar.measures import Task, UserValues, evaluate_all
from mnar.splits.fold import Fold
from mnar.tuning import choice as selection
from mnar.tuning import search


@dataclass
class SearchedFold:
    """The scores of every point tried in a fold, and which point was chosen."""

    points: list[search.Point]
    chosen: int
    # (point, candidates, set) -> measure -> per-user values
    scores: dict[tuple[int, str, str], dict[str, UserValues]] = field(default_factory=dict)


def train_fold(
    fold: Fold, method: dict[str, Any], study: dict[str, Any], seed: int, threads: int
) -> SearchedFold:
    """Train and score every point of a method's grid, then finer ones, and choose on validation."""
    searching = _Search(fold, method, study, seed, threads)
    searching.try_points(search.grid_points(method["grid"]))
    found = searching.found
    for _ in range(method["refine"]):
        searching.try_points(search.refined_points(found.points, found.points[found.chosen]))
    searching.score_chosen()
    return found


class _Search:
    """A search as it goes on. The first kind of candidates is the one that settings are chosen by."""

    def __init__(
        self, fold: Fold, method: dict[str, Any], study: dict[str, Any], seed: int, threads: int
    ):
        self.fold, self.method, self.study = fold, method, study
        self.seed, self.threads = seed, threads
        self.candidates = study["candidates"][0]
        self.sets = [name for name in study["sets"] if name in fold.sets]
        self.found = SearchedFold([], -1)
        self.reached: dict[str, list[float]] = {
            measure: [] for measure in selection.needed(method["select_by"])
        }
        # The chosen model; none where the choice fell back on an earlier one, which is trained again.
        self.best: FactorModel | None = None

    def try_points(self, points: list[search.Point]) -> None:
        found = self.found
        for settings, model in zip(points, self._models(points), strict=True):
            point = len(found.points)
            found.points.append(settings)
            self._score(model, point, self.candidates, {n: self._measures(n) for n in self.sets})
            for measure, values in self.reached.items():
                values.append(self._validation_score(point, measure))
            before = found.chosen
            found.chosen = selection.choose(found.points, self.reached, self.method["select_by"])
            if found.chosen != before:
                self.best = model if found.chosen == point else None

    def score_chosen(self) -> None:
        """Take what is measured of the chosen point alone: other candidates, more measures."""
        extra = self.study.get("chosen_measures", [])
        more = {
            candidates: {
                name: [*(self._measures(name) if candidates != self.candidates else []), *extra]
                for name in self.sets
            }
            for candidates in self.study["candidates"]
        }
        # Where users are folded in, those of the training data have no vectors any more.
        if self.fold.fold_in is None:
            context = self.fold.contexts["train"]
            on_train = [name for name in self.study["measures"] if measures.fits(name, context)]
            more.setdefault("all", {})["train"] = on_train
        if not any(which for sets in more.values() for which in sets.values()):
            return
        if self.best is None:
            self.best = next(self._models([self.found.points[self.found.chosen]]))
        for candidates, sets in more.items():
            self._score(self.best, self.found.chosen, candidates, sets)

    def _measures(self, name: str) -> list[str]:
        return self.study.get("set_measures", {}).get(name, self.study["measures"])

    def _score(
        self, model: FactorModel, point: int, candidates: str, asked: dict[str, list[str]]
    ) -> None:
        """Take the measures `asked` of each set that has ratings."""
        fold = self.fold
        sets = {
            name: which for name, which in asked.items() if which and len(fold.sets[name].items)
        }
        tasks = [Task(fold.sets[name], sets[name], fold.contexts[name]) for name in sets]
        seen = None if candidates == "all" else fold.seen
        for name, values in zip(sets, evaluate_all(model, tasks, seen, self.threads), strict=True):
            self.found.scores.setdefault((point, candidates, name), {}).update(values)

    def _models(self, points: list[search.Point]) -> Iterator[FactorModel]:
        name, fold = self.method["module"], self.fold
        if fold.fold_in is not None and not models.can(name, "fold_in"):
            raise UserError(
                f"Method {name} has no fold_in, which gives the evaluation users of this protocol "
                "their vectors; leave the method out of the study or choose another protocol."
            )
        settings = [{**self.method["settings"], **point} for point in points]
        fitted = models.fit_grid(name, fold.train, settings, self.seed, self.threads)
        for point, model in zip(settings, fitted, strict=True):
            if fold.fold_in is not None:
                model = models.load(name).fold_in(model, fold.fold_in, point, self.threads)
            yield model

    def _validation_score(self, point: int, measure: str) -> float:
        """How good a point is on validation; larger is better, whatever the measure."""
        values = self.found.scores.get((point, self.candidates, "validation"), {}).get(measure)
        if values is None:
            return 0.0
        mean = float(values.mean(self.study["average"]))
        if not np.isfinite(mean):
            return -np.inf
        return mean if measures.higher_is_better(measure) else -mean
