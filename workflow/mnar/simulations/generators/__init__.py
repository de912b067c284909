"""The papers' statements on behaviour, as numbers of one generated dataset.

grid              every combination of generator settings
trained           how a dataset is seen, and the scores of every setting tried on it
missing_weights   the weight of missing ratings (pradel2012)
pairs             MF-ADG, MF-AUC and SVD; validation and test (lim2015)
objectives        training objectives and bestseller lists (steck2010)
grid_settings     the check of `synthetic_grid` in the config
"""

from mnar import splits
from mnar.estimators import estimator_names as estimators
from mnar.models import module_name

# The methods of each search of `synthetic_grid`; the first one knows the settings of the others.
SEARCHES = {
    "allrank": ("allrank-regression",),
    "pairwise": ("mf-adg", "mf-auc"),
    "svd": ("svd",),
}
OBJECTIVES = {
    "allrank": "allrank-regression",
    "observed": "observed-only",
    "binary": "allrank-binary-regression",
}
# Both likelihoods of the relevance matrix, searched alike by `binary`.
BINARY = {"binary": OBJECTIVES["binary"], "logistic": "allrank-binary-logistic"}
LISTS = {
    "mean": "bestseller-mean",
    "count": "bestseller-count",
    "liked": "bestseller-count-relevant",
}
# What the grid trains, splits and measures with: a change of one of these is a change of its results.
# `trained` refuses names that are not listed here.
METHODS = (
    *(method for methods in SEARCHES.values() for method in methods),
    *OBJECTIVES.values(),
    BINARY["logistic"],
    *LISTS.values(),
)
PROTOCOLS = ("four-folds", "last-five", "strong")
MEASURES = (
    "atop",
    "topk(0)",
    "recall@10",
    "recall@10(1)",
    "adg",
    "ndcg",
    "map",
    "auc",
    "auc_aman",
    "head_10",
    "rmse",
)


def modules() -> list[str]:
    """The library modules of these methods, protocols and measures."""
    methods = [module_name(name) for name in METHODS]
    protocols = [splits.module_name(name) for name in PROTOCOLS]
    return [*methods, *protocols, *estimators.modules_of(MEASURES)]
