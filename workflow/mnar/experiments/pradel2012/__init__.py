"""Pradel, Usunier, Gallinari 2012: AUC, AUC_AMAN and AUC_rand against the weight of missing ratings."""

from mnar.core.palette import ORANGE
from mnar.reporting.charts import Chart
from mnar.reporting.outline import Outline

STUDY = "pradel2012"
METHOD, BINARY = "pradel-allrank", "pradel-allrank-binary"
# Where the best w_m is looked for; head shares are described, not aimed at.
GOALS = ("auc", "auc_rand", "auc_complete", "auc_aman", "recall@10")
# Of user-selected ratings alone.
ALONE = ("auc", "auc_aman", "recall@10")
# The four models of Table 1, as (w_m, λ).
MODELS = ((0, 0.1), (0.001, 0.01), (0.1, 0.01), (0.5, 0.01))

OUTLINE = Outline(
    title="Pradel, Usunier, Gallinari 2012: Ranking with non-random missing ratings",
    compares_ratings=True,
    studies=(STUDY,),
    extras=("results/data/{dataset}/interactions.parquet",),
    truth_extras=("results/data/{dataset}/truth.npz", "results/data/{dataset}/summary.json"),
    tables={
        "datasets": "Size of the dataset",
        "table1": "Table 1: four models by every measure",
        "table2": "Table 2: λ at fixed w_m",
        "table3": "Table 3: the best model for each measure, with its head items",
        "interval_rule": "The interval rule against choosing by one measure",
        "optima": "The optimum of each measure, and how certain it is",
        "differences": "Differences that the text speaks of, with intervals",
        "values_vs_binary": "Training on rating values against binary ratings",
        "chosen": "Settings chosen by the interval rule",
    },
    figures={
        "figure1": "Figure 1: ratings by popularity of the items, user-selected beside random",
        "figure2": "Figure 2: measures against the weight of missing ratings",
        "figure3": "Figure 3: the same from user-selected ratings alone",
        "user_model": "The user model of section 3: which ranking a measure prefers",
    },
    needs={"user_model": "truth"},
    general={"synthetic_grid": "Behaviour on generated data, over a grid of generator settings"},
    across=("datasets", "table1", "table3"),
    lead=("table1", "optima", "figure2"),
    see={
        "datasets": "How near the data are to those of the paper.",
        "table1": "See which model each measure puts first: AUC and the others disagree.",
        "table2": "See whether AUC needs more penalty than the others.",
        "table3": "See how many popular items the best model by each measure recommends.",
        "interval_rule": "Compare the rule's choice with that by one measure.",
        "optima": "Compare the best weights: each measure asks for another one.",
        "differences": "Each line has its interval; those that contain 0 decide nothing.",
        "values_vs_binary": "See whether rating values help over liked or not.",
        "chosen": "The settings that the interval rule took in each run.",
        "synthetic_grid": "See which statements hold under all settings of the generator.",
        "figure1": "Compare the panels: do popular items have higher ratings?",
        "figure2": "AUC falls where the others rise: compare the stars, and see the range in grey.",
        "figure3": "The same without random ratings: does the range in grey stay?",
        "user_model": "See which effect of selection bends which measure.",
    },
    charts={
        name: tuple(
            Chart(
                kind="lines",
                title=title,
                x="missing_weight",
                y="relative",
                error="relative_sem",
                log=True,
                filter="measure",
                colour="measure",
                only={"kind": ("sweep",), "measure": shown},
                looks={"auc_complete": ("AUC, complete data", ORANGE)},
                zero=True,
                star="optimum",
                band=("auc", "auc_aman"),
                x_title="weight of missing ratings",
                y_title="(value − mean) / mean, %",
            )
            for title, shown in (
                ("AUC", tuple(one for one in goals if one.startswith("auc"))),
                ("Recall@10", ("recall@10",)),
            )
        )
        for name, goals in (("figure2", GOALS), ("figure3", ALONE))
    },
    # Without random ratings, Figure 2 is from user-selected ratings alone already.
    repeats_without={"figure3": "random"},
)
