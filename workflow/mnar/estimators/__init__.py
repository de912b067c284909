"""Estimators: a measure on held-out ratings, weighed for how users chose what they rated.

estimator_names    how an estimator is written: adg~snips(popularity)
selected_ratings   the ratings it may see, split by the protocol `selected`
of_fold            the same for the held-out sets of any study
propensities       how likely a pair was to be held out, one file a model
weights            the weight of each pair, and the effective sample size
gains              the value of each pair under a measure
means              their weighted mean, with bootstrap samples over users
sensitivity        without any truth: how wrong the weights must be to turn an order (Γ)
take_home          what that means in a sentence, beside the Γ that data suggest

All are defined in docs/trust.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.estimators import doubly_robust
from mnar.estimators.estimator_names import MEANS, Estimator, parse
from mnar.estimators.gains import finished, gains_of
from mnar.estimators.means import Means, weighted_means
from mnar.estimators.selected_ratings import Selected
from mnar.estimators.sensitivity import flips
from mnar.estimators.weights import LEAST_EFFECTIVE, Weights, weights_of
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import Model
from mnar.measures.ranking import RankCounts
from mnar.statistics.bootstrap import interval, user_samples

__all__ = [
    "Comparison",
    "Selected",
    "compare_models",
    "estimate_means",
    "parse",
]

Floats = NDArray[np.float64]
SAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Comparison:
    """One estimator of several models."""

    name: str
    means: Means
    # Of each model and pair; and of each pair alone.
    gains: Floats
    weights: Weights
    # Whether the order of two models may turn with the weights: the estimator is a mean over pairs.
    may_turn: bool

    @property
    def flagged(self) -> bool:
        """Whether the weights rest on too few pairs."""
        return self.means.effective < LEAST_EFFECTIVE

    @property
    def gammas(self) -> Floats:
        """The Γ of each two models (i > j); NaN where Γ has no meaning."""
        count = len(self.gains)
        if not self.may_turn:
            return np.full(count * (count - 1) // 2, np.nan)
        return flips(self.gains, self.weights.data)[1]

    def difference(self, i: int, j: int) -> tuple[float, float, float]:
        """Model i − model j with its 95 % interval over the same samples of users."""
        value = float(self.means.values[i] - self.means.values[j])
        if self.means.samples is None:
            return value, np.nan, np.nan
        return value, *interval(self.means.samples[i] - self.means.samples[j])


def compare_models(
    models: Sequence[Model],
    selected: Selected,
    names: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    relevant_sizes: NDArray[np.integer] | None = None,
    threads: int = 1,
    ranked: Sequence[Callable[[], RankCounts]] | None = None,
) -> list[Comparison]:
    """Every estimator of all models together; `ranked`: see gains_of, one for each model.

    ips divides by `relevant_sizes`, the number of relevant unseen items of each user.
    """
    wanted = [parse(name) for name in names]
    keys = list(dict.fromkeys(one.gain for one in wanted))
    gains = [
        gains_of(model, selected, keys, threads, ranked[number] if ranked else None)
        for number, model in enumerate(models)
    ]
    times = user_samples(selected.shape[0], samples, seed) if samples else None
    found = []
    for one in wanted:
        weights = weights_of(one, selected, times)
        stacked = np.stack([mine[one.gain] for mine in gains])
        totals = None
        if one.weighting == "dr":
            each = [
                doubly_robust.imputed_totals(_factors(m, one), selected, [one.measure])
                for m in models
            ]
            totals = np.stack([mine[one.measure] for mine in each])
        means = estimate_means(one, stacked, weights, selected, times, totals, relevant_sizes)
        may_turn = one.kind in (*MEANS, "auc") and one.weighting != "wtd"
        found.append(Comparison(str(one), means, stacked, weights, may_turn))
    return found


def _factors(model: Model, estimator: Estimator) -> FactorModel:
    if not isinstance(model, FactorModel):
        raise UserError(f"{estimator} needs the vectors of a factor model; take snips.")
    return model


def estimate_means(
    estimator: Estimator,
    gains: Floats,
    weights: Weights,
    selected: Selected,
    times: Floats | None,
    totals: Floats | None = None,
    relevant_sizes: NDArray[np.integer] | None = None,
) -> Means:
    """An estimator of many systems from their gains (systems × pairs) and the weights."""
    sizes: NDArray[np.integer] | None = None
    if estimator.weighting == "dr":
        sizes = selected.candidates
    elif estimator.weighting == "ips":
        if relevant_sizes is None:
            raise UserError(
                f"{estimator} divides by the number of all relevant items, which complete data "
                "alone can tell; take snips."
            )
        sizes = relevant_sizes
    means = weighted_means(
        gains,
        weights,
        selected.shape[0],
        times,
        average=estimator.average,
        totals=totals,
        sizes=sizes,
    )
    samples = None if means.samples is None else finished(estimator.measure, means.samples)
    return Means(finished(estimator.measure, means.values), samples, means.effective)
