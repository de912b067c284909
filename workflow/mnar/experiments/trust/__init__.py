"""Trust: which number can you believe, when users chose what they rated?"""

from mnar.reporting.outline import Outline

# What mnar.simulations.trust.experiment writes for a dataset.
FRAMES = ("orders", "estimates", "summary", "price", "gamma")

OUTLINE = Outline(
    title="Trust: which estimator orders systems as the truth does",
    studies=(),
    extras=tuple(f"results/simulations/{{dataset}}/trust_{name}.csv" for name in FRAMES),
    tables={
        "trust": "Every estimator against the truth",
        "gamma": "Γ: how often an order is right, by what it would take to turn it",
        "training": "Correcting in training: MF-IPS against the same without weights",
    },
    figures={
        "trust_plot": "Who orders systems as the truth does",
        "maps": "Kendall's τ and wrong decisions over mechanisms",
        "scatter": "Truth against estimate, before and after correction",
        "price": "The price of truth: random ratings against τ and regret",
    },
    needs={"maps": "complete", "price": "complete"},
)
