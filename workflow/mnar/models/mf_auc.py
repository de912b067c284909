"""MF-AUC: the same model as MF-ADG, by the hinge loss that bounds AUC (lim2015 section 6)."""

from functools import partial

import numpy as np

from mnar.core.palette import BLUE
from mnar.models._about import About
from mnar.models._pairwise import SETTINGS, PairwiseState, Settings, start, training
from mnar.models._pairwise_kernels import climb_pairs

__all__ = ["ABOUT", "advance", "fit", "fit_grid", "start"]

ABOUT = About(
    label="MF-AUC",
    description="Matrix factorisation by the hinge loss on pairs of a relevant and another item.",
    colour=BLUE,
    marker="o",
    family="pairs of items",
    settings=SETTINGS,
)


def advance(state: PairwiseState, settings: Settings, iterations: int) -> None:
    """Train further; in any number of parts the result is the same."""
    state.run(partial(climb_pairs, False), np.float32(1), settings, iterations)


fit, fit_grid = training(advance)
