"""One fold of one method: train every setting of its grid, score each, choose on validation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mnar import measures, models
from mnar.matrices.factor_model import FactorModel
from mnar.measures import Average, Task, UserValues, evaluate_all
from mnar.splits.fold import Fold
from mnar.tuning import choice as selection
from mnar.tuning import search


@dataclass
class Outcome:
    """The scores of every point of a fold, and which point was chosen."""

    points: list[search.Point]
    chosen: int
    # (point, candidates, set) -> measure -> per-user values
    scores: dict[tuple[int, str, str], dict[str, UserValues]] = field(default_factory=dict)


def train_fold(
    fold: Fold, method: dict[str, Any], study: dict[str, Any], seed: int, threads: int
) -> Outcome:
    """Train, score, choose. The first kind of candidates is the one that settings are chosen by."""
    first = study["candidates"][0]
    scored = [name for name in study["sets"] if name in fold.sets]
    select_by = method["select_by"]
    outcome = Outcome([], -1)
    reached: dict[str, list[float]] = {measure: [] for measure in selection.needed(select_by)}
    # The chosen model; none where the choice fell on an earlier one, which is trained again.
    best: FactorModel | None = None

    def score(model: FactorModel, point: int, candidates: str, asked: dict[str, list[str]]) -> None:
        """Take the measures `asked` of each set."""
        sets = {
            name: which for name, which in asked.items() if which and len(fold.sets[name].items)
        }
        tasks = [Task(fold.sets[name], sets[name], fold.contexts[name]) for name in sets]
        seen = None if candidates == "all" else fold.seen
        for name, values in zip(sets, evaluate_all(model, tasks, seen, threads), strict=True):
            outcome.scores.setdefault((point, candidates, name), {}).update(values)

    def measures_of(name: str) -> list[str]:
        return study.get("set_measures", {}).get(name, study["measures"])

    def try_points(points: list[search.Point]) -> None:
        nonlocal best
        for settings, model in zip(
            points, _models(fold, method, points, seed, threads), strict=True
        ):
            point = len(outcome.points)
            outcome.points.append(settings)
            score(model, point, first, {name: measures_of(name) for name in scored})
            for measure, values in reached.items():
                values.append(_validation_score(outcome, point, first, measure, study["average"]))
            before = outcome.chosen
            outcome.chosen = selection.choose(outcome.points, reached, select_by)
            if outcome.chosen != before:
                best = model if outcome.chosen == point else None

    try_points(search.grid_points(method["grid"]))
    for _ in range(method["refine"]):
        try_points(search.refined_points(outcome.points, outcome.points[outcome.chosen]))

    extra = study.get("chosen_measures", [])
    more = {
        candidates: {
            name: [*(measures_of(name) if candidates != first else []), *extra] for name in scored
        }
        for candidates in study["candidates"]
    }
    # Where users are folded in, those of the training data have no vectors any more.
    if fold.fold_in is None:
        more.setdefault("all", {})["train"] = [
            measure
            for measure in study["measures"]
            if measures.fits(measure, fold.contexts["train"])
        ]
    if any(which for sets in more.values() for which in sets.values()):
        if best is None:
            best = next(_models(fold, method, [outcome.points[outcome.chosen]], seed, threads))
        for candidates, sets in more.items():
            score(best, outcome.chosen, candidates, sets)
    return outcome


def _models(
    fold: Fold, method: dict[str, Any], points: list[search.Point], seed: int, threads: int
) -> Iterator[FactorModel]:
    settings = [{**method["settings"], **point} for point in points]
    module = models.load(method["module"])
    for point, model in zip(
        settings,
        models.fit_grid(method["module"], fold.train, settings, seed, threads),
        strict=True,
    ):
        if fold.fold_in is not None:
            model = module.fold_in(model, fold.fold_in, point, threads)
        yield model


def _validation_score(
    outcome: Outcome, point: int, candidates: str, measure: str, average: Average
) -> float:
    """How good a point is on validation; larger is better, whatever the measure."""
    values = outcome.scores.get((point, candidates, "validation"), {}).get(measure)
    if values is None:
        return 0.0
    mean = float(values.mean(average))
    if not np.isfinite(mean):
        return -np.inf
    return mean if measures.higher_is_better(measure) else -mean
