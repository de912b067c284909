"""Pradel, Usunier, Gallinari 2012: AUC, AUC_AMAN and AUC_rand against the weight of missing ratings."""

from mnar.reporting.outline import Outline

STUDY = "pradel2012"
METHOD, BINARY = "pradel-allrank", "pradel-allrank-binary"
# The four models of Table 1, as (w_m, λ).
MODELS = ((0, 0.1), (0.001, 0.01), (0.1, 0.01), (0.5, 0.01))

OUTLINE = Outline(
    title="Pradel, Usunier, Gallinari 2012: Ranking with non-random missing ratings",
    studies=(STUDY,),
    extras=("results/data/{dataset}/interactions.parquet",),
    truth_extras=("results/data/{dataset}/truth.npz", "results/data/{dataset}/summary.json"),
    tables={
        "datasets": "Datasets, obtained beside published",
        "table1": "Table 1: four models by every measure",
        "table2": "Table 2: λ at fixed w_m",
        "table3": "Table 3: the best model for each measure, with its head items",
        "interval_rule": "The interval rule against choosing by one measure",
        "optima": "Where each measure has its optimum, and how surely",
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
)
