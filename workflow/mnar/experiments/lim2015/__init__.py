"""Lim, McAuley, Lanckriet 2015: ADG, MF-ADG against MF-AUC, four folds (Tables 1 and 2)."""

from mnar.reporting.charts import Chart
from mnar.reporting.outline import Outline

STUDY = "lim2015"
MEASURES = ("atop", "map", "ndcg", "recall@10", "adg")
PAIR = ("mf-auc", "mf-adg")

OUTLINE = Outline(
    title="Lim, McAuley, Lanckriet 2015: Top-N recommendation with missing implicit feedback",
    studies=(STUDY,),
    extras=("results/analyses/lim2015/{dataset}/learning_curve.csv",),
    tables={
        "datasets": "Size of the dataset",
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
    lead=("table1", "table1_plot", "table2_plot", "learning_curve", "missing_weight"),
    see={
        "datasets": "How near the data are to those of the paper.",
        "table1": "Read the row of differences: an interval without 0 is a sure gain or loss of MF-ADG.",
        "table1_candidates": "Compare the two lines of a method: does ranking all items change who is best?",
        "table2": "Measures near 0 % can be compared between sets of different size, the others cannot.",
        "differences": "Each line has its interval; those that contain 0 decide nothing.",
        "chosen": "Settings by fold; an edge means that the search may have ended too early.",
        "grid": "Every setting with its score on validation.",
        "table1_plot": "Farther right is better; see whether one method leads in all five measures.",
        "table2_plot": "Intervals at 0: missing data do not bias the measure; see which lie far to the left.",
        "table1_recall_curve": "See how the lead over MF-AUC changes with the length of the list.",
        "learning_curve": "See whether a method had stopped learning at the paper's budget (dotted line).",
        "missing_weight": "See at which weight each measure peaks, and how much is lost at 0.",
    },
    charts={
        "table1_recall_curve": (
            Chart(
                kind="lines",
                x="k",
                y="gain",
                error="gain_sem",
                log=True,
                zero=True,
                panel=("family",),
                only={"shown": (True,)},
                named=True,
                same_scale=True,
                x_title="k",
                y_title="Recall@k over MF-AUC, %",
            ),
        ),
        "learning_curve": (
            Chart(
                kind="lines",
                x="iterations",
                y="mean",
                error="sem",
                log=True,
                panel=("measure",),
                x_title="iterations",
                y_title="on test",
                caption="Test values against iterations, at the settings chosen at the paper's budget of a "
                "million.",
            ),
        ),
        "missing_weight": (
            Chart(
                kind="lines",
                x="missing_weight",
                y="mean",
                error="sem",
                log=True,
                panel=("measure",),
                only={"set": ("test",), "measure": MEASURES},
                named=True,
                x_title="weight of missing ratings",
                caption="Test values against the weight of missing ratings, other settings tuned on "
                "validation at each weight. Bars: standard errors over folds.",
            ),
        ),
    },
)
