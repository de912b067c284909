"""Is Γ worth something? How often an order is right, by the Γ that it would take to turn it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.estimators.names import parse
from mnar.estimators.propensities import known
from mnar.estimators.sensitivity import flips, needed_gamma
from mnar.estimators.weights import weights_of
from mnar.simulations.trust.kernels import signs, sure_signs
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.orders import goodness

Floats = NDArray[np.float64]

# Around what the weights may be wrong: equal weights, and popularity.
AROUND = ("naive", "snips(popularity, gamma=1)")
# Of this share of the pairs the true chance must be covered.
SHARE = 0.95


def rows(
    looks: Looks, truths: dict[str, Values], measures: Sequence[str], edges: Sequence[float]
) -> list[dict[str, Any]]:
    """Pairs of systems that truly differ, in classes of Γ: how many, and how many are ordered right.

    `needed` is the Γ that covers the true chances, where these are known.
    """
    selected, found = looks.scene.selected, []
    ends = np.append(np.asarray(edges, float), np.inf)
    for measure in measures:
        truth = goodness(measure, truths[measure].values)
        samples = goodness(measure, truths[measure].samples)
        right = signs(truth) if looks.scene.complete else sure_signs(samples)
        gains = np.stack(looks.gains[measure])
        for scheme in AROUND:
            weights = weights_of(parse(f"{measure}~{scheme}"), selected)
            leaders, gammas = flips(gains, weights.data)
            needed = np.nan
            if selected.chances is not None:
                chances = known.chances(selected, {}, None)[weights.pairs.first]
                needed = needed_gamma(chances, 1 / weights.data, SHARE)
            classes = np.searchsorted(ends, gammas, "right") - 1
            for place, low in enumerate(edges):
                mine = (classes == place) & (right != 0)
                agree = int((leaders[mine] == right[mine]).sum())
                row = {"measure": measure, "around": scheme, "from": low, "to": ends[place + 1]}
                found.append(row | {"pairs": int(mine.sum()), "right": agree, "needed": needed})
    return found
