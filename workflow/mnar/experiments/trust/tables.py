"""Tables of experiment trust."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.trust.answer import answer_table
from mnar.experiments.trust.cases import (
    ERRORS,
    ESTIMATORS,
    MEASURES,
    cases_of,
    in_order,
    measure_label,
    read,
    shown_as,
)
from mnar.experiments.trust.single_systems import systems_table, training_table
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table, number
from mnar.simulations.trust.summaries import KEYS


def trust(results: Results) -> Table:
    """Every estimator against the truth on one dataset."""
    return trust_table(read(results, "summary"), results.dataset)


def errors(results: Results) -> Table:
    """The same of errors, which systems that predict ratings have."""
    summary = read(results, "summary")
    rows = summary[summary["measure"].isin(ERRORS)]
    table = trust_table(rows, results.dataset, ERRORS)
    caption = f"Which estimator of errors orders systems as the truth does, {results.dataset}."
    note = (
        "Systems that predict ratings. Truth: of all unseen pairs, or of random ratings. Doubly robust: "
        "errors are imputed everywhere and corrected where a rating is held out."
    )
    return replace(table, caption=caption, notes=[*table.notes, note])


def trust_table(summary: pd.DataFrame, name: str, shown: Sequence[str] = MEASURES) -> Table:
    """Estimator × case: τ, attainable τ, bias, regret, decisions. For several datasets, too."""
    tidy = summary.assign(
        method="all systems",
        mean=summary["tau"],
        sem=(summary["tau_high"] - summary["tau"]) / 1.96,
        n=summary["seeds"],
        published=np.nan,
        difference=np.nan,
    )
    lines: list[list[str]] = []
    bold: set[tuple[int, int]] = set()
    for case in cases_of(summary):
        rows = case.of(summary)
        for measure in shown:
            mine = rows[rows["measure"] == measure].set_index("estimator")
            best = mine["tau"].max()
            for estimator in in_order(mine.reset_index(), ESTIMATORS):
                row = mine.loc[estimator]
                if row["tau"] == best:
                    bold.add((len(lines), 3))
                lines.append(_line(case.selection, measure, estimator, row))
    own_choice = summary[KEYS].isna().all(axis=None)
    reach = "reliability" if own_choice else "attainable"
    columns = ["selection", "measure", "estimator", "τ", "95 %", reach, "τ, one judge"]
    columns += ["bias, %", "|bias|, %", "regret", "right, %", "wrong, %", "undecided, %", "pairs"]
    notes = [
        "τ: Kendall's τ-b of the order of all systems by the estimate and by the truth of the same "
        "measure; mean over seeds, interval by bootstrap over users.",
        "Reliability: τ between the truths of two halves of the users. It is no upper bound."
        if own_choice
        else "Attainable: τ of a naive estimate from as many pairs drawn at random.",
        "One judge: complete ADG, or AUC on random ratings. Bias: mean over systems of (estimate − "
        "truth)/truth, |bias| of its absolute value. Regret: 0 picks the best system, 1 a median one.",
        "Right, wrong, undecided: of all pairs of systems that truly differ, by the 95 % interval of "
        "their difference over users. Pairs: effective sample size of the weights.",
    ]
    if {"ndcg", "map"} & set(shown):
        notes.append(
            "NDCG and MAP divide by something that depends on how many items are held out, so no "
            "weights can mend them."
        )
    if summary["flagged"].any():
        notes.append("An asterisk marks weights that rest on fewer than 50 pairs.")
    caption = f"Which estimator orders systems as the truth does, {name}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes, frozenset(bold))


def _line(case: str, measure: str, estimator: str, row: pd.Series) -> list[str]:
    percents = [number(100 * row[key], 0) for key in ("right", "wrong", "undecided")]
    return [
        case,
        measure_label(measure),
        shown_as(estimator),
        number(row["tau"], 2),
        f"{number(row['tau_low'], 2)} to {number(row['tau_high'], 2)}",
        number(row["attainable"], 2),
        number(row["tau_judge"], 2),
        number(100 * row["bias"], 1),
        number(100 * row["absolute_bias"], 1),
        number(row["regret"], 2),
        *percents,
        f"{row['effective']:,.0f}" + "*" * bool(row["flagged"]),
    ]


def gamma(results: Results) -> Table:
    """How often the order of two systems is right, by the Γ that would turn it."""
    return gamma_table(read(results, "gamma"), results.dataset)


def gamma_table(rows: pd.DataFrame, name: str) -> Table:
    keys = ["dataset", *KEYS, "measure", "around", "from", "to"]
    grouped = rows.groupby(keys, dropna=False, sort=False)
    tidy = grouped[["pairs", "right"]].sum().assign(needed=grouped["needed"].mean()).reset_index()
    share = tidy["right"] / tidy["pairs"].where(tidy["pairs"] > 0)
    tidy = tidy.assign(method="all systems", mean=share, sem=np.nan, n=tidy["pairs"])
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    classes = list(dict.fromkeys(zip(tidy["from"], tidy["to"], strict=True)))
    lines = []
    for case in cases_of(tidy):
        for (measure, around), mine in case.of(tidy).groupby(["measure", "around"], sort=False):
            cells = [
                f"{number(100 * row.mean, 0)} of {row.pairs:,}" if row.pairs else "–"
                for row in mine.itertuples()
            ]
            title = case.selection
            needed = number(mine["needed"].iloc[0], 2)
            lines.append([title, measures.label(measure), shown_as(around), *cells, needed])
    heads = [
        f"{low:g} to {high:g}" if np.isfinite(high) else f"{low:g} and more"
        for low, high in classes
    ]
    columns = ["selection", "measure", "weights around", *heads, "Γ needed"]
    notes = [
        "Columns: Γ from which on the order of two systems may turn. Cells: % of the pairs of systems "
        "that are ordered as the truth does, of how many pairs that truly differ; all seeds together.",
        "Γ needed: covers the true chances of 95 % of the held-out liked pairs where they are known; "
        "else what random ratings suggest for five groups of items by popularity.",
    ]
    caption = (
        f"Γ: how wrong weights must be to turn an order, and how often orders are right, {name}."
    )
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def training(results: Results) -> Table:
    """Truth of MF-IPS beside the same factorisation without weights, by kind of selection."""
    return training_table(read(results, "systems"), results.dataset)


def systems(results: Results) -> Table:
    """Where each system stands, by the truth and by estimates."""
    return systems_table(read(results, "systems"), results.dataset)


def redraw(results: Results) -> Table:
    """Held-out sets drawn again and again for fixed systems: known chances leave no bias."""
    return redraw_table(read(results, "redraw"), results.dataset)


def redraw_table(rows: pd.DataFrame, name: str) -> Table:
    columns = ["selection", "measure", "estimator", "bias, %", "95 %", "draws"]
    caption = f"Bias over held-out sets drawn again and again, systems as they are, {name}."
    if rows.empty:
        notes = ["Chances of users' own choice are not known, so nothing can be drawn again."]
        names = ["dataset", "measure", "estimator", "mean", "low", "high", "sem", "n", "method"]
        return Table(pd.DataFrame(columns=names), pd.DataFrame(), caption, notes)
    tidy = rows.rename(columns={"bias": "mean", "draws": "n"}).assign(method="all systems")
    tidy["sem"] = (tidy["high"] - tidy["mean"]) / 1.96
    lines = [
        [
            f"exponent {row.popularity_exponent:g}, positivity {row.positivity:g}, c = "
            f"{row.correlation:g}",
            measures.label(row.measure),
            row.estimator if row.estimator == "naive" else f"{row.estimator.upper()}, known",
            number(100 * row.mean, 2),
            f"{number(100 * row.low, 2)} to {number(100 * row.high, 2)}",
            str(row.n),
        ]
        for row in tidy.itertuples()
    ]
    notes = [
        "Bias: mean over systems of (estimate − truth)/truth; interval of its mean over draws."
    ]
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def answer(results: Results) -> Table:
    """The answer in a few sentences, with the numbers of this dataset."""
    return answer_table(
        read(results, "summary"), read(results, "price"), read(results, "gamma"), results.dataset
    )
