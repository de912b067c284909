"""By what factor NDCG is too low on observed items: measured, and as lim2015 Theorem 2 predicts it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mnar.simulations.case import Case
from mnar.simulations.theorems._observing import MEASURES, Counts, Values, ideal_gain
from mnar.simulations.theorems.bias import Simulation, simulated

SIZE_CLASSES = 5

SETTINGS = ("ranking", "users", "shares", "user_repetitions")
COLUMNS = (
    "share",
    "least",
    "most",
    "users",
    "n",
    "complete",
    "mean",
    "sem",
    "factor",
    "predicted",
    "error",
)


def rows(case: Case) -> Iterator[dict[str, Any]]:
    yield from factor_rows(simulated(case))


def ndcg_factor(complete: Counts, observed: Counts, ideal: Values) -> Values:
    """|O|·IDCG(|P|) / (|P|·IDCG(|O|)), by which NDCG is too low (lim2015 Theorem 2)."""
    return observed * ideal[complete] / (complete * ideal[observed])


def factor_rows(simulation: Simulation) -> Iterator[dict[str, Any]]:
    """The measured and the predicted factor of NDCG, for users with similarly many items."""
    ranked = simulation.ranked
    complete = ranked.complete[:, MEASURES.index("ndcg")]
    predicted = ndcg_factor(
        ranked.sizes[:, np.newaxis], simulation.sizes, ideal_gain(ranked.n_candidates)
    )
    edges = np.quantile(ranked.sizes, np.linspace(0, 1, SIZE_CLASSES + 1)[1:-1])
    size_class = np.searchsorted(edges, ranked.sizes, side="left")
    for position, share in enumerate(simulation.shares):
        for number in np.unique(size_class):
            mine = size_class == number
            total = complete[mine].sum()
            factor = simulation.ndcg[mine, position].sum() / total
            theory = (predicted[mine, position] * complete[mine]).sum() / total
            error = np.sqrt(simulation.ndcg_variance[mine, position].sum() / simulation.repetitions)
            yield {
                "share": share,
                "least": ranked.sizes[mine].min(),
                "most": ranked.sizes[mine].max(),
                "users": mine.sum(),
                "n": simulation.repetitions,
                "complete": complete[mine].mean(),
                "mean": simulation.ndcg[mine, position].mean(),
                "sem": error / mine.sum(),
                "factor": factor,
                "predicted": theory,
                "error": factor / theory - 1,
            }
