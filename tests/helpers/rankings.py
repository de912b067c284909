"""Measures of rankings that are written out."""

import numpy as np

from helpers.matrices import ratings_of
from mnar.estimators.estimator_names import parse
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import ScoreMatrix
from mnar.measures import evaluate
from mnar.measures.ranking import RankCounts


def model_of(scores) -> FactorModel:
    """The model that gives just these scores (users × items)."""
    scores = np.atleast_2d(scores)
    return FactorModel.without_biases(scores, np.eye(scores.shape[1]))


def unlisted(scores) -> ScoreMatrix:
    """The model that gives just these scores, except that it does not list items scored 0."""
    scores = np.atleast_2d(scores).astype(np.float32)
    return ScoreMatrix(np.where(scores == 0, -np.inf, scores).astype(np.float32))


def dense(scores) -> ScoreMatrix:
    """The model that gives just these scores, and is no factor model."""
    return ScoreMatrix(np.atleast_2d(scores).astype(np.float32))


# All ways to give the same scores, where 0 is the lowest.
MAKERS = {"factors": model_of, "dense": dense, "unlisted": unlisted}


def weigh_by(positives, rated):
    """Weights by popularity for a context: 1/positives^γ of each relevant held-out rating."""

    def weigh(scheme):
        gamma = dict(parse(f"adg~{scheme}").settings)["gamma"]
        return np.maximum(positives, 1.0)[rated.items[rated.relevant]] ** -gamma

    return weigh


def measured(
    scores, held_out, names, seen=None, average="user", relevant=None, make=model_of,
    positives=None, **context,
):  # fmt: skip
    """Means of measures for given scores and masks of held-out and seen items."""
    rated = ratings_of(np.atleast_2d(held_out), relevant)
    if positives is not None:
        context["weigh"] = weigh_by(positives, rated)
    left_out = None if seen is None else ratings_of(np.atleast_2d(seen))
    found = evaluate(make(scores), rated, left_out, names, Context(**context), threads=1)
    return {name: values.mean(average) for name, values in found.items()}


def discounts(count):
    return 1 / np.log2(np.arange(count) + 2)


COUNTS = ("above", "tied", "relevant_above", "relevant_tied", "n_relevant", "n_candidates")


def whole_number_model(rng, n_users, n_items, factors=3) -> FactorModel:
    """Small whole numbers: products are exact, and ties are many."""

    def draw(*shape):
        return rng.integers(-1, 2, shape).astype(np.float32)

    user_bias = draw(n_users)
    return FactorModel(
        draw(n_users, factors), draw(n_items, factors), draw(n_items), user_bias, 0.5
    )


def slow_counts(model, targets, seen):
    """The counts of a factor model by their definition."""
    scores = model.user_vectors @ model.item_vectors.T + model.item_bias
    return slow_counts_of(scores, targets, seen)


def slow_counts_of(all_scores, targets, seen):
    """The counts by their definition, one user and one item at a time."""
    rows = []
    for user, scores in enumerate(all_scores):
        candidates = targets[user] | ~seen[user]
        for item in np.flatnonzero(targets[user]):
            score = scores[item]
            rows.append(
                (
                    user,
                    item,
                    np.sum(scores[candidates] > score),
                    np.sum(scores[candidates] == score),
                    np.sum(scores[targets[user]] > score),
                    np.sum(scores[targets[user]] == score),
                    np.sum(targets[user]),
                    np.sum(candidates),
                )
            )
    return np.array(rows).reshape(-1, 8).T


def counts_of(above, tied, n_candidates, relevant_above=0, relevant_tied=1) -> RankCounts:
    """The rank counts of one user's targets."""
    size = len(above)
    columns = (above, tied, relevant_above, relevant_tied, size, n_candidates)
    counts = [np.broadcast_to(np.int32(column), size).copy() for column in columns]
    return RankCounts(
        np.zeros(size, np.int32), np.arange(size, dtype=np.int32), *counts, 1, n_candidates
    )
