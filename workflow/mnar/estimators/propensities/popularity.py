"""Popularity (Steck 2011): the chance of a pair is taken to be ∝ (ratings of its kind)^γ.

N_i⁺ counts the relevant user-selected ratings of item i, training and held out; irrelevant pairs
take the count of irrelevant ones. Only the proportions are known, so the chance of being held out
is modelled as such, without h. With γ = β, recall@k weighed by it is Steck's stratified recall.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.estimators.propensities import counts_by
from mnar.estimators.selected_ratings import Selected

SETTINGS: dict[str, Any] = {"gamma": 1.0}
ABSOLUTE = False
OF_TRUST = False


def chances(
    selected: Selected, settings: dict[str, Any], times: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    n_items = selected.shape[1]
    # One row of counts for irrelevant ratings, one for relevant ones.
    keys = selected.items + n_items * selected.relevant
    counts = counts_by(selected.users, keys, 2 * n_items, times)
    held_out = selected.held_out
    mine = held_out.items + n_items * held_out.relevant
    # In a sample without the user of a pair its item may have no ratings; the pair then has weight 0.
    return (np.maximum(counts, 1) ** float(settings["gamma"]))[..., mine]
