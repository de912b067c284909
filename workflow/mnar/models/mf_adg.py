"""MF-ADG: matrix factorisation that optimises ADG (lim2015 Algorithm 1).

In search of a violator at most 1/gamma of the other items are drawn.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real, Switch
from mnar.core.palette import RED
from mnar.models._about import About
from mnar.models._pairwise import SETTINGS, PairwiseState, Settings, start, training
from mnar.models._pairwise_kernels import climb_adg

__all__ = ["ABOUT", "advance", "fit", "fit_grid", "start"]

GAMMA = 100

ABOUT = About(
    label="MF-ADG",
    description="Matrix factorisation that searches for an item ranked too high, which bounds ADG.",
    colour=RED,
    marker="s",
    family="pairs of items",
    settings=(
        *SETTINGS,
        Real("gamma", "1/gamma of the other items are drawn at most", least=1, default=GAMMA),
        Switch("rank_weight", "whether a step is weighted by rank; C = 1 if not", default=True),
    ),
)


def advance(state: PairwiseState, settings: Settings, iterations: int) -> None:
    """Train further; in any number of parts the result is the same."""
    weights = rank_weights(
        len(state.item_vectors), settings.get("gamma", GAMMA), settings.get("rank_weight", True)
    )
    state.run(climb_adg, weights, settings, iterations)


fit, fit_grid = training(advance)


def rank_weights(n_items: int, gamma: float, by_rank: bool) -> NDArray[np.float32]:
    """C(⌊(|I| - 1)/N⌋) for N = 1, 2, … up to the limit on draws, C(k) = 1 - 1/log2(k + 2) (Eq. 4).

    N counts the violator itself: as printed it is 0 where the first draw violates.
    """
    draws = np.arange(1, max(1, ceil((n_items - 1) / gamma)) + 1)
    if not by_rank:
        return np.ones(len(draws), np.float32)
    return (1 - 1 / np.log2((n_items - 1) // draws + 2)).astype(np.float32)
