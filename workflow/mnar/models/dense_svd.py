"""Regularised 'dense' SVD: steck2010 Eq. 13 with w_m = 1, missing entries imputed with r_m."""

from mnar.core.palette import OLIVE
from mnar.models._about import About
from mnar.models._allrank import SWEEPS, Method, Settings, Terms
from mnar.models._common_settings import CONVERGED, FACTORS, IMPUTED, PENALTY_FROM_0, sweeps

ABOUT = About(
    label="dense SVD",
    description="Least squares over all entries, a missing rating counting as r_m like an observed one.",
    colour=OLIVE,
    marker="D",
    family="missing ratings, too",
    settings=(FACTORS, IMPUTED, PENALTY_FROM_0, sweeps(SWEEPS), CONVERGED),
    predicts_ratings=True,
    by_nature={"missing_weight": 1.0},
)


def terms(settings: Settings) -> Terms:
    return Terms(ABOUT.by_nature["missing_weight"], settings["imputed"], settings["lambda"])


METHOD = Method(terms)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
objectives = METHOD.objectives
operations = METHOD.operations
