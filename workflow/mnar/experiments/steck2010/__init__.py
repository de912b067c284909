"""Steck 2010: ATOP and TOPK, AllRank and bestseller lists (Tables 2 and 3, Figures 1 to 3)."""

from mnar.reporting.outline import Outline

STUDY = "steck2010"
REL4 = "steck2010-rel4"
WEIGHTS = "steck2010-weights"

RMSE_TUNED = "observed-only-tuned-for-rmse"
ATOP_TUNED = "observed-only-tuned-for-atop"
ALLRANK = "allrank-regression"
DENSE = "dense-svd"
LOGISTIC = "allrank-binary-logistic"
BINARY = "allrank-binary-regression"
LISTS = ("bestseller-mean", "bestseller-count", "bestseller-count-relevant")

# What the paper's text compares: the first minus the second.
COMPARED = (
    (LISTS[0], LISTS[1]),
    (LISTS[0], LISTS[2]),
    (LISTS[1], RMSE_TUNED),
    (LISTS[1], ATOP_TUNED),
    (LISTS[2], RMSE_TUNED),
    (LISTS[2], ATOP_TUNED),
    (RMSE_TUNED, ATOP_TUNED),
    (ALLRANK, ATOP_TUNED),
    (DENSE, ATOP_TUNED),
    (ALLRANK, DENSE),
    (ALLRANK, LOGISTIC),
    (ALLRANK, BINARY),
    (LOGISTIC, ATOP_TUNED),
    (BINARY, ATOP_TUNED),
    (LOGISTIC, BINARY),
)

OUTLINE = Outline(
    title="Steck 2010: Training and testing of recommender systems on data missing not at random",
    studies=(STUDY, REL4, WEIGHTS),
    extras=(
        "results/analyses/steck2010/{dataset}/ranks.npz",
        "results/analyses/steck2010/{dataset}/fold_in_loss.csv",
        "results/analyses/steck2010/{dataset}/convergence.csv",
    ),
    tables={
        "table2": "Table 2: every training objective",
        "table2_published_settings": "Table 2 at the settings that the paper prints",
        "table2_differences": "Table 2: the differences that the text speaks of",
        "differences": "Differences that the text and the figures speak of, with intervals",
        "table2_rel4": "Table 2 with 4 and 5 stars as relevant (footnote 3)",
        "table3": "Table 3: the top of the list",
        "readings": "Table 2 in six readings of catalogue and candidates",
        "sampling": "Ranking against a sample of the candidates",
        "weights": "A weight for each observed rating value",
        "foldin": "Users and items folded in",
        "cost": "Work of training",
        "chosen": "Settings chosen on xv",
        "chosen_rel4": "Settings chosen on xv with 4 and 5 stars as relevant",
        "grid": "Every setting tried",
    },
    figures={
        "figure1": "Figure 1: ATOP against the imputed rating",
        "figure2": "Figure 2: ATOP against the weight of missing ratings",
        "figure3": "Figure 3: TOPK against k",
    },
)
