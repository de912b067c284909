"""A measure against one parameter, the others tuned on validation for each of its values."""

import pandas as pd

from mnar import measures
from mnar.reporting.results import Results


def swept_methods(results: Results, study: str, parameter: str) -> list[str]:
    """The methods of a study that have the parameter in their grid."""
    scores = results.scores(study)
    column = f"setting.{parameter}"
    if column not in scores:
        return []
    has = scores[scores[column].notna()]["method"]
    return [method for method in results.methods(study) if method in set(has)]


def sweep(results: Results, study: str, method: str, parameter: str) -> pd.DataFrame:
    """fold, value of the parameter, set, measure, score: of the point that is best on validation."""
    entry = results.config["studies"][study]
    select_by = results.measure_of_choice(study, method)
    column = f"{entry['average']}_mean"
    scores = results.scores(study)
    scores = scores[
        (scores["method"] == method) & (scores["candidates"] == entry["candidates"][0])
    ].rename(columns={f"setting.{parameter}": parameter, column: "score"})
    validation = scores[(scores["set"] == "validation") & (scores["measure"] == select_by)]
    ranked = validation.sort_values(
        ["score", "point"], ascending=[not measures.higher_is_better(select_by), True]
    )
    best = ranked.drop_duplicates(["fold", parameter])[["fold", "point"]]
    rows = scores.merge(best, on=["fold", "point"])
    return rows[["fold", parameter, "set", "measure", "score", "settings"]]


def over_folds(rows: pd.DataFrame, parameter: str) -> pd.DataFrame:
    """Mean and standard error over folds of a sweep, in the order of the parameter."""
    grouped = rows.groupby([parameter, "set", "measure"], sort=True)["score"]
    summary = grouped.agg(mean="mean", sem="sem", n="count").reset_index()
    return summary
