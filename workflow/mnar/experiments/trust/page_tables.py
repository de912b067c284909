"""The tables of docs/trust.md, from recorded tables of every dataset: all numbers of that page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mnar.claims import entries
from mnar.claims.page_verdicts import PageVerdicts
from mnar.core.errors import UserError
from mnar.experiments.trust.cases import Case, cases_of, measure_label, shown_as
from mnar.reporting.table_format import number

Frames = Mapping[str, pd.DataFrame]
Lines = list[list[str]]

READ = ("trust", "price", "training", "gamma", "redraw")
# Datasets in this order; others follow.
FIRST = ("jester", "synthetic-full", "coat", "cm100k", "yahoo-r3")
BOTH = ("adg", "recall@10")
POPULARITY = "snips(popularity, gamma=1)"
KNOWN, LOGISTIC, PUBLISHED = "snips(known)", "snips(logistic)", "snips(published)"
ORDERED = ("naive", "snips(popularity, gamma=0.5)", POPULARITY, LOGISTIC, PUBLISHED, KNOWN)
DECIDED = ("naive", POPULARITY, LOGISTIC, PUBLISHED, KNOWN)
# Beside the plain mean: estimators of a measure, for a table of the others.
OTHERS = {
    "adg": ("snips(naive-bayes)", "wtd(popularity)", "sampled(100)", "sampled(100, popularity)"),
    "rmse": ("naive", "snips(naive-bayes)", "dr(logistic)", "dr(known)"),
}


def recorded_datasets(folder: Path) -> list[str]:
    names = {path.parent.name for path in folder.glob("*/trust.csv")}
    if not names:
        raise UserError(f"{folder} has no tables: run `make reproduction PART=trust` first.")
    return [name for name in FIRST if name in names] + sorted(names - set(FIRST))


def recorded(folder: Path) -> dict[str, pd.DataFrame]:
    """The recorded tables of all datasets together."""
    order = recorded_datasets(folder)
    return {
        name: pd.concat([pd.read_csv(folder / one / f"{name}.csv") for one in order])
        for name in READ
    }


def page_tables(folder: Path, datasets: Mapping[str, Any]) -> dict[str, str]:
    """Every table of the page, by the name in its mark."""
    frames = recorded(folder)
    made: dict[str, Callable[[Frames], tuple[Sequence[str], Lines]]] = {
        "order": order_table,
        "decisions": decision_table,
        "regret": regret_table,
        "bias": bias_table,
        "mechanisms": mechanism_table,
        "others": other_table,
        "price": price_table,
        "training": training_table,
        "gamma": gamma_table,
        "redraw": redraw_table,
    }
    found = {name: _markdown(*make(frames)) for name, make in made.items()}
    return found | {"claims": _markdown(*claim_table(folder, datasets))}


def _markdown(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [columns, ["---"] * len(columns), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _named(case: Case) -> str:
    return f"{case.dataset}, {case.selection}"


def _cells(
    rows: pd.DataFrame, estimators: Sequence[str], show: Callable[[pd.Series], str]
) -> list[str]:
    """A cell for each estimator; a dash where the dataset does not have it."""
    mine = rows.set_index("estimator")
    return [show(mine.loc[one]) if one in mine.index else "–" for one in estimators]


def _both(first: list[str], second: list[str]) -> list[str]:
    pairs = zip(first, second, strict=True)
    return [one if one == other == "–" else f"{one} / {other}" for one, other in pairs]


def order_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """τ of ADG and recall@10 by estimator, and what is attainable."""
    lines = []
    for case in cases_of(frames["trust"]):
        rows = case.of(frames["trust"])
        parts = []
        for measure in BOTH:
            mine = rows[rows["measure"] == measure]
            taus = _cells(mine, ORDERED, lambda row: number(row["tau"], 2))
            parts.append([*taus, *_cells(mine, ["naive"], lambda r: number(r["attainable"], 2))])
        of_naive = rows[(rows["measure"] == "adg") & (rows["estimator"] == "naive")].iloc[0]
        reach = "reliability " if case.point is None else ""
        cells = _both(*parts)
        systems, seeds = (str(int(of_naive[key])) for key in ("systems", "seeds"))
        lines.append([_named(case), systems, seeds, *cells[:-1], reach + cells[-1]])
    heads = ["data, selection", "systems", "seeds", *map(shown_as, ORDERED), "attainable"]
    return heads, lines


def decision_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """Pairs of systems that ADG decides wrongly and rightly."""
    lines = []
    for case in cases_of(frames["trust"]):
        rows = case.of(frames["trust"])
        mine = rows[rows["measure"] == "adg"]
        wrong = _cells(mine, DECIDED, lambda row: number(100 * row["wrong"], 0))
        right = _cells(mine, DECIDED, lambda row: number(100 * row["right"], 0))
        lines.append([_named(case), *_both(wrong, right)])
    return ["wrong / right, %", *map(shown_as, DECIDED)], lines


def regret_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """What is lost by picking the system with the best estimate, for ADG and recall@10."""
    lines = []
    for case in cases_of(frames["trust"]):
        rows = case.of(frames["trust"])
        parts = [
            _cells(rows[rows["measure"] == measure], ORDERED, lambda row: number(row["regret"], 2))
            for measure in BOTH
        ]
        lines.append([_named(case), *_both(*parts)])
    return ["regret: ADG / Recall@10", *map(shown_as, ORDERED)], lines


def bias_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """Bias of ADG and recall@10, averaged over systems."""
    lines = []
    for case in cases_of(frames["trust"]):
        rows = case.of(frames["trust"])
        parts = [
            _cells(
                rows[rows["measure"] == measure],
                DECIDED,
                lambda row: number(100 * row["bias"], 1),
            )
            for measure in BOTH
        ]
        lines.append([_named(case), *_both(*parts)])
    return ["bias, %: ADG / Recall@10", *map(shown_as, DECIDED)], lines


def mechanism_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """τ over correlations, the lowest and the highest, by popularity and positivity."""
    rows = frames["trust"]
    rows = rows[rows["popularity_exponent"].notna()]
    lines = []
    keys = ["dataset", "popularity_exponent", "positivity"]
    for (dataset, exponent, positivity), mine in rows.groupby(keys, sort=False):
        cells = [
            _range(mine, measure, estimator)
            for measure, estimator in (
                *(("adg", one) for one in ("naive", LOGISTIC, KNOWN)),
                *(("auc", one) for one in ("naive", KNOWN)),
            )
        ]
        lines.append([dataset, f"{exponent:g}", "on" if positivity else "off", *cells])
    heads = ["data", "exponent", "positivity", "ADG, naive", f"ADG, {shown_as(LOGISTIC)}"]
    heads += [f"ADG, {shown_as(KNOWN)}", "AUC, naive", f"AUC, {shown_as(KNOWN)}"]
    return heads, lines


def _range(rows: pd.DataFrame, measure: str, estimator: str) -> str:
    taus = rows[(rows["measure"] == measure) & (rows["estimator"] == estimator)]["tau"]
    low, high = number(taus.min(), 2), number(taus.max(), 2)
    return low if low == high else f"{low} to {high}"


def other_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """τ by the estimators that the first table leaves out."""
    lines = []
    for case in cases_of(frames["trust"]):
        rows = case.of(frames["trust"])
        cells = []
        for measure, estimators in OTHERS.items():
            mine = rows[rows["measure"] == measure]
            cells += _cells(mine, estimators, lambda row: number(row["tau"], 2))
        lines.append([_named(case), *cells])
    heads = [
        f"{measure_label(measure)}, {shown_as(one)}"
        for measure, estimators in OTHERS.items()
        for one in estimators
    ]
    return ["data, selection", *heads], lines


def price_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """τ of ADG by the number of random ratings a user."""
    rows = frames["price"]
    rows = rows[rows["measure"] == "adg"]
    numbers = sorted(n for n in rows["n"].unique() if n)
    lines = []
    for case in cases_of(rows):
        mine = case.of(rows)
        taus = mine.groupby(["use", "n"])["tau"].mean()
        own = number(taus["own choice"].iloc[0], 2)
        alone = taus["test alone"]
        cells = [number(alone.get(n), 2) for n in numbers]
        most = max(alone.index)
        ends = [number(taus[use, most], 2) for use in ("propensities", "both")]
        lines.append([_named(case), own, *cells, *ends])
    heads = ["data, selection", "own choice", *(f"{n} a user" for n in numbers)]
    return [*heads, "most, for naive Bayes", "most, both"], lines


def training_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """RMSE and ADG of MF-IPS minus those of the same without weights."""
    rows = frames["training"]
    rows = rows[(rows["kind"] == "difference") & rows["measure"].isin(["rmse", "adg"])]
    lines = []
    for case in cases_of(rows):
        mine = case.of(rows).assign(gamma=lambda some: some["gamma"].fillna(0))
        for (method, gamma, penalty), some in mine.groupby(
            ["method", "gamma", "penalty"], sort=False
        ):
            weights = method.removeprefix("mf-ips").strip("-") or f"popularity, γ = {gamma:g}"
            found = some.set_index("measure")
            cells = [
                _interval(found.loc[measure], 4) if measure in found.index else "–"
                for measure in ("rmse", "adg")
            ]
            lines.append([_named(case), weights, f"{float(penalty):g}", *cells])
    return ["data, selection", "weights", "λ", "RMSE", "ADG"], lines


def _interval(row: pd.Series, digits: int, factor: float = 1) -> str:
    value, low, high = (number(factor * row[key], digits) for key in ("mean", "low", "high"))
    return f"{value} ({low} to {high})"


def gamma_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """How often an order is right by the Γ that would turn it, and the Γ that selection needs."""
    rows = frames["gamma"]
    rows = rows[rows["measure"] == "adg"]
    ends = list(dict.fromkeys(zip(rows["from"], rows["to"], strict=True)))
    lines = []
    for case in cases_of(rows):
        for around, mine in case.of(rows).groupby("around", sort=False):
            cells = [
                f"{number(100 * row.mean, 0)} of {row.pairs:,}" if row.pairs else "–"
                for row in mine.itertuples()
            ]
            weights = "equal" if around == "naive" else "popularity"
            needed = number(mine["needed"].iloc[0], 2)
            lines.append([_named(case), weights, *cells, needed])
    heads = [f"{a:g} to {b:g}" if np.isfinite(b) else f"from {a:g}" for a, b in ends]
    return ["% right of pairs, by Γ", "around", *heads, "needed"], lines


def redraw_table(frames: Frames) -> tuple[Sequence[str], Lines]:
    """Bias over held-out sets that are drawn again and again."""
    rows = frames["redraw"]
    lines = []
    for (dataset, measure), mine in rows.groupby(["dataset", "measure"], sort=False):
        cells = [_interval(row, 2, 100) for _, row in mine.iterrows()]
        lines.append([str(dataset), measure_label(str(measure)), *cells])
    heads = [one if one == "naive" else one.upper() for one in dict.fromkeys(rows["estimator"])]
    return ["data", "bias, %", *heads], lines


def claim_table(folder: Path, datasets: Mapping[str, Any]) -> tuple[Sequence[str], Lines]:
    """Verdicts on what others state, from the same tables."""
    claims = [claim for claim in entries.load() if claim.paper == "beyond"]
    order = recorded_datasets(folder)
    files = [path for name in order for path in sorted((folder / name).glob("*.csv"))]
    verdicts = PageVerdicts(files, [("trust", name) for name in order], datasets).rows(claims)
    lines = [
        [row.id, row.dataset, row.verdict, _deciding(row)]
        for row in verdicts[verdicts["dataset"].isin(order)].itertuples()
    ]
    return ["claim", "data", "verdict", "deciding number"], lines


def _deciding(row: Any) -> str:
    """The number that decided with its interval; else all numbers, or why there are none."""
    if np.isnan(row.value):
        return row.numbers or row.how
    ends = "" if np.isnan(row.low) else f" ({number(row.low, 3)} to {number(row.high, 3)})"
    return number(row.value, 3) + ends
