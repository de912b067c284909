"""Estimators: a measure on held-out ratings, weighed for how users chose what they rated.

names          how an estimator is written: adg~snips(popularity)
selected       what it may look at: the ratings, split by the protocol `selected`
propensities   how likely a pair was to be held out, one file a model
weights        the weight of each pair, and the effective sample size
gains          the value of each pair under a measure
means          their weighted mean, with bootstrap samples over users
sensitivity    without any truth: how wrong the weights must be to turn an order (Γ)

All are defined in docs/trust.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.estimators import doubly_robust
from mnar.estimators.gains import finished, gains_of
from mnar.estimators.means import Means, weighted_means
from mnar.estimators.names import Estimator, parse
from mnar.estimators.selected import Selected
from mnar.estimators.weights import LEAST_EFFECTIVE, Weights, weights_of
from mnar.matrices.factor_model import FactorModel
from mnar.statistics.bootstrap import user_samples

__all__ = ["Estimate", "Selected", "estimate", "estimate_means", "parse"]

Floats = NDArray[np.float64]
SAMPLES = 1000


@dataclass(frozen=True)
class Estimate:
    """The value of one model, its 95 % interval, and on how many pairs it rests."""

    name: str
    value: float
    low: float
    high: float
    effective: float

    @property
    def flagged(self) -> bool:
        """The weights rest on a few pairs: do not trust the value."""
        return self.effective < LEAST_EFFECTIVE


def estimate(
    models: Sequence[FactorModel],
    selected: Selected,
    names: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    relevant_sizes: NDArray[np.integer] | None = None,
    threads: int = 1,
) -> list[list[Estimate]]:
    """Every estimator of every model: one list a model.

    `relevant_sizes`, the number of relevant unseen items of each user, is what ips divides by.
    """
    wanted = [parse(name) for name in names]
    keys = list(dict.fromkeys(one.gain for one in wanted))
    gains = [gains_of(model, selected, keys, threads) for model in models]
    times = user_samples(selected.shape[0], samples, seed) if samples else None
    found: list[list[Estimate]] = [[] for _ in models]
    for one in wanted:
        weights = weights_of(one, selected, times)
        stacked = np.stack([mine[one.gain] for mine in gains])
        totals = None
        if one.weighting == "dr":
            each = [doubly_robust.imputed_totals(m, selected, [one.measure]) for m in models]
            totals = np.stack([mine[one.measure] for mine in each])
        means = estimate_means(one, stacked, weights, selected, times, totals, relevant_sizes)
        for mine, value, low, high in zip(found, means.values, *means.interval(), strict=True):
            mine.append(Estimate(str(one), float(value), float(low), float(high), means.effective))
    return found


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
