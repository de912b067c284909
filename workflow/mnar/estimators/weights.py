"""The weight of each pair under a weighting: of the data, and of each bootstrap sample."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.estimators import propensities
from mnar.estimators.names import Estimator
from mnar.estimators.selected import PAIRS, Pairs, Selected

Floats = NDArray[np.float64]

# Weights that rest on fewer pairs than this are flagged.
LEAST_EFFECTIVE = 50


@dataclass(frozen=True, eq=False)
class Weights:
    """`resampled` has a row for each bootstrap sample where weights differ between samples."""

    pairs: Pairs
    data: Floats
    resampled: Floats | None = None

    @property
    def effective(self) -> float:
        """Effective sample size (Σw)²/Σw²: that many pairs of equal weight would vary as much."""
        squares = float(np.square(self.data).sum())
        return float(self.data.sum()) ** 2 / squares if squares else 0.0


def weights_of(estimator: Estimator, selected: Selected, times: Floats | None = None) -> Weights:
    """Weights for an estimator; `times` are bootstrap samples of users (see propensities)."""
    pairs = PAIRS[estimator.pairs](selected.held_out)
    if estimator.model is None:
        data = np.ones(len(pairs.first))
        if estimator.weighting == "aman":
            own = np.bincount(pairs.users, minlength=selected.shape[0])
            data = (selected.candidates - own)[pairs.users].astype(np.float64)
        return Weights(pairs, data)
    settings = dict(estimator.settings)

    def weigh(samples: Floats | None) -> Floats:
        chances = propensities.chances(estimator.model or "", selected, settings, samples)
        inverse = 1 / chances[..., pairs.first]
        if pairs.second is not None:
            inverse /= chances[..., pairs.second]
        return inverse

    data = weigh(None)
    resampled = None if times is None else weigh(times)
    fixed = resampled is None or resampled.ndim == 1
    if estimator.clip is not None:
        data = _clipped(data, estimator.clip)
        resampled = None if resampled is None else _clipped(resampled, estimator.clip)
    if estimator.weighting == "wtd":
        rows = 0 if times is None else len(times)
        return _halved(pairs, data, resampled, rows, selected.seed, estimator.scheme)
    return Weights(pairs, data, None if fixed else resampled)


def _clipped(weights: Floats, quantile: float) -> Floats:
    return np.minimum(weights, np.quantile(weights, quantile, axis=-1, keepdims=True))


def _halved(
    pairs: Pairs, data: Floats, resampled: Floats | None, rows: int, seed: int, scheme: str
) -> Weights:
    """WTD (Carraro and Bridge 2020): half of the pairs, drawn by weight, count alike.

    Drawn without replacement by the smallest of exponential numbers over weights. Each bootstrap
    sample draws again, so that its interval knows of the drawing.
    """
    random = generator(seed, "wtd", scheme)
    size = -(-len(data) // 2)

    def drawn(weights: Floats) -> Floats:
        keys = random.standard_exponential(len(weights)) / weights
        chosen = np.zeros(len(weights))
        chosen[np.argpartition(keys, size - 1)[:size] if size else []] = 1
        return chosen

    first = drawn(data)
    if resampled is None:
        return Weights(pairs, first)
    every = np.broadcast_to(resampled, (rows, len(data)))
    return Weights(pairs, first, np.stack([drawn(row) for row in every]))
