"""Tables of experiment trust about single systems: their places, and correcting in training."""

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.trust.cases import ERRORS, cases_of, measure_label, shown_as
from mnar.reporting.table_format import Table, number
from mnar.simulations.trust.summaries import KEYS

WEIGHTS = {"observed-only": "none", "mf-ips-known": "known", "mf-ips-published": "published"}
SHOWN = ["adg", "recall@10"]
LISTED = ["naive", "snips(popularity, gamma=1)", "snips(logistic)", "snips(known)"]


def _tidy(rows: pd.DataFrame) -> pd.DataFrame:
    """Intervals are those of the bootstrap over users, and the standard error is that of its samples."""
    sem = (rows["high"] - rows["low"]) / (2 * 1.96)
    return rows.assign(sem=sem, published=np.nan, difference=np.nan)


def systems_table(systems: pd.DataFrame, name: str) -> Table:
    """`place` is the share of the other systems that a system beats, by the truth and by estimates."""
    keys = ["dataset", *KEYS, "measure", "estimator", "system"]
    values = systems[systems["kind"] == "value"].set_index(keys)["mean"]
    placed = systems[systems["kind"] == "place"]
    tidy = _tidy(placed.assign(method=placed["system"]))
    tidy["value"] = values.reindex(pd.MultiIndex.from_frame(tidy[keys])).to_numpy()
    lines = []
    for case in cases_of(tidy):
        for measure in SHOWN:
            mine = case.of(tidy)
            wide = mine[mine["measure"] == measure].pivot(
                index="system", columns="estimator", values=["value", "mean"]
            )
            there = [one for one in LISTED if one in wide["mean"].columns]
            for system, row in wide.sort_values(("mean", "truth"), ascending=False).iterrows():
                shares = [number(100 * row["mean", one], 0) for one in ("truth", *there)]
                shares += ["–"] * (len(LISTED) - len(there))
                title = case.selection
                value = number(row["value", "truth"], 4)
                lines.append([title, measures.label(measure), system, value, *shares])
    columns = ["selection", "measure", "system", "truth", "place by truth, %"]
    columns += [f"by {shown_as(one)}" for one in LISTED]
    notes = [
        "Place: the share of the other systems that a system beats, mean over seeds; 100 is best. "
        "Intervals, in the file, are by bootstrap over users.",
    ]
    caption = f"Every system on {name}, best first."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def training_table(systems: pd.DataFrame, name: str) -> Table:
    wanted = ["adg", "atop", "recall@10", "rmse", "mae"]
    rows = systems[(systems["estimator"] == "truth") & systems["measure"].isin(wanted)]
    rows = rows[rows["kind"].isin(["value", "difference"])]
    split = rows["system"].str.extract(r"^(observed-only|mf-ips(?:-known|-published)?)\b(.*)$")
    rows = rows.assign(method=split[0], penalty=split[1].str.extract(r"lambda=([\d.]+)")[0])
    rows = rows.assign(gamma=split[1].str.extract(r"gamma=([\d.]+)")[0].fillna(""))
    rows = rows[rows["method"].notna()]
    with_weights = rows[rows["method"] != "observed-only"]
    tidy = _tidy(rows[rows["penalty"].isin(with_weights["penalty"])])
    lines: list[list[str]] = []
    bold: set[tuple[int, int]] = set()
    for case in cases_of(tidy):
        ordered = case.of(tidy[tidy["kind"] == "value"]).sort_values("penalty", kind="stable")
        for (penalty, method, gamma), mine in ordered.groupby(
            ["penalty", "method", "gamma"], sort=False
        ):
            values = mine.set_index("measure")["mean"]
            weights = WEIGHTS.get(method, f"popularity, γ = {gamma}")
            cells = [number(values.get(measure), 4) for measure in wanted]
            lines.append([case.selection, penalty, weights, *cells])
    labels = [measure_label(measure) for measure in wanted]
    shown = pd.DataFrame(lines, columns=["selection", "λ", "weights in training", *labels])
    for (_, _), block in shown.groupby(["selection", "λ"], sort=False):
        for after, measure in enumerate(wanted):
            values = (
                block.iloc[:, 3 + after].str.replace("−", "-").replace("–", "nan").astype(float)
            )
            if values.notna().any():
                best = values.idxmin() if measure in ERRORS else values.idxmax()
                bold.add((int(best), 3 + after))
    notes = [
        "Truth: on all unseen pairs of complete data, or on random ratings outside of training; mean "
        "over seeds. Bold: best of a block.",
        "All have the same factors, sweeps and start; weights are scaled to mean 1. Differences with "
        "intervals by bootstrap over users are in the file.",
    ]
    caption = f"Does correcting in training help? MF-IPS on {name}."
    return Table(tidy, shown, caption, notes, frozenset(bold))
