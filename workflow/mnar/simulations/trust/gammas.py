"""Is Γ worth something? How often an order is right, by the Γ that it would take to turn it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.estimators.estimator_names import parse
from mnar.estimators.propensities import known
from mnar.estimators.sensitivity import flips, needed_gamma
from mnar.estimators.weights import Weights, weights_of
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.order_kernels import signs, sure_signs
from mnar.simulations.trust.orders import goodness
from mnar.simulations.trust.scenes import Scene

Floats = NDArray[np.float64]

# Around what the weights may be wrong: equal weights, and popularity.
AROUND = ("naive", "snips(popularity, gamma=1)")
# Of this share of the pairs the true chance must be covered.
SHARE = 0.95
# Groups of items for which random ratings suggest how wrong weights are.
GROUPS = 5


def rows(
    looks: Looks, truths: dict[str, Values], measures: Sequence[str], edges: Sequence[float]
) -> list[dict[str, Any]]:
    """Pairs of systems that truly differ, in classes of Γ: how many, and how many are ordered right.

    `needed` is the Γ that covers the true chances, or those that random ratings suggest.
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
            if selected.chances is not None:
                chances = known.chances(selected, {}, None)[weights.pairs.first]
                needed = needed_gamma(chances, 1 / weights.data, SHARE)
            else:
                needed = suggested_gamma(looks.scene, weights)
            classes = np.searchsorted(ends, gammas, "right") - 1
            for position, low in enumerate(edges):
                mine = (classes == position) & (right != 0)
                agree = int((leaders[mine] == right[mine]).sum())
                row = {"measure": measure, "around": scheme, "from": low, "to": ends[position + 1]}
                found.append(row | {"pairs": int(mine.sum()), "right": agree, "needed": needed})
    return found


def suggested_gamma(scene: Scene, weights: Weights, groups: int = GROUPS) -> float:
    """Γ that random ratings suggest, for groups of items of equal popularity.

    Right weights of the held-out liked pairs of a group add up to its number of liked unseen pairs,
    which random ratings estimate. By what factor they do not, is how wrong the weights are.
    """
    selected, truth = scene.selected, scene.truth
    liked = selected.liked
    counts = np.bincount(selected.items[selected.relevant], minlength=truth.n_items)
    # Groups of items that have about as many liked ratings each, rarest first.
    order = np.argsort(counts, kind="stable")
    reached = np.cumsum(counts[order]) - counts[order] / 2
    group = np.empty(truth.n_items, np.int64)
    group[order] = np.minimum(reached * groups / max(counts.sum(), 1), groups - 1).astype(np.int64)
    seen = np.bincount(group[selected.train.items], minlength=groups)
    unseen = np.bincount(group, minlength=groups) * truth.n_users - seen
    of_truth = group[truth.items]
    every = np.bincount(of_truth, scene.weights, groups)
    good = np.bincount(of_truth, scene.weights * truth.relevant, groups)
    summed = np.bincount(group[liked.items], weights.data, groups)
    there = (good > 0) & (summed > 0)
    off = (unseen * good / np.maximum(every, 1e-12))[there] / summed[there]
    return float(np.sqrt(off.max() / off.min()))
