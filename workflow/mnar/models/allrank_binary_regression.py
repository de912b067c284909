"""AllRank-Binary-Regression (steck2010 Eq. 11): least squares on the 0/1 relevance matrix.

Relevant entries have weight 1, all others w_m, observed low ratings included.
"""

from mnar.core.palette import SKY
from mnar.models._about import About
from mnar.models._allrank import SWEEPS, Method, Settings, Terms, relevant_entries, undetermined
from mnar.models._common_settings import CONVERGED, FACTORS, MISSING_WEIGHT, PENALTY_FROM_0, sweeps

ABOUT = About(
    label="AllRank-Binary-Regression",
    description="Least squares on the 0/1 relevance matrix, all that is not relevant with weight w_m.",
    colour=SKY,
    marker="v",
    family="missing ratings, too",
    settings=(FACTORS, MISSING_WEIGHT, PENALTY_FROM_0, sweeps(SWEEPS), CONVERGED),
    by_nature={"imputed": 0.0},
    conflict=undetermined,
)


def terms(settings: Settings) -> Terms:
    return Terms(settings["missing_weight"], ABOUT.by_nature["imputed"], settings["lambda"])


METHOD = Method(terms, relevant_entries)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
objectives = METHOD.objectives
operations = METHOD.operations
