"""Factorisation of the observed ratings alone: steck2010 Eq. 13 with w_m = 0 and offset 0.

A user or item without ratings gets the zero vector.
"""

from mnar.core.palette import BLACK
from mnar.models._about import About
from mnar.models._allrank import SWEEPS, Method, Settings, Terms
from mnar.models._common_settings import CONVERGED, FACTORS, PENALTY, sweeps

ABOUT = About(
    label="observed only",
    description="Least squares over the observed ratings, missing ones ignored.",
    colour=BLACK,
    marker="X",
    family="observed ratings",
    settings=(FACTORS, PENALTY, sweeps(SWEEPS), CONVERGED),
    predicts_ratings=True,
    by_nature={"missing_weight": 0.0},
)


def terms(settings: Settings) -> Terms:
    return Terms(ABOUT.by_nature["missing_weight"], 0.0, settings["lambda"])


METHOD = Method(terms)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
objectives = METHOD.objectives
operations = METHOD.operations
