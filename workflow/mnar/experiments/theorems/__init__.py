"""Theorems 1 and 2 of lim2015, the theorem of steck2010, and the papers' statements on held-out data."""

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
        "ndcg_factor": "Theorem 2: the factor by which NDCG is too low",
        "auc_atop": "AUC against ATOP",
        "irrelevant": "Ratings that are not relevant, removed in several ways",
        "holdout": "Validation against test, by the share held out",
        "train_vs_test": "A model's own training items against test",
        "unseen": "Held-out observed items against relevant items never observed",
        "random_auc": "AUC from random ratings against AUC on all items",
    },
    figures={
        "bias_plot": "Bias against the observed share",
        "broken": "Bias when popular or highly rated items are observed more often",
        "holdout_plot": "Validation against test, by the share held out",
    },
    lead=("bias_plot", "broken", "holdout_plot"),
    see={
        "bias": "Numbers beyond ±3 standard errors are a bias.",
        "ndcg_factor": "Compare the factor found with the one that the theorem gives.",
        "auc_atop": "See how small the difference is, and that it follows the formula.",
        "irrelevant": "See which measures notice when irrelevant ratings go.",
        "holdout": "Measures near 0 % do not care how much is held out.",
        "train_vs_test": "See how much better a model looks on what it was trained on.",
        "unseen": "See whether held-out items speak for those never observed.",
        "random_auc": "See whether AUC from random ratings meets AUC on all items.",
        "bias_plot": "Bands around 0 are unbiased; curves away from it are not.",
        "broken": "The first column is selection at random: see how fast each measure leaves 0 to the right.",
        "holdout_plot": "Flat lines at 0 can be compared between sets of different size.",
    },
)
