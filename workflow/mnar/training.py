"""One fold of one method: train every setting of its grid, score each, choose on validation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar import measures, models, search
from mnar.factor_model import FactorModel
from mnar.measures import Average, Context, UserValues
from mnar.ratings import Ratings
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION, Split
from mnar.view import View


@dataclass(frozen=True)
class Fold:
    """What a fold trains on and is scored on, as matrices."""

    train: Ratings
    fold_in: Ratings | None
    # A user's own ratings that the model has seen: not candidates under `unseen`.
    seen: Ratings
    sets: dict[str, Ratings]
    contexts: dict[str, Context]

    @classmethod
    def of(cls, view: View, split: Split, complete: Ratings | None = None) -> "Fold":
        roles = split.roles
        sets = {
            "validation": view.matrix(roles == VALIDATION),
            "test": view.matrix(roles == TEST),
            "train": view.matrix(roles == TRAIN),
            "random": view.random_matrix(split.random),
        }
        if complete is not None:
            sets["complete"] = complete
        folded = roles == FOLD_IN
        positives = np.bincount(
            view.ratings.item[view.ratings.relevant], minlength=view.shape[1]
        ).astype(np.int64)
        rated = np.bincount(view.ratings.item, minlength=view.shape[1])
        head = measures.head_items(rated)
        contexts = {name: Context(positives, head, _drawn(split, name)) for name in sets}
        return cls(
            sets["train"],
            view.matrix(folded) if folded.any() else None,
            view.matrix((roles == TRAIN) | folded),
            sets,
            contexts,
        )


def _drawn(split: Split, name: str) -> tuple[NDArray, NDArray] | None:
    """Users and items of the pairs that a set's held-out ones are told apart from (track2)."""
    mine = split.drawn_role == {"validation": VALIDATION, "test": TEST}.get(name)
    return (split.drawn_user[mine], split.drawn_item[mine]) if mine.any() else None


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
    sets = study["sets"]
    outcome = Outcome([], -1)
    best: FactorModel | None = None
    best_score = -np.inf

    def score(model: FactorModel, point: int, candidates: str, name: str, which: list[str]) -> None:
        held_out = fold.sets[name]
        if not len(held_out.items):
            return
        seen = None if candidates == "all" or name == "train" else fold.seen
        values = measures.evaluate(model, held_out, seen, which, fold.contexts[name], threads)
        outcome.scores.setdefault((point, candidates, name), {}).update(values)

    def try_points(points: list[search.Point]) -> None:
        nonlocal best, best_score
        for settings, model in zip(
            points, _models(fold, method, points, seed, threads), strict=True
        ):
            point = len(outcome.points)
            outcome.points.append(settings)
            for name in sets:
                score(model, point, first, name, study["measures"])
            reached = _validation_score(
                outcome, point, first, method["select_by"], study["average"]
            )
            if outcome.chosen < 0 or reached > best_score:
                outcome.chosen, best, best_score = point, model, reached

    try_points(search.grid_points(method["grid"]))
    for _ in range(method["refine"]):
        try_points(search.refined_points(outcome.points, outcome.points[outcome.chosen]))

    assert best is not None
    extra = study.get("chosen_measures", [])
    for candidates in study["candidates"]:
        for name in sets:
            known = study["measures"] if candidates != first else []
            if known or extra:
                score(best, outcome.chosen, candidates, name, [*known, *extra])
    # Nothing is drawn against training items.
    without_drawn = [measure for measure in study["measures"] if measure != "track2_error"]
    score(best, outcome.chosen, "all", "train", without_drawn)
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
