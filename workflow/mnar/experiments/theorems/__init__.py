"""Theorems 1 and 2 of lim2015, that of steck2010, and what the papers say of held-out data."""

from mnar.reporting.outline import Outline

# Its chosen models are scored on their own training items too.
STUDY = "lim2015"

OUTLINE = Outline(
    title="Theorems: what measures on observed items say of the complete data",
    studies=(STUDY,),
    extras=tuple(
        f"results/simulations/{{dataset}}/{name}.csv"
        for name in (
            "bias",
            "ndcg_factor",
            "broken",
            "irrelevant",
            "random_auc",
            "holdout",
            "unseen",
        )
    ),
    tables={
        "bias": "Bias of each measure, in standard errors",
        "ndcg_factor": "Theorem 2: by what factor NDCG is too low",
        "auc_atop": "AUC against ATOP",
        "irrelevant": "Ratings that are not relevant, removed in several ways",
        "holdout": "Validation against test, by how much is held out",
        "train_vs_test": "A model's own training items against test",
        "unseen": "Held-out observed items against relevant items never observed",
        "random_auc": "AUC from random ratings against AUC on all items",
    },
    figures={
        "bias_plot": "Bias against the observed share",
        "broken": "Bias when popular or highly rated items are observed more often",
        "holdout_plot": "Validation against test, by how much is held out",
    },
)
