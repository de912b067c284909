"""Tables of experiment trust about single systems: their places, and correcting in training."""

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from mnar import measures
from mnar.experiments.trust.cases import cases_of, shown_as
from mnar.reporting.table_format import Table, number
from mnar.simulations.trust.experiment import KEYS

ERRORS = ("rmse", "mae")
SHOWN = ["adg", "recall@10"]
LISTED = ["naive", "snips(popularity, gamma=1)", "snips(logistic)", "snips(known)"]


def with_ends(tidy: pd.DataFrame) -> pd.DataFrame:
    """The 95 % interval of a mean over seeds, by Student's t; none for a single seed."""
    n = tidy["n"].to_numpy()
    reach = np.where(n > 1, stdtrit(np.maximum(n - 1, 1), 0.975), np.nan) * tidy["sem"]
    return tidy.assign(low=tidy["mean"] - reach, high=tidy["mean"] + reach)


def systems_table(estimates: pd.DataFrame, name: str) -> Table:
    """`place` is the share of the other systems that a system beats, by the truth and by estimates."""
    rows = estimates[estimates["measure"].isin(SHOWN)]
    first = rows[rows["estimator"] == "naive"]
    parts = [
        first.assign(estimator="truth", value=first["truth"]),
        rows.assign(value=rows["estimate"]),
    ]
    values = pd.concat(parts, ignore_index=True)
    cell = ["dataset", *KEYS, "seed", "measure", "estimator"]
    ranks = values.groupby(cell, dropna=False, sort=False)["value"]
    values["place"] = (ranks.rank() - 1) / (ranks.transform("size") - 1)
    keys = ["dataset", *KEYS, "measure", "estimator", "system"]
    grouped = values.groupby(keys, dropna=False, sort=False)
    tidy = grouped["place"].agg(["mean", "sem", "count"]).rename(columns={"count": "n"})
    tidy = tidy.assign(value=grouped["value"].mean()).reset_index()
    tidy = with_ends(tidy.assign(method=tidy["system"], published=np.nan, difference=np.nan))
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
        "Place: the share of the other systems that a system beats, mean over seeds; 100 is best.",
    ]
    caption = f"Every system on {name}, best first."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


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
    tidy = _with_differences(rows, keys)
    lines: list[list[str]] = []
    bold: set[tuple[int, int]] = set()
    for case in cases_of(tidy):
        ordered = case.of(tidy[tidy["kind"] == "value"]).sort_values("penalty", kind="stable")
        for (penalty, method, gamma), mine in ordered.groupby(
            ["penalty", "method", "gamma"], sort=False
        ):
            values = mine.set_index("measure")["mean"]
            weights = {"observed-only": "none", "mf-ips-known": "known"}.get(
                method, f"popularity, γ = {gamma}"
            )
            cells = [number(values.get(measure), 4) for measure in wanted]
            lines.append([case.selection, penalty, weights, *cells])
    labels = ["MAE" if m == "mae" else measures.label(m) for m in wanted]
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
        "All have the same factors, sweeps and start; weights are scaled to mean 1.",
    ]
    caption = f"Does correcting in training help? MF-IPS on {name}."
    return Table(tidy, shown, caption, notes, frozenset(bold))


def _with_differences(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Means over seeds, and (rows of kind `difference`) weighted − not weighted, seed by seed."""
    same = ["dataset", *KEYS, "penalty", "measure", "seed"]
    plain = rows[rows["method"] == "observed-only"].set_index(same)["truth"]
    weighed = rows[rows["method"] != "observed-only"]
    before = plain.reindex(pd.MultiIndex.from_frame(weighed[same])).to_numpy()
    minus = weighed.assign(truth=weighed["truth"] - before)
    parts = []
    for kind, part in (("value", rows), ("difference", minus)):
        found = part.groupby(keys, dropna=False, sort=False)["truth"].agg(["mean", "sem", "count"])
        parts.append(found.reset_index().rename(columns={"count": "n"}).assign(kind=kind))
    tidy = with_ends(pd.concat(parts, ignore_index=True))
    return tidy.assign(published=np.nan, difference=np.nan)
