"""Held-out observed items against relevant items never observed (lim2015 section 5)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.data.synthetic import Truth
from mnar.matrices.context import Context
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import View
from mnar.measures import Task, UserValues, evaluate_all
from mnar.simulations.case import Case
from mnar.simulations.theorems._ground_truth import fitted, true_ratings
from mnar.simulations.theorems._observing import ideal_gain
from mnar.simulations.theorems.holdout import MEASURES
from mnar.statistics.bootstrap import SAMPLES, user_samples
from mnar.statistics.paired import Paired

# NDCG times the factor of Theorem 2.
CORRECTED = "ndcg, corrected"

SETTINGS = ("ranking", "users", "unseen")
COLUMNS = (
    "observation",
    "measure",
    "test",
    "unseen",
    "mean",
    "sem",
    "low",
    "high",
    "z",
    "n",
)
# The chance that a relevant item is observed, beside others of the user.
OBSERVATIONS = ("uniform", "popularity")


def rows(case: Case) -> Iterator[dict[str, Any]]:
    """Items never seen are known only with the truth: without it there are no rows."""
    settings = case.settings
    if case.truth is not None:
        yield from unseen_rows(
            case.view,
            case.truth,
            settings["ranking"],
            settings["unseen"],
            settings["users"],
            case.seed,
        )


def unseen_rows(
    view: View,
    truth: Truth,
    ranking: dict[str, Any],
    settings: dict[str, Any],
    users: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Under a uniform observation model, and under the popularity effect of the dataset.

    A share of each user's relevant items is observed, a part of these held out for test; the model
    is trained on the others. Both sets are ranked among all items but the trained ones.
    """
    everything = true_ratings(view, truth, np.arange(view.shape[0]) < users)
    relevant = everything.select(everything.relevant)
    samples = user_samples(view.shape[0], SAMPLES, seed, "unseen")
    for observation in OBSERVATIONS:
        weights = np.ones(len(relevant.items))
        if observation == "popularity":
            weights = truth.alpha[view.item_ids[relevant.items]]
        sides: dict[str, tuple[list[UserValues], list[UserValues]]] = {}
        for draw in range(settings["draws"]):
            random = generator(seed, "unseen", observation, draw)
            train, test, never = _observed(relevant, weights, settings, random)
            model = fitted(ranking, train, seed, draw)
            tasks = [Task(part, MEASURES, Context()) for part in (test, never)]
            scores = evaluate_all(model, tasks, train, 1)
            for measure in MEASURES:
                both = sides.setdefault(measure, ([], []))
                both[0].append(scores[0][measure])
                both[1].append(scores[1][measure])
            both = sides.setdefault(CORRECTED, ([], []))
            both[0].append(_corrected(scores[0]["ndcg"], test, never))
            both[1].append(scores[1]["ndcg"])
        for measure, (held_out, rest) in sides.items():
            facts = Paired.of(held_out, rest).facts(samples, len(sides))
            named = {"test": facts.pop("first"), "unseen": facts.pop("second")}
            yield {"observation": observation, "measure": measure, **named, **facts}


def _observed(
    relevant: Ratings,
    weights: NDArray[np.float64],
    settings: dict[str, Any],
    random: np.random.Generator,
) -> tuple[Ratings, Ratings, Ratings]:
    """Training, test and never observed items; keys as in RankedItems.by_weight."""
    keys = random.standard_exponential(len(weights)) / weights
    order = np.lexsort((keys, relevant.users))
    counts = np.diff(relevant.indptr)
    position = np.empty(len(keys), np.int64)
    position[order] = np.arange(len(keys)) - relevant.indptr[relevant.users]
    observed = np.maximum(2, np.floor(settings["share"] * counts + 0.5))[relevant.users]
    # Which of the observed are held out must not depend on their keys.
    second = random.random(len(keys)) + (position >= observed)
    position[np.lexsort((second, relevant.users))] = (
        np.arange(len(keys)) - relevant.indptr[relevant.users]
    )
    held_out = np.maximum(1, np.floor(settings["test"] * observed + 0.5))
    return (
        relevant.select((position >= held_out) & (position < observed)),
        relevant.select(position < held_out),
        relevant.select(position >= observed),
    )


def _corrected(ndcg: UserValues, test: Ratings, never: Ratings) -> UserValues:
    """NDCG on test, by the factor of Theorem 2 what it would be on as many items as never seen."""
    observed, complete = np.diff(test.indptr), np.diff(never.indptr)
    ideal = ideal_gain(test.n_items)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = complete * ideal[observed] / (observed * ideal[complete])
    return replace(ndcg, total=ndcg.total * np.where(np.isfinite(factor), factor, 0))
