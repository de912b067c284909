"""The answer of experiment trust in a few sentences, as a table that others can read."""

from typing import Any

import numpy as np
import pandas as pd

from mnar.experiments.trust.cases import Case, cases_of, shown_as
from mnar.reporting.table_format import Table, number

MEASURE = "adg"
# What one can compute from own ratings alone, without a mechanism or random ratings.
WITHOUT_TRUTH = [
    "naive",
    "snips(popularity, gamma=0.5)",
    "snips(popularity, gamma=1)",
    "snips(logistic)",
]
# A number of random ratings is enough from this share of the best τ that any of them reach.
ENOUGH = 0.95


def answer_table(
    summary: pd.DataFrame, prices: pd.DataFrame, gammas: pd.DataFrame, name: str
) -> Table:
    """One row a sentence: its text, and the number it rests on with its interval."""
    facts: list[dict[str, Any]] = []
    for case in cases_of(summary):
        rows = case.of(summary)
        rows = rows[rows["measure"] == MEASURE].set_index("estimator")
        price = case.of(prices)
        facts += _naive(case, rows)
        facts += _corrected(case, rows)
        facts += _bought(case, price[price["measure"] == MEASURE])
        facts += _needed(case, case.of(gammas))
    tidy = pd.DataFrame(facts).assign(method="all systems", measure=MEASURE, sem=np.nan, n=np.nan)
    shown = tidy[["selection", "sentence"]].rename(columns={"sentence": "answer"})
    notes = [
        "The tables and figures below have the other measures.",
        "Random ratings: on complete data at most a quarter of the items, since the truth is of all.",
    ]
    return Table(
        tidy, shown, f"Which number can you believe? Systems ordered by ADG, {name}.", notes
    )


def _row(case: Case, fact: str, sentence: str, mean: float, **more: float) -> dict[str, Any]:
    about = {"dataset": case.dataset, "selection": case.selection, "fact": fact}
    return about | {"sentence": sentence, "mean": mean} | more


def _naive(case: Case, rows: pd.DataFrame) -> list[dict[str, Any]]:
    row = rows.loc["naive"]
    reach = (
        "two halves of the users agree with" if case.point is None else "random pairs would reach"
    )
    sentence = (
        f"The naive mean over held-out ratings orders systems with τ = {number(row['tau'], 2)} "
        f"({reach} {number(row['attainable'], 2)}): of the pairs of systems that truly differ it "
        f"decides {number(100 * row['right'], 0)} % rightly and {number(100 * row['wrong'], 0)} % "
        "wrongly."
    )
    ends = {"low": row["tau_low"], "high": row["tau_high"], "attainable": row["attainable"]}
    return [_row(case, "naive", sentence, row["tau"], **ends, wrong=row["wrong"])]


def _corrected(case: Case, rows: pd.DataFrame) -> list[dict[str, Any]]:
    there = [one for one in WITHOUT_TRUTH[1:] if one in rows.index]
    taus = rows.loc[there, "tau"]
    best, worst = taus.idxmax(), taus.idxmin()
    sentence = (
        f"Weights that are estimated from the ratings give between {number(taus[worst], 2)} "
        f"({shown_as(worst)}) and {number(taus[best], 2)} ({shown_as(best)})"
    )
    ends = {"low": float(taus[worst]), "high": float(taus[best])}
    if "snips(known)" in rows.index:
        known = float(rows.loc["snips(known)", "tau"])
        sentence += f"; the true chances give {number(known, 2)}"
        ends["known"] = known
    return [_row(case, "corrected", sentence + ".", float(taus[best]), **ends)]


def _bought(case: Case, price: pd.DataFrame) -> list[dict[str, Any]]:
    if price.empty:
        return []
    taus = price[price["use"] == "test alone"].groupby("n")["tau"].mean()
    own = price[price["use"] == "own choice"]["tau"].mean()
    enough = int(taus.index[taus >= ENOUGH * taus.max()][0])
    plural = "" if enough == 1 else "s"
    sentence = (
        f"{enough} random rating{plural} a user as the test set give{'s' if enough == 1 else ''} "
        f"τ = {number(taus[enough], 2)}, one gives {number(taus.iloc[0], 2)}; all that users chose to "
        f"rate give {number(own, 2)}."
    )
    return [_row(case, "random ratings", sentence, float(taus[enough]), ratings=enough, own=own)]


def _needed(case: Case, gammas: pd.DataFrame) -> list[dict[str, Any]]:
    if gammas.empty or (case.point is not None and not any(case.point)):
        return []
    needed = gammas[gammas["around"] == "naive"]["needed"].mean()
    sentence = (
        f"Equal weights are wrong by a factor of {number(needed, 1)} here: a lead that a smaller Γ "
        "would turn proves nothing."
    )
    return [_row(case, "gamma", sentence, float(needed))]
