"""A least-squares blend of all methods of a study, as the teams of kddcup2011 made them (section 5).

A weighted sum of factor models is a factor model: its vectors are the models' vectors side by side.
Where another model is among them, the sum is taken of their scores. Either is scored like any method.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import Model, predict_pairs
from mnar.measures import Task, evaluate_all
from mnar.splits.fold import Fold
from mnar.tuning import scores
from mnar.tuning.chosen_study import Analysed, ChosenStudy
from mnar.tuning.fold_search import SearchedFold

Floats = NDArray[np.float64]
Times = NDArray[np.int64]


def methods(modules: Mapping[str, str]) -> list[str]:
    return list(modules)


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
    """Scores of the blend of all methods, as a training job gives them."""
    if not study.methods:
        raise UserError(
            f"There is nothing to blend in study {study.name} on {study.dataset}: the models of all "
            "methods have diverged; use smaller rates or larger values of lambda."
        )
    outcomes = {}
    for number in range(study.folds):
        fold, seed = study.fold(number), study.fold_seed(number)
        trained = [
            chosen[number].train(fold.train, seed, study.threads)
            for chosen in study.methods.values()
        ]
        model, weights = blend(fold, trained)
        point = {name: float(w) for name, w in zip(study.methods, weights, strict=True)}
        outcomes[number] = _scored(study, fold, model, point)
        print(f"fold {number}: {point}")
    rows = list(scores.score_rows(outcomes))
    return Analysed(scores.COLUMNS, rows, scores.user_arrays(outcomes, "chosen"))


def _scored(study: ChosenStudy, fold: Fold, model: Model, point: dict[str, Any]) -> SearchedFold:
    """The measures of the study, for the candidates that it chooses by."""
    candidates, names = study.settings["candidates"][0], study.settings["sets"]
    measured = [*study.settings["measures"], *study.settings.get("chosen_measures", [])]
    tasks = [Task(fold.sets[name], measured, fold.contexts[name]) for name in names]
    seen = None if candidates == "all" else fold.seen
    outcome = SearchedFold([point], 0)
    values = evaluate_all(model, tasks, seen, study.threads)
    outcome.scores |= {
        (0, candidates, name): found for name, found in zip(names, values, strict=True)
    }
    return outcome


@dataclass(frozen=True)
class FitPairs:
    """Data for fitting weights: pairs and their targets, in groups that have a level each."""

    users: NDArray[np.integer]
    items: NDArray[np.integer]
    targets: Floats
    groups: NDArray[np.integer]
    # When the ratings were given, where that is known.
    times: Times | None = None


def pairs_of(fold: Fold, name: str) -> FitPairs:
    """Ratings to be predicted (Track 1), or items to be told apart (Track 2).

    In Track 2 nothing but the order of a user's six items counts: targets are 1 and 0, and each
    user is a group. Ratings are one group, with one level for all.
    """
    held_out, drawn = fold.sets[name], fold.contexts[name].drawn
    if drawn is None:
        together = np.zeros(len(held_out.items), np.int64)
        values = held_out.values.astype(np.float64)
        return FitPairs(held_out.users, held_out.items, values, together, held_out.times)
    liked = held_out.select(held_out.relevant)
    users = np.concatenate([liked.users, drawn[0]])
    items = np.concatenate([liked.items, drawn[1]])
    targets = np.repeat([1.0, 0.0], [len(liked.items), len(drawn[0])])
    return FitPairs(users, items, targets, users)


def fit_weights(predictions: Floats, pairs: FitPairs) -> tuple[Floats, float]:
    """Weights of the columns of `predictions`, and an offset: least squares in groups."""
    targets = _centred(pairs.targets[:, None], pairs.groups)[:, 0]
    columns = _centred(predictions, pairs.groups)
    # Counts and ratings are of different size: the smallest solution is sought on one scale.
    scale = columns.std(axis=0)
    scale[scale == 0] = 1
    weights = np.linalg.lstsq(columns / scale, targets, rcond=1e-6)[0] / scale
    return weights, float(np.mean(pairs.targets - predictions @ weights))


def _centred(columns: Floats, groups: NDArray[np.integer]) -> Floats:
    """Each column without its mean in each group."""
    counts = np.maximum(np.bincount(groups), 1)
    means = np.array([np.bincount(groups, column) / counts for column in columns.T])
    return columns - means.T[groups]


@dataclass(frozen=True, eq=False)
class WeightedSum:
    """The model whose score is level + Σ weight × score, for models of any kind."""

    models: Sequence[Model]
    weights: Floats
    level: float

    @property
    def n_users(self) -> int:
        return self.models[0].n_users

    @property
    def n_items(self) -> int:
        return self.models[0].n_items

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> Floats:
        return self.level + predictions_of(self.models, users, items) @ self.weights

    def predict_at(
        self, users: NDArray[np.integer], items: NDArray[np.integer], times: Times
    ) -> Floats:
        return self.level + predictions_of(self.models, users, items, times) @ self.weights

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        total = np.full((len(users), self.n_items), self.level)
        for weight, model in zip(self.weights, self.models, strict=True):
            total += weight * model.scores(users)
        return total.astype(np.float32)


def predictions_of(
    models: Sequence[Model],
    users: NDArray[np.integer],
    items: NDArray[np.integer],
    times: Times | None = None,
) -> Floats:
    """A column for each model."""
    columns = [predict_pairs(model, users, items, times=times) for model in models]
    return np.column_stack(columns).astype(np.float64)


def weighted_sum(models: Sequence[Model], weights: Floats, level: float) -> Model:
    """The model whose score is level + Σ weight × score; a factor model where all of them are."""
    factors = [model for model in models if isinstance(model, FactorModel)]
    if len(factors) < len(models):
        return WeightedSum(models, weights, level)
    return FactorModel(
        np.hstack([w * m.user_vectors for w, m in zip(weights, factors, strict=True)]).astype("f4"),
        np.hstack([m.item_vectors for m in factors]),
        sum(w * m.item_bias for w, m in zip(weights, factors, strict=True)).astype("f4"),
        sum(w * m.user_bias for w, m in zip(weights, factors, strict=True)).astype("f4"),
        level + float(sum(w * m.offset for w, m in zip(weights, factors, strict=True))),
    )


def blend(fold: Fold, models: Sequence[Model]) -> tuple[Model, Floats]:
    """The blend whose weights are fitted on validation, and the weights."""
    pairs = pairs_of(fold, "validation")
    weights, level = fit_weights(
        predictions_of(models, pairs.users, pairs.items, pairs.times), pairs
    )
    return weighted_sum(models, weights, level), weights
