"""Dror, Koenigstein, Koren, Weimer 2011: the Yahoo! Music data, Track 1 and Track 2 of KDD-Cup."""

from mnar.reporting.charts import Chart
from mnar.reporting.outline import Outline

VIEW = "kddcup2011"
TRACK1, TRACK2 = "kddcup2011-track1", "kddcup2011-track2"
# The task of Track 1, but all data are split at one moment.
ONE_MOMENT = "kddcup2011-time"
BLEND = "blend"
# The baseline of the methods: the same factorisation of observed ratings only.
BASELINE = "observed-only"
# Whose factors the text compares, in the track's error.
SWEPT = {TRACK1: "mf-biased", TRACK2: "allrank-binary-factors"}
# The same method without and with the taxonomy, and the step's name: first the one in the paper.
TAXONOMY_STEPS = {
    TRACK1: {"taxonomy": ("mf-biased", "mf-taxonomy")},
    TRACK2: {
        "taxonomy": ("mf-balanced", "mf-balanced-taxonomy"),
        "taxonomy, observed ratings only": ("mf-biased-track2", "mf-taxonomy"),
    },
}

_SPLIT = "results/splits/{dataset}/kddcup2011"

OUTLINE = Outline(
    title="Dror, Koenigstein, Koren, Weimer 2011: the Yahoo! Music dataset and KDD-Cup'11",
    compares_ratings=True,
    studies=(TRACK1, TRACK2, ONE_MOMENT),
    audited_view=VIEW,
    extras=(
        "results/data/{dataset}/interactions.parquet",
        "results/data/{dataset}/items.parquet",
        "results/data/{dataset}/summary.json",
        f"{_SPLIT}/track1.npz",
        f"{_SPLIT}/track2.npz",
        *(
            f"results/analyses/{track}/{{dataset}}/{BLEND}.{ending}"
            for track in (TRACK1, TRACK2)
            for ending in ("csv", "npz")
        ),
    ),
    tables={
        "table1": "Table 1: sizes",
        "profile": "The dataset in numbers (section 2.2)",
        "track1": "Track 1: RMSE of every method",
        "track2": "Track 2: error of every method",
        "blend": "Least-squares blend of all methods",
        "leaks": "What training knows of the future, under every protocol",
        "one_moment": "Track 1 if all data are split at one moment",
        "steps": "The same step of modelling, in RMSE and in Track 2 error (section 5)",
        "differences": "Differences that the paper's text states, with intervals",
        "chosen": "Settings chosen on validation",
        "grid": "Every setting tried",
    },
    figures={
        "figure1": "Figure 1: ratings and mean rating by week",
        "figure2": "Figure 2: distribution of ratings",
        "figure3": "Figure 3: kinds of rating values by week",
        "figure4": "Figure 4: means of users and of items",
        "figure5": "Figure 5: mean rating against activity",
        "figure6": "Figure 6: types of items against activity",
        "long_tail": "Long tail of popularity",
        "track2_plot": "Track 2 error of every method",
        "factors": "RMSE and Track 2 error against the number of factors",
    },
    needs={"figure1": "timestamps", "figure3": "timestamps", "figure6": "item-types"},
    across=("table1", "track1", "track2"),
    lead=("track1", "track2_plot", "factors"),
    see={
        "table1": "How large the two tasks are.",
        "profile": "Compare the shape of the data with that of the paper.",
        "track1": "Lower is better: see how far the blend is ahead of the best single method.",
        "track2": "Lower is better: see where methods that learn from missing ratings stand.",
        "blend": "See how much the mix gains over the best single method.",
        "steps": "Compare the two percentages: what does the same step gain in either track?",
        "leaks": "Read the share of test ratings of which training has seen the future.",
        "one_moment": "Compare with Track 1: does the order of methods stay without knowledge of the future?",
        "differences": "Each line has its interval; those that contain 0 decide nothing.",
        "chosen": "Settings by fold; an edge means that the search may have ended too early.",
        "grid": "Every setting with its score on validation.",
        "figure1": "See whether numbers and means of ratings drift with time.",
        "figure2": "Compare the bars of training and held-out ratings.",
        "figure3": "See when which rating values came into use.",
        "figure4": "Compare the widths: do items differ more than users?",
        "figure5": "See whether busy users rate lower.",
        "figure6": "See which types of items busy users rate.",
        "long_tail": "See how few items have most of the ratings.",
        "track2_plot": "Farther left is better; the dotted line is chance.",
        "factors": "See whether more factors still help, and which measure notices.",
    },
    charts={
        "factors": (
            Chart(
                kind="lines",
                x="factors",
                y="mean",
                error="sem",
                log=True,
                panel=("measure",),
                only={"set": ("test",)},
                named=True,
                x_title="factors",
                y_title="on test",
                caption="RMSE (Track 1) and error (Track 2) against the number of factors, other settings "
                "tuned on validation. Bars: standard errors over folds.",
            ),
            Chart(
                kind="lines",
                title="Relative to the fewest factors that all methods have",
                x="factors",
                y="relative",
                log=True,
                zero=True,
                same_scale=True,
                panel=("measure",),
                only={"set": ("test",)},
                named=True,
                x_title="factors",
                y_title="change, %",
            ),
        ),
    },
)
