"""The value of each pair under a measure, for one model: all that weights are put on.

This is the one place that knows how the measures are computed.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mnar.estimators import doubly_robust, sampled
from mnar.estimators.estimator_names import ERRORS
from mnar.estimators.selected_ratings import Selected
from mnar.matrices.model import Model, predict_pairs, score_pairs
from mnar.measures import pair_values
from mnar.measures.ranking import RankCounts, rank_counts

Floats = NDArray[np.float64]


def ranking_gains(counts: RankCounts, measure: str) -> Floats:
    """The value of each ranked pair; the exact expectation over the order of ties."""
    return pair_values(counts, measure)


def wins(good: NDArray[np.floating], bad: NDArray[np.floating]) -> Floats:
    """1 where the relevant item scores higher, ½ where both score the same."""
    return (good > bad) + 0.5 * (good == bad)


def errors(measure: str, predicted: NDArray, values: NDArray) -> Floats:
    """Squared errors for rmse, absolute ones for mae."""
    differences = predicted.astype(np.float64) - values
    return differences**2 if measure == "rmse" else np.abs(differences)


def finished(measure: str, mean: Floats) -> Floats:
    """From the mean of the gains to the measure."""
    return np.sqrt(np.maximum(mean, 0)) if measure == "rmse" else mean


def gains_of(
    model: Model,
    selected: Selected,
    wanted: Sequence[str],
    threads: int = 1,
    ranked: Callable[[], RankCounts] | None = None,
) -> dict[str, Floats]:
    """Each gain asked for (Estimator.gain), in the order of its pairs.

    `ranked` gives the counts of the relevant held-out ratings where others need them, too.
    """
    held_out = selected.held_out
    found: dict[str, Floats] = {}
    plain = [name for name in wanted if "|" not in name and name not in (*ERRORS, "auc")]
    if plain:
        if ranked is None:
            counts = rank_counts(model, selected.liked, seen=selected.train, threads=threads)
        else:
            counts = ranked()
        found |= {name: ranking_gains(counts, name) for name in plain}
    if "auc" in wanted:
        pairs = selected.pairs["compared"]
        assert pairs.second is not None
        scores = score_pairs(model, held_out.users, held_out.items)
        found["auc"] = wins(scores[pairs.first], scores[pairs.second])
    predicted = None
    for measure in ERRORS:
        if measure in wanted or f"{measure}|dr" in wanted:
            if predicted is None:
                predicted = predict_pairs(model, held_out.users, held_out.items, threads)
            found[measure] = errors(measure, predicted, held_out.values)
            if f"{measure}|dr" in wanted:
                imputed = doubly_robust.imputed_errors(selected, measure, predicted)
                found[f"{measure}|dr"] = found[measure] - imputed
    drawn = [name for name in wanted if name.count("|") == 2]
    for which in dict.fromkeys(name.split("|", 1)[1] for name in drawn):
        how, size = which.split("|")
        counts = sampled.sampled_counts(model, selected, how, int(size))
        mine = [name for name in drawn if name.endswith(f"|{which}")]
        found |= {name: ranking_gains(counts, name.split("|")[0]) for name in mine}
    return {name: found[name] for name in wanted}
