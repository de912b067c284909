"""Dror, Koenigstein, Koren, Weimer 2011: the Yahoo! Music data, Track 1 and Track 2 of KDD-Cup."""

from mnar.reporting.outline import Outline

VIEW = "kddcup2011"
TRACK1, TRACK2 = "kddcup2011-track1", "kddcup2011-track2"
BLEND = "blend"
# What the methods are compared with: the same factorisation, but of observed ratings only.
BASELINE = "observed-only"
# The same method without and with the taxonomy, and the step's name: first what the paper speaks of.
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
    studies=(TRACK1, TRACK2),
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
        "steps": "The same step of modelling, in RMSE and in Track 2 error (section 5)",
        "differences": "Differences that the text speaks of, with intervals",
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
)
