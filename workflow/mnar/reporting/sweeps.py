"""A measure against one parameter, the others tuned on validation for each of its values."""

import json

import pandas as pd

from mnar import measures
from mnar.reporting.edges import joined, without
from mnar.reporting.results import Results
from mnar.tuning.fold_search import REFINED


def swept_methods(results: Results, study: str, parameter: str) -> list[str]:
    """The methods of a study that have the parameter in their grid."""
    scores = results.scores(study)
    column = f"setting.{parameter}"
    if column not in scores:
        return []
    has = scores[scores[column].notna()]["method"]
    return [method for method in results.methods(study) if method in set(has)]


def searched(results: Results, study: str, method: str, parameter: str) -> pd.DataFrame:
    """Scores of the points that a sweep may take: all values were tried with the same other settings.

    Refined points are left out, since they lie around one value only.
    """
    entry = results.config["studies"][study]
    if parameter not in entry.get("sweeps", []):
        raise ValueError(f"studies.{study}.sweeps does not name {parameter}, which is swept here")
    scores = results.scores(study)
    scores = scores[
        (scores["method"] == method)
        & (scores["candidates"] == entry["candidates"][0])
        & (scores["step"] != REFINED)
    ]
    points = scores.drop_duplicates(["fold", "point"])
    others = [_without(text, parameter) for text in points["settings"]]
    for _, fold in points.assign(others=others).groupby("fold"):
        if len({frozenset(part) for _, part in fold.groupby(f"setting.{parameter}")["others"]}) > 1:
            raise ValueError(f"{method}: values of {parameter} were not searched alike")
    return scores


def _without(settings: str, parameter: str) -> str:
    return json.dumps({n: v for n, v in json.loads(settings).items() if n != parameter})


def sweep(results: Results, study: str, method: str, parameter: str) -> pd.DataFrame:
    """fold, value of the parameter, set, measure, score: of the point that is best on validation.

    `edge` names the other parameters that are at an edge of the search there.
    """
    select_by = results.measure_of_choice(study, method)
    column = f"{results.config['studies'][study]['average']}_mean"
    scores = searched(results, study, method, parameter).rename(
        columns={f"setting.{parameter}": parameter, column: "score"}
    )
    validation = scores[(scores["set"] == "validation") & (scores["measure"] == select_by)]
    ranked = validation.sort_values(
        ["score", "point"], ascending=[not measures.higher_is_better(select_by), True]
    )
    best = ranked.drop_duplicates(["fold", parameter])[["fold", "point"]]
    rows = scores.merge(best, on=["fold", "point"])
    edges = [without(text, parameter) for text in rows["edge"]]
    columns = ["fold", parameter, "point", "set", "measure", "score", "settings"]
    return rows[columns].assign(edge=edges)


def over_folds(rows: pd.DataFrame, parameter: str) -> pd.DataFrame:
    """Mean and standard error over folds of a sweep, in the order of the parameter."""
    grouped = rows.groupby([parameter, "set", "measure"], sort=True)
    summary = grouped["score"].agg(mean="mean", sem="sem", n="count")
    return summary.assign(edge=grouped["edge"].agg(joined)).reset_index()
