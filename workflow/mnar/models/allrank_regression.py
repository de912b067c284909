"""AllRank-Regression (steck2010 Eq. 13): every entry counts, a missing one as r_m with weight w_m."""

from mnar.core.palette import GREEN
from mnar.models._about import About
from mnar.models._allrank import REGRESSION_SETTINGS, Method, regression_terms, undetermined

ABOUT = About(
    label="AllRank-Regression",
    description="Least squares over all entries, a missing rating counting as r_m with weight w_m.",
    colour=GREEN,
    marker="o",
    family="missing ratings, too",
    settings=REGRESSION_SETTINGS,
    predicts_ratings=True,
    conflict=undetermined,
)

METHOD = Method(regression_terms)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
objectives = METHOD.objectives
operations = METHOD.operations
