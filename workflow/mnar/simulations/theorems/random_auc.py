"""AUC on randomly selected ratings against AUC on all items (pradel2012 section 2.2)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mnar.core.seeds import generator
from mnar.measures.auc import compare_classes
from mnar.simulations.case import Case
from mnar.simulations.theorems._ground_truth import GroundTruth
from mnar.simulations.theorems._observing import Values
from mnar.simulations.theorems.bias import simultaneous_bound, standard_errors

SETTINGS = ("ranking", "users", "random_auc")
COLUMNS = (
    "ratings",
    "complete",
    "mean",
    "sem",
    "n",
    "users",
    "both_classes",
    "bias",
    "z",
    "bound",
    "selection",
)


def rows(case: Case) -> Iterator[dict[str, Any]]:
    """Random ratings are drawn from all of a user's: without the truth there are no rows."""
    if case.truth is not None:
        yield from random_auc_rows(case.complete, seed=case.seed, **case.settings["random_auc"])


def random_auc_rows(
    data: GroundTruth, ratings: list[int], repetitions: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Draw a number of random ratings of each user; draws of one class only have no AUC.

    `bias` compares with the complete AUC of the very users that have one in a repetition, so it is
    about the estimate alone. `selection` is how far the complete AUC of these users is from that of
    all: what leaving users out does.
    """
    users = np.unique(data.ratings.users)
    scores, relevant, lengths = _padded(data, users)
    complete = _auc(scores, relevant, lengths)
    random = generator(seed, "random auc")
    sizes = sorted({min(size, int(lengths.min())) for size in ratings})
    found = np.empty((len(sizes), repetitions, 3))
    for repetition in range(repetitions):
        keys = random.random(scores.shape, np.float32)
        # Missing ratings come last.
        keys[np.arange(scores.shape[1]) >= lengths[:, np.newaxis]] = np.inf
        drawn = np.argpartition(keys, sizes[-1] - 1, axis=1)[:, : sizes[-1]]
        by_key = np.argsort(np.take_along_axis(keys, drawn, axis=1), axis=1)
        drawn = np.take_along_axis(drawn, by_key, axis=1)
        for position, size in enumerate(sizes):
            chosen = drawn[:, :size]
            values = _auc(
                np.take_along_axis(scores, chosen, axis=1),
                np.take_along_axis(relevant, chosen, axis=1),
                np.full(len(users), size),
            )
            both = ~np.isnan(values)
            found[position, repetition] = values[both].mean(), complete[both].mean(), both.mean()
    bound = simultaneous_bound(len(sizes), repetitions)
    for position, size in enumerate(sizes):
        observed, alike, both = found[position].T
        bias, error, z = standard_errors(observed - alike, 0.0)
        yield {
            "ratings": size,
            "complete": np.nanmean(complete),
            "mean": observed.mean(),
            "sem": error,
            "n": repetitions,
            "users": len(users),
            "both_classes": both.mean(),
            "bias": bias,
            "z": z,
            "bound": bound,
            "selection": alike.mean() - np.nanmean(complete),
        }


def _padded(data: GroundTruth, users: Any) -> tuple[Any, Any, Any]:
    """Scores and relevance of each user's ratings as rows, filled up on the right; their lengths."""
    ratings = data.ratings
    lengths = np.diff(ratings.indptr)[users]
    here = np.arange(lengths.max()) < lengths[:, np.newaxis]
    rows = np.searchsorted(users, ratings.users)
    scores, relevant = np.zeros(here.shape, np.float32), np.zeros(here.shape, np.bool_)
    scorer = data.model.item_scores
    scores[here] = scorer(users)[rows, scorer.columns[ratings.items]]
    relevant[here] = ratings.relevant
    return scores, relevant, lengths


def _auc(scores: Any, relevant: Any, lengths: Any) -> Values:
    here = np.arange(scores.shape[1]) < lengths[:, np.newaxis]
    values = np.empty(len(lengths))
    indptr = np.append(0, np.cumsum(lengths))
    compare_classes(indptr, scores[here], relevant[here], values)
    return values
