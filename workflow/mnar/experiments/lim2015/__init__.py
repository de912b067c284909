"""Lim, McAuley, Lanckriet 2015: ADG, MF-ADG against MF-AUC, four folds (Tables 1 and 2)."""

from mnar.reporting.outline import Outline

STUDY = "lim2015"
MEASURES = ("atop", "map", "ndcg", "recall@10", "adg")
PAIR = ("mf-auc", "mf-adg")

OUTLINE = Outline(
    title="Lim, McAuley, Lanckriet 2015: Top-N recommendation with missing implicit feedback",
    studies=(STUDY,),
    extras=("results/analyses/lim2015/{dataset}/learning_curve.csv",),
    tables={
        "datasets": "Datasets, obtained beside published",
        "table1": "Table 1: every method on the test items",
        "table1_candidates": "Table 1 under both readings of the candidates",
        "table2": "Table 2: validation against test",
        "differences": "Differences that the text speaks of, with intervals",
        "chosen": "Settings chosen on validation",
        "grid": "Every setting tried",
    },
    figures={
        "table1_plot": "Table 1 as a dot plot",
        "table2_plot": "Table 2 as relative differences",
        "table1_recall_curve": "Recall@k against k",
        "learning_curve": "Learning curves against iterations, steps and draws",
        "missing_weight": "AllRank: measures against the weight of missing ratings",
    },
    across=("datasets", "table1", "table2"),
)
