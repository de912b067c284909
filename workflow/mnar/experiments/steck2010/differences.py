"""Differences that steck2010 speaks of, each with its interval over users."""

from typing import Any

import numpy as np
import pandas as pd

from mnar import measures, models
from mnar.experiments.steck2010 import (
    ALLRANK,
    ATOP_TUNED,
    DENSE,
    INTEGRATED,
    LISTS,
    REL4,
    RMSE_TUNED,
    STUDY,
)
from mnar.experiments.steck2010.facts import (
    IN_ATOP,
    Rows,
    Values,
    chosen,
    fact,
    resampling,
    run,
)
from mnar.experiments.steck2010.top_differences import orders_of_methods, tops_of_lists
from mnar.experiments.steck2010.top_of_list import BOOTSTRAP
from mnar.reporting.difference_table import shown_differences
from mnar.reporting.edges import edge_notes, marked_methods
from mnar.reporting.results import Results
from mnar.reporting.sweeps import searched
from mnar.reporting.table_format import Table
from mnar.statistics.bootstrap import SAMPLES

IN_RMSE = (
    (RMSE_TUNED, ATOP_TUNED),
    (RMSE_TUNED, LISTS[0]),
    (RMSE_TUNED, ALLRANK),
    (RMSE_TUNED, DENSE),
    (ALLRANK, RMSE_TUNED),
    (DENSE, ALLRANK),
    (INTEGRATED, RMSE_TUNED),
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
    rows = [
        row
        for part in (_methods, _halves, _curves, tops_of_lists, orders_of_methods)
        for row in part(results)
    ]
    tidy = pd.DataFrame(rows).assign(dataset=results.dataset)
    tidy = tidy.reindex(columns=[*KEYS, "mean", "low", "high"])
    tidy = tidy.assign(sem=np.nan, n=results.scores(STUDY)["fold"].nunique())
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    main = tidy[tidy["catalogue"].isna() & (tidy["study"] != REL4)]
    names = ("method", "minus", "measure", "set", "at")
    shown = shown_differences(main, {"fact": "quantity"} | {name: name for name in names})
    shown = marked_methods(shown, results, STUDY)
    notes = [
        f"95 % intervals: bootstrap over users, seeds averaged ({SAMPLES} samples, {BOOTSTRAP} where "
        "ranks are resampled). The data behind the table have all readings of the catalogue, too.",
        *edge_notes(results, STUDY, {*main["method"], *main["minus"]}),
    ]
    caption = f"Differences with intervals on {results.dataset}."
    return Table(tidy, shown, caption, notes)


def _methods(results: Results) -> Rows:
    """Chosen models against each other on test."""
    for study in (STUDY, REL4):
        for measure, pairs in (("atop", IN_ATOP), ("rmse", IN_RMSE)):
            for first, second in run(results, study, pairs):
                sides = [chosen(results, one, measure, "test", study) for one in (first, second)]
                where = {"study": study, "method": first, "minus": second, "measure": measure}
                yield fact("difference", sides[0] - sides[1], set="test", **where)
    best = {measure: _best_of_all(results, measure) for measure in ("atop", "rmse")}
    where = {"study": STUDY, "measure": "atop", "set": "test"}
    yield fact("best ATOP − best RMSE, all settings tried", best["atop"] - best["rmse"], **where)


def _best_of_all(results: Results, measure: str) -> Values:
    """Test ATOP of the model that is best on xv by a measure, of all that were tried."""
    scores = _scores(results, measure)
    entries = results.config["methods"]
    methods = results.methods(STUDY)
    rated = [m for m in methods if models.about_entry(m, entries).predicts_ratings]
    scores = scores[scores["method"].isin(rated)]
    better = scores["pair_mean"] * (1 if measures.higher_is_better(measure) else -1)
    best = scores.loc[better.groupby(scores["fold"]).idxmax()]
    by_fold = {row.fold: (row.method, row.point) for row in best.itertuples()}
    return resampling(results, STUDY).values(by_fold, "atop")


def _scores(results: Results, measure: str) -> pd.DataFrame:
    """Scores of all points on xv."""
    scores = results.scores(STUDY)
    first = results.config["studies"][STUDY]["candidates"][0]
    mine = (scores["set"] == "validation") & (scores["measure"] == measure)
    return scores[mine & (scores["candidates"] == first)]


def _halves(results: Results) -> Rows:
    """The tuning half against the test half."""
    for method in results.methods(STUDY):
        gap = np.subtract(*(chosen(results, method, "atop", n) for n in ("validation", "test")))
        yield fact("xv − test", gap, study=STUDY, method=method, measure="atop")


class Curve:
    """ATOP along one parameter of AllRank, the others tuned on xv: a row for each of its values."""

    def __init__(self, results: Results, parameter: str, weights: str = "all"):
        scores = searched(results, STUDY, ALLRANK, parameter)
        mine = (scores["set"] == "validation") & (scores["measure"] == "atop")
        scores = scores[mine].rename(
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
        self._resampling = resampling(results, STUDY)
        self.by_value = {
            float(value): {row.fold: (ALLRANK, row.point) for row in part.itertuples()}
            for value, part in best.groupby("value")
            if len(part) == folds
        }
        self.at = np.array(list(self.by_value))

    def values(self, name: str) -> Values:
        """Values of the parameter × (itself and samples)."""
        rows = [
            self._resampling.values(by_fold, "atop", name) for by_fold in self.by_value.values()
        ]
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
    yield fact("best r_m − r_m 2", lost, set="validation", **where)
    low, plateau = curve.at <= USUAL, curve.at >= mean
    yield fact("range of r_m up to 2", np.ptp(test[low], axis=0), set="test", **where)
    if not plateau.any():
        return
    top = test[plateau].max(axis=0)
    yield fact("r_m from the mean on − r_m 2", top - test[usual][0], set="test", **where)
    yield fact("range of r_m from the mean on", np.ptp(test[plateau], axis=0), set="test", **where)
    observed = chosen(results, ATOP_TUNED, "atop", "test")
    parts = {kind: Curve(results, "imputed", kind) for kind in ("zero", "positive")}
    found = {
        kind: dict(zip(part.at, part.values("test"), strict=True)) for kind, part in parts.items()
    }
    for value, there in zip(curve.at[plateau], test[plateau], strict=True):
        yield fact("minus observed-only", there - observed, set="test", at=value, **where)
        if all(value in values for values in found.values()):
            gap = found["zero"][value] - found["positive"][value]
            yield fact("w_m 0 − best w_m above 0", gap, set="test", at=value, **where)


def _over_weights(results: Results) -> Rows:
    curve = Curve(results, "missing_weight")
    sides = {name: curve.values(name) for name in ("validation", "test")}
    where = {"study": STUDY, "method": ALLRANK, "measure": "atop"}
    yield from _both_sides("w_m", curve, sides, where)
    rises = np.array([_largest_rise(column) for column in sides["test"].T])
    yield fact("largest rise away from the best w_m", rises, set="test", **where)
    if 0 in curve.at:
        for value, there in zip(curve.at, sides["test"], strict=True):
            if value > 0:
                gap = there - sides["test"][curve.at == 0][0]
                yield fact("w_m − w_m 0", gap, set="test", at=value, **where)


def _both_sides(name: str, curve: Curve, sides: dict[str, Values], where: dict[str, Any]) -> Rows:
    """Where a curve is best on either half, and how far the halves are apart."""
    for half, values in sides.items():
        yield fact(f"best {name}", curve.at[values.argmax(axis=0)], set=half, **where)
    gaps = sides["validation"] - sides["test"]
    for value, gap in zip(curve.at, gaps, strict=True):
        yield fact(f"xv − test over {name}", gap, at=value, **where)


def _largest_rise(curve: Values) -> float:
    """The largest rise on the way from the maximum to either end; 0 if there is none."""
    top = int(curve.argmax())
    ways = (curve[top:], curve[: top + 1][::-1])
    return max(float(np.max(way - np.minimum.accumulate(way))) for way in ways)
