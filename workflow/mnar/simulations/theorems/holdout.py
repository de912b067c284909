"""Validation predicts test, however many items are held out (lim2015 section 5)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mnar import splits
from mnar.matrices.context import Context
from mnar.matrices.view import View
from mnar.measures import Task, UserValues, evaluate_all
from mnar.simulations.case import Case
from mnar.simulations.theorems._ground_truth import fitted
from mnar.splits import TEST, TRAIN, VALIDATION
from mnar.statistics.bootstrap import SAMPLES, user_samples
from mnar.statistics.paired import Paired, simultaneous_interval

PROTOCOLS = ("four-folds",)
# The measures of lim2015 Tables 1 and 2.
MEASURES = ("atop", "adg", "recall@10", "ndcg", "map")

SETTINGS = ("ranking", "holdout")
COLUMNS = (
    "share",
    "measure",
    "valid",
    "test",
    "mean",
    "sem",
    "low",
    "high",
    "percent",
    "n",
    "slope",
    "slope_low",
    "slope_high",
)

Scores = dict[str, UserValues]


def rows(case: Case) -> Iterator[dict[str, Any]]:
    settings = case.settings
    scores = held_out_scores(case.view, settings["ranking"], settings["holdout"], case.seed)
    yield from holdout_rows(scores, case.view.shape[0], case.seed)


def held_out_scores(
    view: View, ranking: dict[str, Any], settings: dict[str, Any], seed: int
) -> dict[float, list[dict[str, Scores]]]:
    """Share for validation -> fold -> set -> measure -> values, of a model trained on the rest.

    Both sets are ranked among all items but those trained on.
    """
    [name] = PROTOCOLS
    found: dict[float, list[dict[str, Scores]]] = {}
    for share in settings["validation"]:
        protocol = {"validation": share, "test": settings["test"]}
        for fold in range(settings["folds"]):
            # A fold's test items are the same for every share.
            roles = splits.split(name, view, protocol, fold, seed).roles
            parts = {
                role: view.matrix((roles == role) & view.ratings.relevant)
                for role in (TRAIN, VALIDATION, TEST)
            }
            model = fitted(ranking, parts[TRAIN], seed, fold)
            tasks = [Task(parts[role], MEASURES, Context()) for role in (VALIDATION, TEST)]
            both = evaluate_all(model, tasks, parts[TRAIN], 1)
            scores = dict(zip(("validation", "test"), both, strict=True))
            found.setdefault(share, []).append(scores)
    return found


def holdout_rows(
    scores: dict[float, list[dict[str, Scores]]], users: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Validation − test for each share, and its slope over the share by least squares.

    Intervals hold for all measures at once.
    """
    samples = user_samples(users, SAMPLES, seed, "holdout")
    shares = np.array(list(scores))
    centred = (shares - shares.mean()) / ((shares - shares.mean()) ** 2).sum()
    for measure in MEASURES:
        paired = [_pair(folds, measure) for folds in scores.values()]
        facts = [pair.facts(samples, len(MEASURES)) for pair in paired]
        slope = float(centred @ [fact["mean"] for fact in facts])
        slopes = centred @ np.array([pair.resampled(samples) for pair in paired])
        low, high = simultaneous_interval(slope, float(slopes.std(ddof=1)), len(MEASURES))
        for share, fact in zip(shares, facts, strict=True):
            valid, test = fact.pop("first"), fact.pop("second")
            fact.pop("z")
            yield {
                "share": share,
                "measure": measure,
                "valid": valid,
                "test": test,
                **fact,
                "percent": 100 * (valid - test) / test,
                "slope": slope,
                "slope_low": low,
                "slope_high": high,
            }


def _pair(folds: list[dict[str, Scores]], measure: str) -> Paired:
    sides = [[fold[name][measure] for fold in folds] for name in ("validation", "test")]
    return Paired.of(*sides)
