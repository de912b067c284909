"""The papers' statements on behaviour, as numbers of one generated dataset.

grid              every combination of generator settings
trained           how a dataset is seen, and the scores of every setting tried on it
missing_weights   the weight of missing ratings (pradel2012)
pairs             MF-ADG, MF-AUC and SVD; validation and test (lim2015)
objectives        training objectives and bestseller lists (steck2010)
"""

from mnar import splits
from mnar.estimators import estimator_names as estimators
from mnar.models import module_name

# What the grid trains, splits and measures with: a change of one of these is a change of its results.
# `trained` refuses names that are not listed here.
METHODS = (
    "allrank-binary-logistic",
    "allrank-binary-regression",
    "allrank-regression",
    "bestseller-count",
    "bestseller-count-relevant",
    "bestseller-mean",
    "mf-adg",
    "mf-auc",
    "observed-only",
    "svd",
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
