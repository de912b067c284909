"""Trust: many systems ordered by every estimator, and by the truth (docs/trust.md).

systems         which systems are compared, and their training
scenes          ratings, training, held-out part, truth: simulated selection, or real data
looks           the gains of every system on all sets of a scene
order_kernels   Kendall's τ and paired signs over bootstrap samples
orders          from estimates and truth to bias, τ, regret, decisions
price           the price of truth: random ratings collected against what they buy
gammas          how often an order is right, by the Γ that would turn it
redraw          known chances: held-out sets drawn again and again for fixed systems
summaries       seeds taken together, with intervals
experiment      all mechanisms and seeds of a dataset, as tables
"""

from pathlib import Path
from typing import Any

from mnar.estimators.propensities.published import read
from mnar.matrices.view import View
from mnar.simulations.trust.experiment import Frames, run_observed, run_simulated
from mnar.simulations.trust.scenes import complete_matrix, synthetic_matrix


def run(
    dataset: str,
    view: View | None,
    about: dict[str, Any],
    seed: int,
    threads: int,
    published: Path | None = None,
) -> Frames:
    """The experiment on one dataset; `about` has its settings, scale, protocol and what it has.

    `published` is a file of propensities, one for each user and item.

    Without a view, complete ratings are generated. Where users rated everything, selection is
    simulated; elsewhere users chose by themselves, and random ratings are the truth.
    """
    entry = about["settings"]
    if view is None:
        complete = synthetic_matrix(entry["generator"], seed)
        return run_simulated(dataset, complete, entry, seed, threads)
    scale = tuple(about["scale"])
    if "complete" in about["has"]:
        return run_simulated(dataset, complete_matrix(view, scale), entry, seed, threads)
    chances = None if published is None else read(published, view)
    return run_observed(dataset, view, about["protocol"], scale, entry, seed, threads, chances)
