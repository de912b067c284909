"""BPR: the model of MF-AUC by the logistic loss on (liked, other) pairs (Rendle et al. 2009).

Each iteration draws a user, one of its relevant items i and an irrelevant item v, all uniformly, and
goes down the gradient of −ln σ(f(u, i) − f(u, v)) + λ/2 ‖vectors‖². Unlike the hinge of MF-AUC the
loss is never zero, so every iteration steps.
"""

from functools import partial

import numpy as np

from mnar.core.palette import INDIGO
from mnar.models._about import About
from mnar.models._pairwise import SETTINGS, PairwiseState, Settings, start, training
from mnar.models._pairwise_kernels import climb_pairs

__all__ = ["ABOUT", "advance", "fit", "fit_grid", "start"]

ABOUT = About(
    label="BPR",
    description="Factors by the logistic loss on pairs of a liked and another item.",
    colour=INDIGO,
    marker="s",
    family="pairs of items",
    settings=SETTINGS,
)


def advance(state: PairwiseState, settings: Settings, iterations: int) -> None:
    """Go on for some iterations; in any number of parts the result is the same."""
    state.run(partial(climb_pairs, True), np.float32(1), settings, iterations)


fit, fit_grid = training(advance)
