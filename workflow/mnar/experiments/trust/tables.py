"""Tables of experiment trust."""

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.trust.cases import MEASURES, cases_of, in_order, read, shown_as
from mnar.reporting.results import Results
from mnar.reporting.tables import Table, number
from mnar.simulations.trust.experiment import KEYS


def trust(results: Results) -> Table:
    """Every estimator against the truth on one dataset."""
    return trust_table(read(results, "summary"), results.dataset)


def trust_table(summary: pd.DataFrame, name: str) -> Table:
    """Estimator × case: τ, what is attainable, bias, regret, decisions. For several datasets, too."""
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
        for measure in MEASURES:
            mine = rows[rows["measure"] == measure].set_index("estimator")
            best = mine["tau"].max()
            for estimator in in_order(mine.reset_index()):
                row = mine.loc[estimator]
                if row["tau"] == best:
                    bold.add((len(lines), 3))
                lines.append(_line(case.title.replace("\n", ", "), measure, estimator, row))
    columns = ["selection", "measure", "estimator", "τ", "95 %", "attainable", "τ, one judge"]
    columns += ["bias, %", "regret", "right, %", "wrong, %", "undecided, %", "pairs"]
    notes = [
        "τ: Kendall's τ-b of the order of all systems by the estimate and by the truth of the same "
        "measure; mean over seeds, interval by bootstrap over users.",
        "Attainable: τ of a naive estimate from as many pairs drawn at random; on random ratings, "
        "τ between the truths of two halves of the users (a reliability, no upper bound).",
        "One judge: complete ADG, or AUC on random ratings. Bias: mean over systems of (estimate − "
        "truth)/truth. Regret: 0 picks the best system, 1 a median one.",
        "Right, wrong, undecided: of all pairs of systems that truly differ, by the 95 % interval of "
        "their difference over users. Pairs: effective sample size of the weights.",
    ]
    if summary["flagged"].any():
        notes.append("An asterisk marks weights that rest on fewer than 50 pairs.")
    caption = f"Which estimator orders systems as the truth does, {name}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes, frozenset(bold))


def _line(case: str, measure: str, estimator: str, row: pd.Series) -> list[str]:
    percents = [number(100 * row[key], 0) for key in ("right", "wrong", "undecided")]
    return [
        case,
        measures.label(measure),
        shown_as(estimator),
        number(row["tau"], 2),
        f"{number(row['tau_low'], 2)} to {number(row['tau_high'], 2)}",
        number(row["attainable"], 2),
        number(row["tau_judge"], 2),
        number(100 * row["bias"], 1),
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
            title = case.title.replace("\n", ", ")
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
    return training_table(read(results, "estimates"), results.dataset)


def training_table(estimates: pd.DataFrame, name: str) -> Table:
    wanted = ["adg", "atop", "recall@10", "rmse", "mae"]
    rows = estimates[(estimates["estimator"] == "naive") & estimates["measure"].isin(wanted)]
    split = rows["system"].str.extract(r"^(observed-only|mf-ips(?:-known)?)\b(.*)$")
    rows = rows.assign(method=split[0], penalty=split[1].str.extract(r"lambda=([\d.]+)")[0])
    rows = rows.assign(gamma=split[1].str.extract(r"gamma=([\d.]+)")[0].fillna(""))
    rows = rows[rows["method"].notna()]
    with_weights = rows[rows["method"] != "observed-only"]
    rows = rows[rows["penalty"].isin(with_weights["penalty"])]
    keys = ["dataset", *KEYS, "penalty", "measure", "method", "gamma"]
    tidy = rows.groupby(keys, dropna=False, sort=False)["truth"].agg(["mean", "sem", "count"])
    tidy = tidy.reset_index().rename(columns={"count": "n"})
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    lines: list[list[str]] = []
    bold: set[tuple[int, int]] = set()
    for case in cases_of(tidy):
        ordered = case.of(tidy).sort_values("penalty", kind="stable")
        for (penalty, method, gamma), mine in ordered.groupby(
            ["penalty", "method", "gamma"], sort=False
        ):
            values = mine.set_index("measure")["mean"]
            weights = {"observed-only": "none", "mf-ips-known": "known"}.get(
                method, f"popularity, γ = {gamma}"
            )
            cells = [number(values.get(measure), 4) for measure in wanted]
            lines.append([case.title.replace("\n", ", "), penalty, weights, *cells])
    labels = ["MAE" if m == "mae" else measures.label(m) for m in wanted]
    shown = pd.DataFrame(lines, columns=["selection", "λ", "weights in training", *labels])
    for (_, _), block in shown.groupby(["selection", "λ"], sort=False):
        for place, measure in enumerate(wanted):
            values = (
                block.iloc[:, 3 + place].str.replace("−", "-").replace("–", "nan").astype(float)
            )
            if values.notna().any():
                best = values.idxmin() if measure in ("rmse", "mae") else values.idxmax()
                bold.add((int(best), 3 + place))
    notes = [
        "Truth: on all unseen pairs of complete data, or on random ratings outside of training; mean "
        "over seeds. Bold: best of a block.",
        "All have the same factors, sweeps and start; weights are scaled to mean 1.",
    ]
    caption = f"Does correcting in training help? MF-IPS on {name}."
    return Table(tidy, shown, caption, notes, frozenset(bold))
