"""Differences that kddcup2011 speaks of, each with its interval over users."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.experiments.kddcup2011 import BASELINE, BLEND, SWEPT, TAXONOMY_STEPS, TRACK1, TRACK2
from mnar.experiments.kddcup2011.factor_sweep import PARAMETER
from mnar.experiments.kddcup2011.statements import Profile
from mnar.experiments.kddcup2011.track_means import MEASURE, Means, Values, change, row
from mnar.reporting.difference_table import shown_differences
from mnar.reporting.results import Results
from mnar.reporting.sweeps import swept_methods
from mnar.reporting.table_format import Table
from mnar.statistics.bootstrap import MOST_DRAWN, SAMPLES
from mnar.statistics.user_values import resampled

Rows = Iterator[dict[str, Any]]
ENTRIES = ("allrank-regression", "allrank-binary-regression", "dense-svd", "mf-balanced")
PAIRWISE = ("mf-auc", "mf-adg", "bpr")
# Track 1: kinds of single models, and pairs that the text compares (first minus second).
FACTORISATIONS = ("observed-only", "mf-biased", "mf-taxonomy", "mf-temporal")
OTHER_KINDS = ("item-knn", "user-knn", "rbm")
SYSTEMS = {
    TRACK1: (("item-knn", "user-knn"), ("mf-temporal", "mf-biased-fixed")),
    TRACK2: (("item-knn-ranking", "user-knn-ranking"),),
}
BALANCED, ALL_MISSING = "mf-balanced", "allrank-binary-regression"
POPULAR = "bestseller-count-relevant"
KEYS = ["dataset", "fact", "track", "method", "minus", "measure", "at"]
HALVINGS, TOP = 1000, 3
# The largest number of factors is compared with the largest that is at most this share of it: 100 with
# 400 in the grids for large data. Quick grids end at fewer.
PART = 0.25


def differences(results: Results) -> Table:
    """Everything that a claim compares on Track 1 and Track 2, and in the profile."""
    means = Means(results)
    rows = [found for part in (_errors, _kinds, _systems, _steps, _halves) for found in part(means)]
    rows += _profile(results)
    tidy = pd.DataFrame(rows).assign(dataset=results.dataset)
    tidy = tidy.reindex(columns=[*KEYS, "mean", "low", "high"])
    tidy = tidy.assign(sem=np.nan, n=1, published=np.nan, difference=np.nan)
    shown = shown_differences(tidy, {name: name for name in KEYS[1:]} | {"fact": "quantity"})
    notes = [
        f"95 % intervals: bootstrap over users, folds averaged ({SAMPLES} samples); of skewness and "
        "correlations by their standard errors.",
        f"Halves: how often, over {HALVINGS} random halvings of the test users, the best {TOP} "
        "methods stand in the same order on both.",
    ]
    return Table(tidy, shown, f"Differences with intervals on {results.dataset}.", notes)


def _errors(means: Means) -> Rows:
    """Methods of Track 2 on their own, and against others."""
    here = means.methods(TRACK2)
    if POPULAR in here:
        yield row("error", means.of(TRACK2, POPULAR), track="track2", method=POPULAR)
    if BALANCED not in here:
        return
    for other in (BASELINE, ALL_MISSING):
        for measure in means.measured(TRACK2, BALANCED) if other in here else ():
            sides = [means.of(TRACK2, method, measure) for method in (BALANCED, other)]
            where = {"track": "track2", "method": BALANCED, "minus": other, "measure": measure}
            yield row("difference", sides[0] - sides[1], **where)
            if sides[1][0] > 0:
                yield row("change in %", change(*sides), **where)


def _kinds(means: Means) -> Rows:
    """Regression of single entries against ranking by pairs; the best of a kind on validation."""
    here = [method for method in PAIRWISE if method in means.methods(TRACK2)]
    if not here or not set(ENTRIES) & set(means.methods(TRACK2)):
        return
    best = means.best(TRACK2, ENTRIES)
    single = means.of(TRACK2, best)
    pairs = {method: means.of(TRACK2, method) for method in here}
    chosen = means.best(TRACK2, PAIRWISE)
    where = {"track": "track2", "measure": "track2_error"}
    gap = single - pairs[chosen]
    yield row("best regression − best by pairs", gap, method=best, minus=chosen, **where)
    for method, values in pairs.items():
        gap = values - single
        yield row("by pairs − best regression", gap, method=method, minus=best, **where)


def _systems(means: Means) -> Rows:
    """Systems against each other, and the best factorisation against the best of other kinds."""
    for study, pairs in SYSTEMS.items():
        for first, second in pairs:
            if {first, second} <= set(means.methods(study)):
                sides = [means.of(study, method) for method in (first, second)]
                where = {"track": study[-6:], "method": first, "minus": second}
                where["measure"] = MEASURE[study]
                yield row("systems", sides[0] - sides[1], **where)
                yield row("systems, change in %", change(*sides), **where)
    here = set(means.methods(TRACK1))
    if set(FACTORISATIONS) & here and set(OTHER_KINDS) & here:
        best, other = (means.best(TRACK1, kind) for kind in (FACTORISATIONS, OTHER_KINDS))
        gap = means.of(TRACK1, best) - means.of(TRACK1, other)
        where = {"track": "track1", "method": best, "minus": other, "measure": "rmse"}
        yield row("best factorisation − best of other kinds", gap, **where)


def _steps(means: Means) -> Rows:
    """The same step in both tracks, in per cent of the error before; and the median of all steps."""
    changes: dict[str, dict[str, Values]] = {}
    sizes: dict[str, list[Values]] = {measure: [] for measure in MEASURE.values()}
    for study, measure in MEASURE.items():
        pairs = TAXONOMY_STEPS[study] | {"blend": (means.best(study), BLEND)}
        for step, (before, after) in pairs.items():
            if {before, after} <= set(means.methods(study)):
                gap = change(means.of(study, after), means.of(study, before))
                changes.setdefault(step, {})[measure] = gap
                sizes[measure].append(np.abs(gap))
                yield row(f"{step}, change in %", gap, method=after, minus=before, measure=measure)
    for step, found in changes.items():
        if len(found) == len(MEASURE):
            error, rmse = found["track2_error"], found["rmse"]
            yield row(f"{step}, error − RMSE in %", error - rmse)
            yield row(f"{step}, error − 5 × RMSE in %", error - 5 * rmse)
    yield from _factors(means, sizes)
    medians = {m: np.median(steps, axis=0) for m, steps in sizes.items()}
    for measure, median in medians.items():
        yield row("median step in %", median, measure=measure)
    gap = medians["track2_error"] - medians["rmse"]
    yield row("median step, error − RMSE in %", gap)


def _factors(means: Means, sizes: dict[str, list[Values]]) -> Rows:
    """From many factors to more, in per cent; the size of each single step joins `sizes`."""
    last: dict[str, Values] = {}
    for study, measure in MEASURE.items():
        for method in swept_methods(means.results, study, PARAMETER):
            along = means.along(study, method, PARAMETER)
            sizes[measure] += [np.abs(change(along[b], along[a])) for a, b in pairwise(along)]
            fewer = [value for value in along if value <= PART * max(along)]
            if fewer:
                few, many = max(fewer), max(along)
                last[method] = change(along[many], along[few])
                where = {"track": study[-6:], "method": method, "measure": measure}
                at = f"{few:g} to {many:g} factors"
                yield row("more factors, change in %", last[method], at=at, **where)
    error, rmse = (SWEPT[study] for study in (TRACK2, TRACK1))
    if {error, rmse} <= last.keys():
        gap = last[error] - last[rmse]
        yield row("more factors, error − RMSE in %", gap, method=error, minus=rmse)


def _halves(means: Means) -> Rows:
    """Test1 and Test2: are the best methods the same on random halves of the users?"""
    random = generator(means.results.dataset, "halves")
    drawable = min(means.users, MOST_DRAWN)
    half = (random.random((HALVINGS, drawable)) < 0.5).astype(np.float64)
    for study, measure in MEASURE.items():
        methods = means.methods(study)
        orders = []
        for times in (half, 1 - half):
            found = [
                resampled(means.folds(study, m, measure), means.average(study), times)
                for m in methods
            ]
            orders.append(np.argsort(found, axis=0, kind="stable")[:TOP])
        share = float((orders[0] == orders[1]).all(axis=0).mean())
        yield {
            "fact": "the best three in one order on both halves",
            "track": study[-6:],
            "mean": share,
        }


def _profile(results: Results) -> Rows:
    """The statements of section 2.2 on means of users and of items."""
    profile = Profile(results)
    sides = [side["mean_rating"].to_numpy() for side in (profile.users, profile.rated_items)]
    (users, user_error), (items, item_error) = map(skewness_and_error, sides)
    reach = 1.96 * np.hypot(user_error, item_error)
    gap = abs(users) - abs(items)
    fact = {"fact": "|skewness| of user means − of item means", "mean": gap}
    yield fact | {"low": gap - reach, "high": gap + reach}
    activity = profile.users["ratings"].to_numpy()
    if np.ptp(activity) > 0 and np.ptp(sides[0]) > 0:
        rho = profile.users.select(pl.corr("ratings", "mean_rating", method="spearman")).item()
        reach = 1.96 * np.sqrt((1 + rho**2 / 2) / max(len(activity) - 3, 1))
        low, high = np.tanh(np.arctanh(rho) + np.array([-reach, reach]))
        row = {"fact": "correlation of activity and mean rating", "mean": rho}
        yield row | {"low": float(low), "high": float(high)}


def skewness_and_error(values: NDArray[np.floating]) -> tuple[float, float]:
    """Skewness, and its standard error by the influence of each value."""
    spread = values.std()
    if not spread > 0:
        return 0.0, 0.0
    z = (values - values.mean()) / spread
    skewness = float((z**3).mean())
    influence = z**3 - skewness - 3 * z - 1.5 * skewness * (z**2 - 1)
    return skewness, float(influence.std() / np.sqrt(len(values)))
