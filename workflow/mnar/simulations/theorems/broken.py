"""What happens when relevant items are not missing at random: observed by popularity and rating."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mnar.core.seeds import generator
from mnar.simulations.case import Case
from mnar.simulations.theorems._ground_truth import GroundTruth
from mnar.simulations.theorems._observing import MEASURES, RankedItems, Values
from mnar.simulations.theorems.bias import standard_errors

FEWEST_REPETITIONS = 4

SETTINGS = ("ranking", "users", "broken")
COLUMNS = ("popularity", "positivity", "share", "measure", "complete", "mean", "sem", "n", "bias")


def rows(case: Case) -> Iterator[dict[str, Any]]:
    yield from broken_rows(case.complete, case.ranked, case.settings["broken"], case.seed)


def broken_rows(
    data: GroundTruth, ranked: RankedItems, settings: dict[str, Any], seed: int
) -> Iterator[dict[str, Any]]:
    """An item is drawn in proportion to popularity^p · q^height.

    The height of a rating is 0 for the lowest relevant one and 1 for the highest, so the highest is q
    times as likely to be observed as the lowest. The same random numbers serve every p and q.
    """
    share = settings["share"]
    repetitions = max(FEWEST_REPETITIONS, -(-settings["item_repetitions"] // len(ranked.user)))
    sizes = ranked.observed_sizes([share])
    popularity = data.popularity[data.ratings.items[ranked.entry]]
    height = _heights(data.ratings.values[ranked.entry].astype(np.float64))
    complete = ranked.complete.mean(axis=0)
    for strength in settings["popularity"]:
        for factor in settings["positivity"]:
            random = generator(seed, "broken")
            weights = popularity**strength * factor**height
            means = np.empty((repetitions, len(MEASURES)))
            for repetition in range(repetitions):
                positions = ranked.by_weight(random, weights, sizes[:, 0])
                means[repetition] = ranked.observe(positions, sizes)[:, 0].mean(axis=0)
            for column, measure in enumerate(MEASURES):
                mean, error, _ = standard_errors(means[:, column], complete[column])
                yield {
                    "popularity": strength,
                    "positivity": factor,
                    "share": share,
                    "measure": measure,
                    "complete": complete[column],
                    "mean": mean,
                    "sem": error,
                    "n": repetitions,
                    "bias": mean / complete[column] - 1,
                }


def _heights(ratings: Values) -> Values:
    """Relevant ratings on a scale from 0, the lowest, to 1, the highest."""
    span = ratings.max() - ratings.min()
    return (ratings - ratings.min()) / span if span > 0 else np.zeros_like(ratings)
