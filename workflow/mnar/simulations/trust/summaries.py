"""What all seeds of a mechanism say together, with intervals by the same bootstrap samples of users.

Samples are averaged over seeds as values are. An interval is ± 1.96 standard deviations of them:
resampling adds noise of its own, which would shift percentiles of τ and of places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from mnar.simulations.trust.orders import RESAMPLED

Floats = NDArray[np.float64]
Row = dict[str, Any]
KEYS = ["popularity_exponent", "positivity", "correlation"]
# Measures and estimators by which every single system gets a place.
PLACED_BY = ("adg", "recall@10")
PLACED = (
    "naive",
    "snips(popularity, gamma=1)",
    "snips(logistic)",
    "snips(published)",
    "snips(known)",
)
TRUTH = "truth"
# By what part of τ of the naive mean others say that τ rises.
RISE = 0.4


@dataclass(frozen=True, eq=False)
class Single:
    """A measure of every system by an estimator or by the truth, with samples (systems × samples)."""

    measure: str
    estimator: str
    systems: Sequence[str]
    values: Floats
    samples: NDArray[np.float32]

    @property
    def is_placed(self) -> bool:
        return self.measure in PLACED_BY and self.estimator in (TRUTH, *PLACED)


def summary_of(
    orders: pd.DataFrame,
    settings: Sequence[Row],
    resampled: Sequence[Mapping[tuple[str, str], Mapping[str, Floats]]],
) -> pd.DataFrame:
    """Means of orders over seeds. `gain` is τ − τ of the naive mean, `rise` τ − 1.4 times that of the
    naive mean, `bias_ratio` the absolute bias over that of the naive mean; all by the same samples.
    """
    keys = ["dataset", *KEYS, "measure", "estimator"]
    numbers = [c for c in orders.columns if c not in [*keys, "seed", "flagged"]]
    grouped = orders.groupby(keys, sort=False, dropna=False)
    summary = grouped[numbers].mean().reset_index()
    summary["seeds"] = grouped.size().to_numpy()
    summary["flagged"] = grouped["flagged"].any().to_numpy()
    summary["tau_spread"] = grouped["tau"].std().to_numpy()
    samples: dict[tuple, list[Mapping[str, Floats]]] = {}
    for where, cell in zip(settings, resampled, strict=True):
        for about, again in cell.items():
            samples.setdefault((*_point(where), *about), []).append(again)
    names = [(*map(str, row[:3]), *row[3:]) for row in summary[keys[1:]].itertuples(index=False)]
    found = {
        name: {key: np.mean([one[key] for one in samples[name]], axis=0) for key in RESAMPLED}
        for name in names
    }
    naive = [(*name[:4], "naive") for name in names]
    values = summary.set_index(pd.MultiIndex.from_tuples(names))
    tau, before = values["tau"].to_numpy(), values["tau"].loc[naive].to_numpy()
    summary["gain"], summary["rise"] = tau - before, tau - (1 + RISE) * before
    reached, biased = values["absolute_bias"], values["absolute_bias"].loc[naive].to_numpy()
    summary["bias_ratio"] = (reached / biased).to_numpy()
    errors: dict[str, list[float]] = {}
    for name, first in zip(names, naive, strict=True):
        mine, theirs = found[name], found[first]
        again = {
            "tau": mine["tau"],
            "bias": mine["bias"],
            "gain": mine["tau"] - theirs["tau"],
            "rise": mine["tau"] - (1 + RISE) * theirs["tau"],
            "bias_ratio": mine["absolute_bias"] / theirs["absolute_bias"],
        }
        for key, sample in again.items():
            errors.setdefault(key, []).append(float(np.nanstd(sample)))
    for key, error in errors.items():
        half = 1.96 * np.array(error)
        low, high = summary[key] - half, summary[key] + half
        limits = (-1, 1) if key == "tau" else (-np.inf, np.inf)
        summary[f"{key}_low"], summary[f"{key}_high"] = low.clip(*limits), high.clip(*limits)
    return summary


def systems_of_all(
    name: str,
    settings: Sequence[Row],
    singles: Sequence[Sequence[Single]],
    twins: Mapping[str, str],
) -> pd.DataFrame:
    """Every system: its values, its places, and its truth minus that of its twin (kind)."""
    points: dict[tuple, list[tuple[Row, Sequence[Single]]]] = {}
    for where, cell in zip(settings, singles, strict=True):
        points.setdefault(_point(where), []).append((where, cell))
    rows: list[Row] = []
    for cells in points.values():
        where = {key: cells[0][0][key] for key in KEYS}
        for position, first in enumerate(cells[0][1]):
            seeds = [cell[position] for _, cell in cells]
            about: Row = {"dataset": name} | where | {"measure": first.measure}
            about |= {"estimator": first.estimator, "n": len(seeds)}
            rows += [about | row for row in _rows(first, seeds, twins)]
    return pd.DataFrame(rows)


def _rows(first: Single, seeds: Sequence[Single], twins: Mapping[str, str]) -> list[Row]:
    systems = list(first.systems)
    values, samples = _mean([(one.values, one.samples) for one in seeds])
    kinds = {"value": (values, samples, [""] * len(systems), systems)}
    if first.is_placed:
        placed = _mean([(places(one.values), places(one.samples)) for one in seeds])
        kinds["place"] = (*placed, [""] * len(systems), systems)
    paired = [one for one in systems if twins.get(one) in systems]
    if first.estimator == TRUTH and paired:
        mine = [systems.index(one) for one in paired]
        against = [twins[one] for one in paired]
        other = [systems.index(one) for one in against]
        minus = values[mine] - values[other], samples[mine] - samples[other]
        kinds["difference"] = (*minus, against, paired)
    rows = []
    for kind, (means, again, against, named) in kinds.items():
        half = 1.96 * np.nanstd(again, axis=1)
        low, high = means - half, means + half
        if kind == "place":
            low, high = low.clip(0), high.clip(max=1)
        numbers = zip(named, against, means, low, high, strict=True)
        keys = ("system", "against", "mean", "low", "high")
        rows += [{"kind": kind} | dict(zip(keys, row, strict=True)) for row in numbers]
    return rows


def places(values: NDArray[np.floating]) -> Floats:
    """The share of the other systems that each one beats; ties count half. Systems are rows."""
    return (rankdata(values, axis=0) - 1) / max(len(values) - 1, 1)


def _mean(parts: Sequence[tuple[NDArray, NDArray]]) -> tuple[Floats, Floats]:
    """Means over seeds of values and of samples."""
    values, samples = zip(*parts, strict=True)
    return np.mean(values, axis=0), np.mean(samples, axis=0, dtype=np.float64)


def _point(where: Row) -> tuple[str, ...]:
    return tuple(str(where[key]) for key in KEYS)
