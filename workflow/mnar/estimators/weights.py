"""The weight of each pair under a weighting: of the data, and of each bootstrap sample."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.estimators import propensities
from mnar.estimators.estimator_names import Estimator, parse
from mnar.estimators.selected_ratings import Pairs, Selected

Floats = NDArray[np.float64]

# Weights that rest on fewer pairs than this are flagged.
LEAST_EFFECTIVE = 50


@dataclass(frozen=True, eq=False)
class Weights:
    """`resampled` has a row for each bootstrap sample where weights differ between samples.

    In single precision: they are samples × pairs, and no interval shows the difference.
    """

    pairs: Pairs
    data: Floats
    resampled: NDArray[np.floating] | None = None

    @property
    def effective(self) -> float:
        """Effective sample size (Σw)²/Σw²: that many pairs of equal weight would vary as much."""
        squares = float(np.square(self.data).sum())
        return float(self.data.sum()) ** 2 / squares if squares else 0.0


@dataclass(frozen=True, eq=False)
class Inverse:
    """1/π̂ of each held-out rating, of the data and (samples × ratings) where it is estimated again."""

    data: Floats
    resampled: NDArray[np.floating] | None = None


def inverse_of(estimator: Estimator, selected: Selected, times: Floats | None = None) -> Inverse:
    """1/π̂ by an estimator's model; it serves all estimators with that model."""
    assert estimator.model is not None
    given = (estimator.model, selected, dict(estimator.settings))
    data = 1 / propensities.chances(*given, None)
    if times is None:
        return Inverse(data)
    chances = propensities.chances(*given, times)
    if chances.ndim == 1:
        return Inverse(data)
    return Inverse(data, 1 / chances.astype(np.float32, copy=False))


def weights_of(
    estimator: Estimator,
    selected: Selected,
    times: Floats | None = None,
    inverse: Inverse | None = None,
) -> Weights:
    """Weights for an estimator; `times` are bootstrap samples of users (see propensities)."""
    pairs = selected.pairs[estimator.pairs]
    if estimator.model is None:
        data = np.ones(len(pairs.first))
        if estimator.weighting == "aman":
            own = np.bincount(pairs.users, minlength=selected.shape[0])
            data = (selected.candidates - own)[pairs.users].astype(np.float64)
        return Weights(pairs, data)
    inverse = inverse or inverse_of(estimator, selected, times)
    data = _of_pairs(inverse.data, pairs, estimator.clip)
    resampled = None
    if inverse.resampled is not None:
        resampled = _of_pairs(inverse.resampled, pairs, estimator.clip)
    if estimator.weighting == "wtd":
        rows = 0 if times is None else len(times)
        return _halved(pairs, data, resampled, rows, selected.seed, estimator.scheme)
    return Weights(pairs, data, resampled)


def weigher(make: Callable[[], Selected]) -> Callable[[str], Floats]:
    """What a context is given: weights of the relevant held-out ratings, by the name of a weighting.

    `make` gives what weights are computed from; that is done once a name, for all models.
    """
    known: dict[str, Floats] = {}

    def weigh(scheme: str) -> Floats:
        if scheme not in known:
            # Means over relevant items have the same weights, whatever the measure.
            known[scheme] = weights_of(parse(f"adg~{scheme}"), make()).data
        return known[scheme]

    return weigh


def _of_pairs(inverse: NDArray, pairs: Pairs, clip: float | None) -> NDArray:
    """The weight of each pair: 1/π̂, or the product of both where two are compared."""
    weights = inverse.take(pairs.first, axis=-1)
    if pairs.second is not None:
        weights *= inverse.take(pairs.second, axis=-1)
    return weights if clip is None else _clipped(weights, clip)


def _clipped(weights: NDArray, quantile: float) -> NDArray:
    return np.minimum(weights, np.quantile(weights, quantile, axis=-1, keepdims=True))


def _halved(
    pairs: Pairs, data: Floats, resampled: NDArray | None, rows: int, seed: int, scheme: str
) -> Weights:
    """WTD (Carraro and Bridge 2020): half of the pairs, drawn by weight, count alike.

    Drawn without replacement by the smallest of exponential numbers over weights. Each bootstrap
    sample draws again, so that its interval knows of the drawing.
    """
    random = generator(seed, "wtd", scheme)
    size = -(-len(data) // 2)

    def drawn(weights: NDArray) -> Floats:
        keys = random.standard_exponential(len(weights)) / weights
        chosen = np.zeros(len(weights))
        chosen[np.argpartition(keys, size - 1)[:size] if size else []] = 1
        return chosen

    first = drawn(data)
    if not rows:
        return Weights(pairs, first)
    every = np.broadcast_to(data if resampled is None else resampled, (rows, len(data)))
    return Weights(pairs, first, np.stack([drawn(row) for row in every]))
