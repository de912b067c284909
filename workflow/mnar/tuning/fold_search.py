"""One fold of one method: train every setting of its grid, score each, choose on validation."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mnar import measures, models
from mnar.core.errors import UserError
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import Diverged
from mnar.matrices.ratings import Ratings
from mnar.measures import Task, UserValues, evaluate_all
from mnar.splits.fold import Fold
from mnar.tuning import choice as selection
from mnar.tuning import search

# How a point came to be tried: with the grid, beyond one of its edges, or by refining.
GRID, BEYOND, REFINED = "grid", "beyond", "refined"
UNCHOSEN = "no setting could be chosen: the validation set is empty, so the first one was taken"
# The log of a job gets a line after this number of settings.
TOLD = 10


@dataclass
class SearchedFold:
    """The scores of every point tried in a fold, and which point was chosen."""

    points: list[search.Point]
    chosen: int
    # (point, candidates, set) -> measure -> per-user values
    scores: dict[tuple[int, str, str], dict[str, UserValues]] = field(default_factory=dict)
    # By point: how it came to be tried, and its parameters at an edge of the search.
    steps: dict[int, str] = field(default_factory=dict)
    edges: dict[int, list[str]] = field(default_factory=dict)
    # By point: why its model, or the choice of it, is no result.
    faults: dict[int, str] = field(default_factory=dict)
    # The best point at each value of a swept parameter, refined points apart.
    swept: list[int] = field(default_factory=list)


def train_fold(
    fold: Fold, method: dict[str, Any], study: dict[str, Any], seed: int, threads: int
) -> SearchedFold:
    """Train and score every point of a method's grid, go beyond its edges, refine, and choose.

    The choice is made on validation alone.
    """
    searching = _Search(fold, method, study, seed, threads)
    searching.try_points(search.grid_points(searching.grid), GRID)
    searching.go_beyond_edges(method["beyond_edges"])
    found = searching.found
    found.swept = sorted({best for _, best in searching.best_at_swept_values()})
    for _ in range(method["refine"]):
        fine = search.refined_points(found.points, found.points[found.chosen])
        searching.try_points(fine, REFINED)
    searching.mark_edges()
    searching.score_chosen()
    if len(found.points) > 1 and not searching.validated and found.chosen not in found.faults:
        found.faults[found.chosen] = UNCHOSEN
    return found


class _Search:
    """A search as it goes on. Settings are chosen with the first kind of candidates."""

    def __init__(
        self, fold: Fold, method: dict[str, Any], study: dict[str, Any], seed: int, threads: int
    ):
        self.fold, self.method, self.study = fold, method, study
        self.seed, self.threads = seed, threads
        self.grid = {name: list(values) for name, values in method["grid"].items()}
        self.known = models.about(method["module"]).known
        self.candidates = study["candidates"][0]
        self.sets = [name for name in study["sets"] if name in fold.sets]
        self.found = SearchedFold([], -1)
        self.reached: dict[str, list[float]] = {
            measure: [] for measure in selection.needed(method["select_by"])
        }
        # Whether any setting could be scored on validation.
        self.validated = False
        # The chosen model; none where the choice fell back on an earlier one, which is trained again.
        self.best: FactorModel | None = None

    def go_beyond_edges(self, bound: int) -> None:
        """Try values beyond the edges that an optimum lies at, at most `bound` on each side.

        They join the grid, which is tried as a whole: all values of a swept parameter get the same.
        """
        taken: Counter[tuple[str, int]] = Counter()
        # Without validation data all points are alike, and none is an optimum.
        while any(len(set(values)) > 1 for values in self.reached.values()):
            grown = False
            for name, side in sorted(self._edges_of_optima()):
                value = search.beyond(self.grid[name], side, self.known.get(name))
                if value is None or taken[name, side] == bound:
                    continue
                taken[name, side] += 1
                self.grid[name].append(value)
                grown = True
            if not grown:
                return
            tried = self.found.points
            self.try_points([p for p in search.grid_points(self.grid) if p not in tried], BEYOND)

    def _edges_of_optima(self) -> set[tuple[str, int]]:
        """Edges at the chosen point, and at the best point of each value of a swept parameter."""
        points = self.found.points
        optima = [points[self.found.chosen]]
        for name, best in self.best_at_swept_values():
            optima.append({key: v for key, v in points[best].items() if key != name})
        return {edge for p in optima for edge in search.edges(self.grid, p, self.known).items()}

    def best_at_swept_values(self) -> Iterator[tuple[str, int]]:
        """Each swept parameter with the best point at each of its values."""
        points = self.found.points
        for name in self.study.get("sweeps", []):
            for value in self.grid.get(name, []):
                mine = np.array([point[name] == value for point in points])
                for reached in self.reached.values():
                    yield name, int(np.where(mine, reached, -np.inf).argmax())

    def mark_edges(self) -> None:
        for position, point in enumerate(self.found.points):
            self.found.edges[position] = list(search.edges(self.grid, point, self.known))

    def try_points(self, points: list[search.Point], step: str) -> None:
        found = self.found
        for settings, model in zip(points, self._models(points), strict=True):
            point = len(found.points)
            found.points.append(settings)
            found.steps[point] = step
            fault = models.fault(model)
            if fault is not None:
                found.faults[point] = fault
            self._score(model, point, self.candidates, {n: self._measures(n) for n in self.sets})
            for measure, values in self.reached.items():
                values.append(self._validation_score(point, measure))
            before = found.chosen
            found.chosen = selection.choose(found.points, self.reached, self.method["select_by"])
            if found.chosen != before:
                self.best = model if found.chosen == point else None
            if (point + 1) % TOLD == 0:
                print(f"{point + 1} settings tried")

    def score_chosen(self) -> None:
        """Take the measures of the chosen point alone: other candidates, more measures."""
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
        tasks = []
        for name, which in sets.items():
            task = Task(fold.sets[name], which, fold.contexts[name])
            left_out = measures.lacking(model, task)
            if left_out:
                print(f"{name}: {', '.join(left_out)} left out; not all its ratings are listed.")
                task = replace(task, measures=[m for m in which if m not in left_out])
            tasks.append(task)
        seen = None if candidates == "all" else fold.seen
        for name, values in zip(sets, self._evaluated(model, point, tasks, seen), strict=True):
            self.found.scores.setdefault((point, candidates, name), {}).update(values)

    def _evaluated(
        self, model: FactorModel, point: int, tasks: list[Task], seen: Ratings | None
    ) -> list[dict[str, UserValues]]:
        """The values of each task; of a diverged model none is a number, and the search goes on."""
        try:
            return evaluate_all(model, tasks, seen, self.threads)
        except Diverged:
            self.found.faults[point] = models.DIVERGED
        users, items = len(self.fold.seen.indptr) - 1, self.fold.seen.n_items
        nothing = FactorModel.without_biases(np.zeros((users, 1)), np.zeros((items, 1)))
        evaluated = evaluate_all(nothing, tasks, seen, self.threads)
        return [
            {measure: replace(v, total=v.total * np.nan) for measure, v in values.items()}
            for values in evaluated
        ]

    def _models(self, points: list[search.Point]) -> Iterator[FactorModel]:
        name, fold = self.method["module"], self.fold
        if fold.fold_in is not None and not models.can(name, "fold_in"):
            raise UserError(
                f"Method {name} has no fold_in, which gives the evaluation users of this protocol "
                "their vectors; leave the method out of the study or choose another protocol."
            )
        settings = [search.settings_at(self.method, point) for point in points]
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
        self.validated = True
        return mean if measures.higher_is_better(measure) else -mean
