"""Estimators of a study as a table: values, and what it would take to turn the order of two methods."""

from typing import Any

import numpy as np
import pandas as pd

from mnar.core.errors import UserError
from mnar.estimators import take_home
from mnar.reporting.table_format import Table, number


def estimates_table(rows: pd.DataFrame, study: str, dataset: str) -> Table:
    """Means over folds; intervals are those of the folds, averaged. Γ is the lowest of all folds."""
    if rows.empty:
        raise UserError(
            f"studies.{study} asks for no estimators; name some under `estimators`, such as "
            "adg~snips(popularity)."
        )
    rows = rows.assign(other=rows["other"].fillna(""))
    keys = ["set", "estimator", "method", "other"]
    grouped = rows.groupby(keys, sort=False)
    tidy = grouped[["value", "low", "high", "effective"]].mean()
    tidy = tidy.assign(
        gamma=grouped["gamma"].min(),
        flagged=grouped["flagged"].max().astype(bool),
        turns=grouped["value"].agg(lambda values: len(set(np.sign(values))) > 1),
        n=grouped.size(),
    ).reset_index()
    tidy = tidy.rename(columns={"value": "mean"}).assign(dataset=dataset, study=study)
    tidy["sentence"] = [_sentence(row) for row in tidy.itertuples()]
    lines = []
    for row in tidy.itertuples():
        name = f"{row.method} − {row.other}" if row.other else row.method
        gamma = "" if not row.other else _gamma(row.gamma, row.turns)
        ends = f"{number(row.low)} to {number(row.high)}"
        pairs = f"{row.effective:,.0f}" + "*" * bool(row.flagged)
        lines.append([row.estimator, name, number(row.mean), ends, gamma, pairs])
    columns = ["estimator", "method", "value", "95 %", "Γ", "pairs"]
    notes = [
        f"On {tidy['set'].iloc[0]} of {tidy['n'].iloc[0]} folds. Intervals by bootstrap over users, "
        "in which propensities are estimated again.",
        "Γ: the order of two methods stays unless weights are wrong by this factor in some fold; "
        "1 where folds disagree on the order, – where Γ has no meaning.",
        "Pairs: effective sample size of the weights.",
    ]
    turning = tidy[tidy["gamma"].notna()]
    for name, mine in turning.groupby("estimator", sort=False):
        notes.append(_of_the_best(tidy[tidy["estimator"] == name], mine))
    notes += take_home.suggestions(turning["estimator"].unique())
    if tidy["flagged"].any():
        notes.append(
            "An asterisk marks weights that rest on fewer than 50 pairs: do not trust them."
        )
    caption = f"Estimators of study {study} on {dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def _sentence(row: Any) -> str:
    """What it takes to turn the order of two methods; nothing for values and where Γ has no meaning."""
    if not row.other or np.isnan(row.gamma):
        return ""
    if row.turns:
        return f"{row.estimator}: folds disagree on the order of {row.method} and {row.other}."
    ends = (row.low, row.high)
    return take_home.sentence(row.estimator, row.method, row.other, row.mean, row.gamma, *ends)


def _of_the_best(rows: pd.DataFrame, differences: pd.DataFrame) -> str:
    """The sentence of the two best methods; the file has those of all."""
    best = set(rows[rows["other"] == ""].nlargest(2, "mean")["method"])
    pairs = zip(differences["method"], differences["other"], strict=True)
    return differences["sentence"][[set(pair) == best for pair in pairs]].iloc[0]


def _gamma(gamma: float, turns: bool) -> str:
    if turns:
        return "1"
    return "∞" if np.isinf(gamma) else number(gamma, 2)
