"""Steck 2010: ATOP and TOPK, AllRank and bestseller lists (Tables 2 and 3, Figures 1 to 3)."""

from mnar.reporting.charts import Chart
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
# Systems beside the training objectives: a row of Table 3, and one that section 6.1 speaks of.
INTEGRATED = "integrated-model"
COFIRANK = "cofirank"
LISTS = ("bestseller-mean", "bestseller-count", "bestseller-count-relevant")

# The comparisons in the paper's text: the first minus the second.
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
    (ALLRANK, INTEGRATED),
    (INTEGRATED, RMSE_TUNED),
    *((COFIRANK, other) for other in (*LISTS, ATOP_TUNED)),
)

OUTLINE = Outline(
    title="Steck 2010: Training and testing of recommender systems on data missing not at random",
    compares_ratings=True,
    studies=(STUDY, REL4, WEIGHTS),
    extras=(
        "results/analyses/steck2010/{dataset}/ranks.npz",
        "results/analyses/steck2010/{dataset}/fold_in_loss.csv",
        "results/analyses/steck2010/{dataset}/fold_in_loss.npz",
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
        "fold_in": "Users and items folded in",
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
    lead=("table2", "table3", "figure1", "figure2", "figure3"),
    see={
        "table2": "Compare objectives over all entries with those over observed ratings only.",
        "table2_published_settings": "The same without any search of ours.",
        "table2_differences": "Each line has its interval; those that contain 0 decide nothing.",
        "differences": "Each line has its interval; those that contain 0 decide nothing.",
        "table2_rel4": "See whether the order of methods stays with more items taken as relevant.",
        "table3": "Read the TOPK columns: the top of the list is what users see.",
        "readings": "See how much ATOP moves with the reading of catalogue and candidates.",
        "sampling": "See how a sample of candidates changes the value and the order.",
        "weights": "See whether weights by rating value gain anything.",
        "fold_in": "See what is lost when users and items are added without training again.",
        "cost": "Compare the work until convergence.",
        "chosen": "Settings by run; an edge means that the search may have ended too early.",
        "chosen_rel4": "The same with more items taken as relevant.",
        "grid": "Every setting with its score on xv.",
        "figure1": "See how far the imputed rating may be from the mean before ATOP falls.",
        "figure2": "See the jump from 0 to a small weight, and how flat the top is.",
        "figure3": "The second panel is the top of the list: compare the curves there.",
    },
    charts={
        "figure1": (
            Chart(
                kind="lines",
                x="imputed",
                y="mean",
                error="sem",
                dash="set",
                only={"set": ("test", "validation")},
                x_title="imputed rating",
                y_title="ATOP",
            ),
        ),
        "figure2": (
            Chart(
                kind="lines",
                x="missing_weight",
                y="mean",
                error="sem",
                log=True,
                dash="set",
                only={"measure": ("atop",), "set": ("test", "validation")},
                x_title="weight of missing ratings",
                y_title="ATOP",
                caption="ATOP against the weight of missing ratings on a log axis, imputed rating and λ "
                "tuned on xv at each. Bars: standard errors over seeds.",
            ),
        ),
        "figure3": tuple(
            Chart(
                kind="lines",
                title=title,
                x="k",
                y="mean",
                upto=end,
                dash="method",
                only={"method": (ALLRANK, ATOP_TUNED, LISTS[2], LISTS[0])},
                x_title="k, share of the catalogue",
                y_title="TOPK(k)",
                caption=caption,
            )
            for end, title, caption in (
                (
                    1,
                    "The whole list",
                    "TOPK(k) among all items, mean over seeds. Solid: missing ratings are accounted for; "
                    "long dashes: they are ignored; short ones: two bestseller lists.",
                ),
                (0.02, "The top 2 % of the list", ""),
            )
        ),
    },
)
