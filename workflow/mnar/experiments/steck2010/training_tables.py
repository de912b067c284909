"""Tables of steck2010 on training: weights of rating values, fold-in, and work."""

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.analyses.fold_in_loss import MODELS
from mnar.core.files import read_arrays, read_csv
from mnar.experiments.steck2010 import ALLRANK, ATOP_TUNED, BINARY, LOGISTIC, STUDY, WEIGHTS
from mnar.experiments.steck2010.cells import INTERVALS, SPREAD, spread, with_sd
from mnar.experiments.steck2010.resampling import resampling_of
from mnar.measures import UserValues
from mnar.reporting.faults import left_out
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table, number
from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.user_values import resampled


def weights(results: Results) -> Table:
    """Gain of the best w(r) on xv over w(r) = 1, measured on test."""
    scores = results.scores(WEIGHTS)
    method = results.methods(WEIGHTS)[0]
    wide = scores[scores["measure"] == "atop"].pivot_table(
        "pair_mean", ["fold", "point", "settings"], "set"
    )
    wide = wide.reset_index()
    plain = wide[wide["settings"] == json.dumps({"weights": {}})].set_index("fold")
    best = wide.loc[wide.groupby("fold")["validation"].idxmax()].set_index("fold")
    resampling = resampling_of(results, WEIGHTS)
    ones, tuned = (
        resampling.means(method, "atop", "test", frame["point"].to_dict())
        for frame in (plain, best)
    )
    low, high = interval(tuned - ones)
    tidy = pd.DataFrame(
        [
            {"method": "w(r) = 1", **spread(plain["test"])},
            {"method": "w(r) tuned on xv", **spread(best["test"])},
            {"method": "gain", **spread(best["test"] - plain["test"]), "low": low, "high": high},
        ]
    )
    by_point = wide.groupby("settings", sort=False)[["validation", "test"]].mean().reset_index()
    tried = pd.DataFrame(
        [
            {"method": text, **spread(wide.loc[wide["settings"] == text, "test"])}
            for text in by_point["settings"]
        ]
    )
    tidy = pd.concat([tidy, tried], ignore_index=True)
    tidy.insert(0, "dataset", results.dataset)
    tidy.insert(2, "measure", "atop")
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    lines = [
        [weights_text(row.settings), number(row.validation), number(row.test)]
        for row in by_point.itertuples()
    ]
    gain = tidy[tidy["method"] == "gain"].iloc[0]
    notes = [
        f"Tuned on xv in each seed, w(r) gains {number(gain['mean'])} in test ATOP over w(r) = 1 (95 % "
        f"interval {number(low)} to {number(high)}); the paper found no significant gain.",
        INTERVALS,
    ]
    shown = pd.DataFrame(lines, columns=["w(r) of observed ratings", "ATOP (xv)", "ATOP (test)"])
    caption = f"A weight for each observed rating value on {results.dataset}, {ALLRANK}."
    return Table(tidy, shown, caption, notes)


def weights_text(settings: str) -> str:
    levels = json.loads(settings)["weights"]
    return ", ".join(f"w({level}) = {weight:g}" for level, weight in levels.items()) or "all 1"


def fold_in(results: Results) -> Table:
    """ATOP of users and items that were folded in, against the model trained on all."""
    where = ("analyses", STUDY, results.dataset)
    scores = read_csv(results.file(*where, "fold_in_loss.csv"))
    values = read_arrays(results.file(*where, "fold_in_loss.npz"))
    rows, lines = [], []
    for (method, new), group in scores.groupby(["method", "new"], sort=False):
        wide = group.pivot(index="fold", columns="model", values="atop")
        gap = wide["folded in"] - wide["trained"]
        parts = {"trained": wide["trained"], "folded in": wide["folded in"], "gap": gap}
        pairs = int(group.groupby("fold")["pairs"].first().sum())
        for model, folds in parts.items():
            head = {"dataset": results.dataset, "method": method, "new": new, "model": model}
            rows.append({**head, "measure": "atop", **spread(folds), "pairs": pairs})
        low, high = _gap_interval(
            results, values, [f"{method}/{fold}/{new}" for fold in wide.index]
        )
        rows[-1] |= {"low": low, "high": high}
        line = [method, new, f"{pairs:,}", *(with_sd(row) for row in rows[-3:])]
        lines.append([*line, f"{number(low)} to {number(high)}"])
    columns = ["method", "new", "pairs", "ATOP, trained on all", "ATOP, folded in", "difference"]
    columns.append("95 % interval")
    notes = [
        "A tenth of the users (or items) is left out of training, then folded in by one solve with the "
        "other side fixed; ATOP of their test pairs, beside that of the model trained on all.",
        SPREAD,
        f"95 % intervals: bootstrap over users, seeds averaged ({SAMPLES} samples).",
        *left_out(results, STUDY, "fold_in_loss"),
    ]
    tidy = pd.DataFrame(rows).assign(published=np.nan, difference=np.nan)
    caption = f"Fold-in of new users and items on {results.dataset} (section 4.1)."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def _gap_interval(
    results: Results, values: Mapping[str, NDArray], stems: Sequence[str]
) -> tuple[float, float]:
    """Folded in − trained on all, mean over folds, in the same samples of users."""
    n_users = 1 + max(
        int(values[name].max(initial=0)) for name in values if name.endswith("/users")
    )
    samples = user_samples(n_users, SAMPLES, results.dataset, STUDY, "fold-in")
    means = []
    for model in MODELS:
        folds = []
        for stem in stems:
            users, *kept = (values[f"{stem}/{model}/{n}"] for n in ("users", "totals", "weights"))
            wide = np.zeros((2, n_users))
            wide[:, users] = kept
            folds.append(UserValues(*wide))
        means.append(resampled(folds, "pair", samples))
    return interval(means[1] - means[0])


# Trained until the objective is this near to where it ends.
NEAR = 0.005


def cost(results: Results) -> Table:
    """Sweeps and arithmetic until the objective has nearly converged."""
    curves = read_csv(results.file("analyses", STUDY, results.dataset, "convergence.csv"))
    rows = []
    for method, curve in curves.groupby("method", sort=False):
        end = curve["objective"].iloc[-1]
        near = curve["objective"] - end <= NEAR * abs(end)
        falls = bool((curve["objective"].diff().dropna() <= 1e-6 * abs(end)).all())
        sweeps, work = int(curve.loc[near, "sweep"].iloc[0]), int(curve["operations"].iloc[0])
        facts = {"sweeps": sweeps, "operations_per_sweep": work, "operations": sweeps * work}
        facts |= {"objective_never_rises": int(falls)}
        rows += [(results.dataset, method, name, value) for name, value in facts.items()]
    tidy = pd.DataFrame(rows, columns=["dataset", "method", "measure", "mean"])
    wide = tidy.pivot(index="method", columns="measure", values="mean")
    ratios = {
        "logistic over least squares, to convergence": (LOGISTIC, BINARY, "operations"),
        "w_m > 0 over w_m = 0, a sweep": (ALLRANK, ATOP_TUNED, "operations_per_sweep"),
    }
    found = {
        title: wide.loc[above, name] / wide.loc[below, name]
        for title, (above, below, name) in ratios.items()
        if {above, below} <= set(wide.index)
    }
    extra = [(results.dataset, title, "ratio", value) for title, value in found.items()]
    tidy = pd.concat([tidy, pd.DataFrame(extra, columns=tidy.columns)], ignore_index=True)
    tidy = tidy.assign(sem=np.nan, n=1, published=np.nan, difference=np.nan)
    lines = [
        [
            method,
            f"{wide.loc[method, 'sweeps']:.0f}",
            f"{wide.loc[method, 'operations_per_sweep'] / 1e9:.3g}",
            f"{wide.loc[method, 'operations'] / 1e9:.3g}",
            "yes" if wide.loc[method, "objective_never_rises"] else "no",
        ]
        for method in dict.fromkeys(curves["method"])
    ]
    columns = ["method", "sweeps", "10⁹ operations a sweep", "10⁹ in all", "objective never rises"]
    notes = [
        f"Until the objective is within {100 * NEAR:g} % of its value after twice the sweeps of training; "
        "first seed, chosen settings. Operations are counted, not timed: seconds are in logs/benchmarks.",
        *(f"Operations, {title}: {value:.3g} times as many." for title, value in found.items()),
        *left_out(results, STUDY, "convergence"),
    ]
    caption = f"Work of training on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)
