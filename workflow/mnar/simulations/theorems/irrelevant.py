"""Ratings that are not relevant may be missing in any way (steck2010 section 2.2)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mnar import measures
from mnar.core.seeds import generator
from mnar.matrices.context import Context
from mnar.simulations.case import Case
from mnar.simulations.theorems._ground_truth import GroundTruth
from mnar.simulations.theorems._observing import MEASURES as RANKING

MEASURES = (*RANKING, "auc")
# Enough to show that not one of them changes.
MOST_USERS = 500

SETTINGS = ("ranking", "users")
COLUMNS = ("removal", "measure", "kept", "complete", "mean", "n", "largest_change")


def rows(case: Case) -> Iterator[dict[str, Any]]:
    yield from irrelevant_rows(case.complete, case.seed)


def irrelevant_rows(data: GroundTruth, seed: int) -> Iterator[dict[str, Any]]:
    """Measures with all other ratings there, and with some removed in several ways.

    AUC on observed ratings, which compares relevant with other ones, is there for contrast.
    """
    some = np.unique(data.ratings.users)[:MOST_USERS]
    ratings = data.ratings.select(np.isin(data.ratings.users, some))
    random = generator(seed, "irrelevant")
    chance = random.random(len(ratings.items))
    popularity = data.popularity[ratings.items]
    score = data.model.predict(ratings.users, ratings.items)
    ways = {
        "none": np.ones(len(chance), np.bool_),
        "half, at random": chance < 0.5,
        "unpopular items": chance < popularity,
        "the lowest ratings": ratings.values > ratings.values.min(),
        "what the ranking puts high": score < np.median(score),
        "all": np.zeros(len(chance), np.bool_),
    }
    before: dict[str, measures.UserValues] = {}
    for removal, keep in ways.items():
        observed = ratings.select(keep | ratings.relevant)
        values = measures.evaluate(data.model, observed, None, MEASURES, Context(), 1)
        before = before or values
        for name in MEASURES:
            scored = (values[name].weight > 0) & (before[name].weight > 0)
            change = [_by_user(side[name], scored) for side in (values, before)]
            yield {
                "removal": removal,
                "measure": name,
                "kept": float(keep[~ratings.relevant].mean()),
                "complete": float(before[name].mean("user")),
                "mean": float(values[name].mean("user")) if scored.any() else np.nan,
                "n": int(scored.sum()),
                "largest_change": float(np.abs(change[0] - change[1]).max(initial=0)),
            }


def _by_user(values: measures.UserValues, scored: Any) -> Any:
    return values.total[scored] / values.weight[scored]
