"""Trust: which number can you believe, when users chose what they rated?"""

from mnar.reporting.charts import Chart
from mnar.reporting.outline import Outline

# The fields of mnar.simulations.trust.Frames, as a test holds: every start of Snakemake would load it.
FRAMES = ("orders", "estimates", "summary", "price", "gamma", "redraw", "systems")

OUTLINE = Outline(
    title="Trust: which estimator orders systems as the truth does",
    studies=(),
    compares_ratings=True,
    truth_from=("random", "complete"),
    extras=tuple(f"results/simulations/{{dataset}}/trust_{name}.csv" for name in FRAMES),
    tables={
        "answer": "The answer in short",
        "trust": "Every estimator against the truth",
        "errors": "Every estimator of errors against the truth",
        "gamma": "Γ: how often an order is right, by the error of weights that would turn it",
        "redraw": "Known chances: bias over many held-out sets",
        "systems": "Every system: its truth, what is estimated, and its place",
        "training": "Correcting in training: MF-IPS against the same without weights",
    },
    figures={
        "trust_plot": "Who orders systems as the truth does",
        "maps": "Kendall's τ and wrong decisions over mechanisms",
        "scatter": "Truth against estimate, before and after correction",
        "price": "The price of truth: random ratings against τ and regret",
    },
    needs={"maps": "complete"},
    headline="trust_plot",
    further={"results/trust/across.svg": "Every real dataset of this experiment in one figure"},
    lead=("trust_plot", "answer", "maps", "price"),
    see={
        "answer": "Read this first: the numbers of this dataset in a few sentences.",
        "redraw": "Intervals that contain 0 are unbiased; the naive ones do not.",
        "systems": "Compare the places of a system by truth and by estimate.",
        "trust": "Compare τ of each estimator with what is attainable, then read the share decided wrongly.",
        "errors": "Positivity alone does harm here: compare naive, SNIPS and doubly robust.",
        "gamma": "Orders are right where Γ exceeds what the true chances need; below that it says nothing.",
        "training": "Compare each row with the one without weights: does correcting in training help?",
        "trust_plot": "Each row computes a measure in another way: naive is the plain mean; SNIPS, IPS and "
        "WTD correct it by the chance of being rated. The farther right a dot, the closer its order of "
        "systems is to the truth; left of 0 it is against the truth.",
        "maps": "Blue is the right order, red a wrong one: see which estimator turns red, and where.",
        "scatter": "Points on the dashed line are right; a cloud that falls is an order upside down.",
        "price": "See how few random ratings a user bring τ above the dashed lines.",
    },
    charts={
        "trust_plot": (
            Chart(
                kind="dots",
                title="Kendall's τ with the truth",
                x="shown_as",
                y="tau",
                low="tau_low",
                high="tau_high",
                filter="shown_as",
                colour="measure",
                panel=("case",),
                more=("attainable", "right", "wrong"),
                zero=True,
                reach="attainable",
                x_title="τ with the truth",
            ),
            Chart(
                kind="bars",
                title="Pairs of systems, decided by ADG",
                x="shown_as",
                y="percent",
                parts=("right", "undecided", "wrong"),
                filter="shown_as",
                colour="part",
                panel=("case",),
                only={"measure": ("adg",)},
                x_title="% of pairs of systems",
            ),
        ),
    },
)
