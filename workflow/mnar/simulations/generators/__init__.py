"""What the papers say of behaviour, as numbers of one generated dataset.

grid         every combination of generator settings
trained      how a dataset is seen, and the scores of every setting tried on it
weights      the weight of missing ratings (pradel2012)
pairs        MF-ADG, MF-AUC and SVD; validation and test (lim2015)
objectives   training objectives and bestseller lists (steck2010)
"""

# What the grid trains, splits and measures with: a change of one of these is a change of its results.
# `trained` refuses what is not named here.
METHODS = (
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
