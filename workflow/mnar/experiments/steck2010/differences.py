"""Differences that steck2010 speaks of, each with its interval over users.

An array of values is the number itself, then its bootstrap samples, all from the same draws of
users, so that whatever is computed from several of them is paired.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar import measures, models
from mnar.experiments.steck2010 import (
    ALLRANK,
    ATOP_TUNED,
    BINARY,
    COMPARED,
    DENSE,
    LISTS,
    LOGISTIC,
    REL4,
    RMSE_TUNED,
    STUDY,
)
from mnar.experiments.steck2010.resampling import Resampling
from mnar.experiments.steck2010.top_of_list import (
    BOOTSTRAP,
    SAMPLE_TOPK,
    TOPS,
    TopOfList,
    sampled,
    top_of_list,
)
from mnar.reporting.results import Results
from mnar.reporting.tables import Table
from mnar.statistics.bootstrap import SAMPLES, interval, resampled_sums, user_samples
from mnar.statistics.correlation import kendall

Values = NDArray[np.float64]
Rows = Iterator[dict[str, Any]]
OTHERS = (ALLRANK, DENSE, LOGISTIC, BINARY)
IN_ATOP = (*COMPARED, *((RMSE_TUNED, other) for other in OTHERS))
IN_RMSE = (
    (RMSE_TUNED, ATOP_TUNED),
    (RMSE_TUNED, LISTS[0]),
    (RMSE_TUNED, ALLRANK),
    (RMSE_TUNED, DENSE),
    (ALLRANK, RMSE_TUNED),
    (DENSE, ALLRANK),
)
# The imputed rating of Table 2.
USUAL = 2
KEYS = [
    "dataset",
    "fact",
    "study",
    "method",
    "minus",
    "measure",
    "set",
    "candidates",
    "catalogue",
    "at",
]


def differences(results: Results) -> Table:
    """Everything that a claim compares: methods, halves, points of curves, tops of lists."""
    rows = [row for part in (_methods, _halves, _curves, _tops, _orders) for row in part(results)]
    tidy = pd.DataFrame(rows).assign(dataset=results.dataset)
    tidy = tidy.reindex(columns=[*KEYS, "mean", "low", "high"])
    tidy = tidy.assign(sem=np.nan, n=results.scores(STUDY)["fold"].nunique())
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    main = tidy[tidy["catalogue"].isna() & (tidy["study"] != REL4)]
    shown = main[["fact", "method", "minus", "measure", "set", "at"]].astype(object)
    shown = shown.where(shown.notna(), "").rename(columns={"minus": "less"})
    shown["value"] = [f"{value:.4f}" for value in main["mean"]]
    ends = zip(main["low"], main["high"], strict=True)
    shown["95 % interval"] = [f"{low:.4f} to {high:.4f}" for low, high in ends]
    notes = [
        f"95 % intervals: bootstrap over users, seeds averaged ({SAMPLES} samples, {BOOTSTRAP} where "
        "ranks are resampled). The data behind the table have all readings of the catalogue, too."
    ]
    caption = f"Differences with intervals on {results.dataset}."
    return Table(tidy, shown.reset_index(drop=True), caption, notes)


def _row(fact: str, values: Values, **where: Any) -> dict[str, Any]:
    low, high = interval(values[1:])
    return {"fact": fact, **where, "mean": float(values[0]), "low": low, "high": high}


@cache
def _resampling(results: Results, study: str) -> Resampling:
    alike = tuple(name for name in (STUDY, REL4) if name in results.config["studies"])
    return Resampling(results, study, alike)


@cache
def _chosen(results: Results, method: str, measure: str, name: str, study: str = STUDY) -> Values:
    resampling = _resampling(results, study)
    places = {fold: (method, point) for fold, point in resampling.chosen_points(method).items()}
    return resampling.values(places, measure, name)


def _methods(results: Results) -> Rows:
    """Chosen models against each other on test."""
    for study in (STUDY, REL4):
        for measure, pairs in (("atop", IN_ATOP), ("rmse", IN_RMSE)):
            for first, second in pairs:
                sides = [_chosen(results, one, measure, "test", study) for one in (first, second)]
                where = {"study": study, "method": first, "minus": second, "measure": measure}
                yield _row("difference", sides[0] - sides[1], set="test", **where)
    best = {measure: _best_of_all(results, measure) for measure in ("atop", "rmse")}
    where = {"study": STUDY, "measure": "atop", "set": "test"}
    yield _row("best ATOP − best RMSE, all settings tried", best["atop"] - best["rmse"], **where)


def _best_of_all(results: Results, measure: str) -> Values:
    """Test ATOP of the model that is best on xv by a measure, of all that were tried."""
    scores = _scores(results, measure)
    entries = results.config["methods"]
    methods = results.methods(STUDY)
    rated = [m for m in methods if models.about_entry(m, entries).predicts_ratings]
    scores = scores[scores["method"].isin(rated)]
    better = scores["pair_mean"] * (1 if measures.higher_is_better(measure) else -1)
    best = scores.loc[better.groupby(scores["fold"]).idxmax()]
    places = {row.fold: (row.method, row.point) for row in best.itertuples()}
    return _resampling(results, STUDY).values(places, "atop")


def _scores(results: Results, measure: str) -> pd.DataFrame:
    """Scores of all points on xv."""
    scores = results.scores(STUDY)
    first = results.config["studies"][STUDY]["candidates"][0]
    mine = (scores["set"] == "validation") & (scores["measure"] == measure)
    return scores[mine & (scores["candidates"] == first)]


def _halves(results: Results) -> Rows:
    """The tuning half against the test half."""
    for method in results.methods(STUDY):
        gap = np.subtract(*(_chosen(results, method, "atop", n) for n in ("validation", "test")))
        yield _row("xv − test", gap, study=STUDY, method=method, measure="atop")


class Curve:
    """ATOP along one parameter of AllRank, the others tuned on xv: a row for each of its values."""

    def __init__(self, results: Results, parameter: str, weights: str = "all"):
        scores = _scores(results, "atop")
        scores = scores[scores["method"] == ALLRANK].rename(
            columns={f"setting.{parameter}": "value", "setting.missing_weight": "missing_weight"}
        )
        scores = scores.loc[:, ~scores.columns.duplicated()]
        if parameter == "missing_weight":
            scores = scores.assign(value=scores["missing_weight"])
        if weights != "all":
            scores = scores[(scores["missing_weight"] > 0) == (weights == "positive")]
        ranked = scores.sort_values(["pair_mean", "point"], ascending=[False, True])
        best = ranked.drop_duplicates(["fold", "value"])
        folds = scores["fold"].nunique()
        self._resampling = _resampling(results, STUDY)
        self.places = {
            float(value): {row.fold: (ALLRANK, row.point) for row in part.itertuples()}
            for value, part in best.groupby("value")
            if len(part) == folds
        }
        self.at = np.array(list(self.places))

    def values(self, name: str) -> Values:
        """Values of the parameter × (itself and samples)."""
        rows = [self._resampling.values(place, "atop", name) for place in self.places.values()]
        return np.array(rows).reshape(len(rows), -1)


def _curves(results: Results) -> Rows:
    view = results.view(results.config["studies"][STUDY]["view"])
    mean = float(view.ratings.rating.mean(dtype=np.float64))
    yield from _over_imputed(results, mean)
    yield from _over_weights(results)


def _over_imputed(results: Results, mean: float) -> Rows:
    curve = Curve(results, "imputed")
    sides = {name: curve.values(name) for name in ("validation", "test")}
    test, usual = sides["test"], curve.at == USUAL
    where = {"study": STUDY, "method": ALLRANK, "measure": "atop"}
    yield from _both_sides("r_m", curve, sides, where)
    if not usual.any():
        return
    lost = sides["validation"].max(axis=0) - sides["validation"][usual][0]
    yield _row("best r_m − r_m 2", lost, set="validation", **where)
    low, plateau = curve.at <= USUAL, curve.at >= mean
    yield _row("range of r_m up to 2", np.ptp(test[low], axis=0), set="test", **where)
    if not plateau.any():
        return
    top = test[plateau].max(axis=0)
    yield _row("r_m from the mean on − r_m 2", top - test[usual][0], set="test", **where)
    yield _row("range of r_m from the mean on", np.ptp(test[plateau], axis=0), set="test", **where)
    observed = _chosen(results, ATOP_TUNED, "atop", "test")
    parts = {kind: Curve(results, "imputed", kind) for kind in ("zero", "positive")}
    found = {
        kind: dict(zip(part.at, part.values("test"), strict=True)) for kind, part in parts.items()
    }
    for value, there in zip(curve.at[plateau], test[plateau], strict=True):
        yield _row("minus observed-only", there - observed, set="test", at=value, **where)
        if all(value in values for values in found.values()):
            gap = found["zero"][value] - found["positive"][value]
            yield _row("w_m 0 − best w_m above 0", gap, set="test", at=value, **where)


def _over_weights(results: Results) -> Rows:
    curve = Curve(results, "missing_weight")
    sides = {name: curve.values(name) for name in ("validation", "test")}
    where = {"study": STUDY, "method": ALLRANK, "measure": "atop"}
    yield from _both_sides("w_m", curve, sides, where)
    rises = np.array([_largest_rise(column) for column in sides["test"].T])
    yield _row("largest rise away from the best w_m", rises, set="test", **where)
    if 0 in curve.at:
        for value, there in zip(curve.at, sides["test"], strict=True):
            if value > 0:
                gap = there - sides["test"][curve.at == 0][0]
                yield _row("w_m − w_m 0", gap, set="test", at=value, **where)


def _both_sides(name: str, curve: Curve, sides: dict[str, Values], where: dict[str, Any]) -> Rows:
    """Where a curve is best on either half, and how far the halves are apart."""
    for half, values in sides.items():
        yield _row(f"best {name}", curve.at[values.argmax(axis=0)], set=half, **where)
    gaps = sides["validation"] - sides["test"]
    for value, gap in zip(curve.at, gaps, strict=True):
        yield _row(f"xv − test over {name}", gap, at=value, **where)


def _largest_rise(curve: Values) -> float:
    """The largest rise on the way from the maximum to either end; 0 if there is none."""
    top = int(curve.argmax())
    ways = (curve[top:], curve[: top + 1][::-1])
    return max(float(np.max(way - np.minimum.accumulate(way))) for way in ways)


def _tops(results: Results) -> Rows:
    """TOPK at the top of the list, and the readings of catalogue and candidates."""
    tops = top_of_list(results)
    names = [name for k in TOPS for name in (sampled(k, SAMPLE_TOPK), f"topk({k:g})")]
    for name in names:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = _ranked(tops, ALLRANK, name) / _ranked(tops, ATOP_TUNED, name)
        if not np.isfinite(ratio[0]):
            continue
        yield _row("AllRank / observed-only", ratio, study=STUDY, measure=name, set="test")
    for first, second in (
        *((LISTS[0], other) for other in LISTS[1:]),
        *((o, ATOP_TUNED) for o in LISTS),
    ):
        for name in ("atop", *names, "topk(0.5)"):
            where = {"study": STUDY, "method": first, "minus": second, "measure": name}
            gap = _ranked(tops, first, name) - _ranked(tops, second, name)
            yield _row("from ranks", gap, set="test", **where)
    shares = np.arange(1, 100) / 100
    leads = [
        _ranked(tops, ALLRANK, f"topk({k:g})") - _ranked(tops, ATOP_TUNED, f"topk({k:g})")
        for k in (*TOPS[1:], *shares)
    ]
    where = {"study": STUDY, "method": ALLRANK, "minus": ATOP_TUNED, "measure": "topk"}
    yield _row("smallest lead over all k", np.min(leads, axis=0), set="test", **where)
    for candidates in ("all", "unseen"):
        for catalogue in results.config["studies"][STUDY]["catalogues"]:
            for first, second in IN_ATOP:
                sides = [_ranked(tops, m, "atop", catalogue, candidates) for m in (first, second)]
                where = {"study": STUDY, "method": first, "minus": second, "measure": "atop"}
                where |= {"candidates": candidates, "catalogue": catalogue}
                yield _row("difference", sides[0] - sides[1], set="test", **where)


@cache
def _ranked(
    tops: TopOfList, method: str, measure: str, catalogue: str = "", candidates: str = "all"
) -> Values:
    """A measure over test pairs, from the ranks that were kept."""
    users = tops.ranks.n_users
    times = user_samples(users, BOOTSTRAP, tops.results.dataset, "ranks")
    found = []
    for fold in tops.ranks.folds:
        counts = tops.ranks.counts(catalogue or tops.view, fold, method, candidates, "test")
        totals = np.bincount(counts.user, measures.pair_values(counts, measure), users)
        pairs = np.bincount(counts.user, minlength=users).astype(np.float64)
        sums = [np.append(part.sum(), resampled_sums(part, times)) for part in (totals, pairs)]
        found.append(sums[0] / sums[1])
    return np.mean(found, axis=0)


def _orders(results: Results) -> Rows:
    """How alike two orders of the methods are."""
    tops = top_of_list(results)
    models = [method for method in results.methods(STUDY) if method not in LISTS]
    orders = [
        np.array([_ranked(tops, method, name) for method in models])
        for name in ("atop", f"topk({TOPS[-1]:g})")
    ]
    yield _row("Kendall of ATOP and TOPK(2 %)", _kendall(*orders), study=STUDY, set="test")
    both = [m for m in results.methods(STUDY) if m in results.methods(REL4)]
    stars = [
        np.array([_chosen(results, method, "atop", "test", study) for method in both])
        for study in (STUDY, REL4)
    ]
    yield _row("Kendall with 4 stars relevant, too", _kendall(*stars), study=REL4, set="test")


def _kendall(first: Values, second: Values) -> Values:
    return np.array([kendall(a, b) for a, b in zip(first.T, second.T, strict=True)])
