"""Behaviour on generated data, over a grid of generator settings that was fixed beforehand.

At settings picked to show a pattern, the pattern is a demonstration. Here a claim is judged by
the share of all settings in which it holds, those with an effect switched off among them.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar import search, selection, splits
from mnar.complete import Complete
from mnar.data.synthetic import Settings, Synthetic, generate
from mnar.seeds import seed_of
from mnar.statistics import spearman
from mnar.tables import Table
from mnar.training import Fold, Outcome, train_fold
from mnar.view import Entries, View

RELEVANT = 4
STUDY = {
    "candidates": ["unseen"],
    "average": "user",
    "sets": ["validation", "random", "complete"],
    "measures": ["auc", "auc_aman", "atop", "recall@10", "head_10"],
    "set_measures": {"random": ["auc"], "complete": ["auc"]},
}
PAIRWISE = ["adg", "atop", "map", "ndcg", "recall@10"]
PAIRWISE_STUDY = STUDY | {"sets": ["validation", "test"], "measures": PAIRWISE}
GOALS = {
    "auc": ("validation", "auc"),
    "auc_aman": ("validation", "auc_aman"),
    "recall@10": ("validation", "recall@10"),
    "atop": ("validation", "atop"),
    "auc_rand": ("random", "auc"),
    "auc_complete": ("complete", "auc"),
}


def run(grid: dict[str, Any], seed: int, threads: int) -> pd.DataFrame:
    """One row for each combination of generator settings; measures in percent."""
    rows = []
    for setting in search.grid_points(grid["vary"]):
        here = seed_of(seed, "synthetic grid", *setting.values())
        config = grid["generator"] | setting | {"seed": here}
        data = generate(Settings.from_config(config), threads)
        row = dict(setting)
        row |= _allrank(data, grid["allrank"], here, threads)
        row |= _pairwise(data, grid["pairwise"], here, threads)
        rows.append(row)
    return with_claims(pd.DataFrame(rows))


def _view(data: Synthetic, relevant_only: bool) -> View:
    settings = data.settings
    chosen = _entries(data.user, data.item, data.rating, relevant_only)
    at_random = _entries(data.random_user, data.random_item, data.random_rating, relevant_only)
    ids = np.arange(settings.users), np.arange(settings.items)
    return View(*ids, chosen, at_random, np.empty((settings.items, 0), np.int32))


def _entries(user: NDArray, item: NDArray, rating: NDArray, relevant_only: bool) -> Entries:
    relevant = rating >= RELEVANT
    keep = relevant if relevant_only else np.ones(len(user), np.bool_)
    values = rating[keep].astype(np.float32)
    times = np.full(len(values), -1, np.int64)
    return Entries(user[keep], item[keep], values, relevant[keep], times)


def _allrank(data: Synthetic, entry: dict[str, Any], seed: int, threads: int) -> dict[str, float]:
    """Where each measure has its optimum over w_m, and what is reached there."""
    view = _view(data, relevant_only=False)
    protocol = {"evaluation_users": "random", "validation": 0.2}
    split = splits.split("strong", view, protocol, 0, seed)
    seen = Fold.of(view, split).seen
    users = np.unique(data.random_user)
    rows = [data.truth.block(user, user + 1)[0] >= RELEVANT for user in users]
    complete = Complete(users.astype(np.int32), np.array(rows)).matrix(seen, users, seed)
    method = {"module": "allrank-regression", "refine": 0, "select_by": selection.INTERVAL} | entry
    outcome = train_fold(Fold.of(view, split, complete), method, STUDY, seed, threads)
    values = {goal: _values(outcome, *place) for goal, place in GOALS.items()}
    weights = np.array([point[selection.WEIGHT] for point in outcome.points])
    heads = _values(outcome, "validation", "head_10")
    found: dict[str, float] = {}
    for goal, curve in values.items():
        best = int(curve.argmax())
        found[f"best_w_m_{goal}"] = weights[best]
        found[f"{goal}_best"] = curve[best]
        found[f"{goal}_at_0"] = curve[weights == 0].max()
        found[f"{goal}_at_1"] = curve[weights == 1].max()
        found[f"head_10_best_for_{goal}"] = heads[best]
        for judge in ("auc_rand", "auc_complete"):
            found[f"{judge}_if_chosen_by_{goal}"] = values[judge][best]
    for judge in ("auc_rand", "auc_complete"):
        found[f"{judge}_if_chosen_by_interval"] = values[judge][outcome.chosen]
    found["w_m_interval"] = weights[outcome.chosen]
    found["allrank_minus_observed_only_atop"] = found["atop_best"] - found["atop_at_0"]
    found["spearman_w_m_head_10"] = spearman(weights, heads)
    return found


def _values(outcome: Outcome, name: str, measure: str) -> NDArray[np.float64]:
    keys = [(point, "unseen", name) for point in range(len(outcome.points))]
    return np.array([100 * float(outcome.scores[key][measure].mean("user")) for key in keys])


def _pairwise(data: Synthetic, entry: dict[str, Any], seed: int, threads: int) -> dict[str, float]:
    """MF-ADG minus MF-AUC on test (lim2015), both with a small budget."""
    view = _view(data, relevant_only=True)
    fold = Fold.of(view, splits.split("four-folds", view, {}, 0, seed))
    reached = {}
    for module, select_by in (("mf-adg", "adg"), ("mf-auc", "atop")):
        method = {"module": module, "refine": 0, "select_by": select_by} | entry
        outcome = train_fold(fold, method, PAIRWISE_STUDY, seed, threads)
        for measure in PAIRWISE:
            reached[module, measure] = _values(outcome, "test", measure)[outcome.chosen]
    return {
        f"mf_adg_minus_mf_auc_{measure}": reached["mf-adg", measure] - reached["mf-auc", measure]
        for measure in PAIRWISE
    }


# What the papers say of behaviour, as columns of the grid: name -> (title, whether it holds).
CLAIMS = {
    "auc_rand_between": "best w_m: AUC ≤ AUC-rand ≤ AUC-AMAN",
    "truth_between": "best w_m: AUC ≤ complete data ≤ AUC-AMAN",
    "truth_strictly_between": "best w_m: 0 < complete data < AUC-AMAN",
    "recall_beyond": "best w_m: AUC-AMAN ≤ recall@10",
    "heads_rise": "head items: best for AUC ≤ for AUC-AMAN ≤ for recall@10",
    "missing_helps_truth": "complete data: best w_m beats w_m = 0",
    "interval_near": "complete data: interval rule within 1 point of the best",
    "interval_beats_auc": "complete data: interval rule at least as good as AUC's choice",
    "interval_beats_aman": "complete data: interval rule at least as good as AUC-AMAN's choice",
    "interval_beats_recall": "complete data: interval rule at least as good as recall@10's choice",
    "allrank_beats_observed_only": "ATOP: AllRank above observed-only",
    "mf_adg_beats_mf_auc": "ADG: MF-ADG above MF-AUC, small budget",
}


def with_claims(rows: pd.DataFrame) -> pd.DataFrame:
    """The grid with a column for each claim: does it hold in this setting?"""

    def weight(goal: str) -> pd.Series:
        return rows[f"best_w_m_{goal}"]

    def head(goal: str) -> pd.Series:
        return rows[f"head_10_best_for_{goal}"]

    truth = rows["auc_complete_if_chosen_by_interval"]
    holds = {
        "auc_rand_between": (weight("auc") <= weight("auc_rand"))
        & (weight("auc_rand") <= weight("auc_aman")),
        "truth_between": (weight("auc") <= weight("auc_complete"))
        & (weight("auc_complete") <= weight("auc_aman")),
        "truth_strictly_between": (weight("auc_complete") > 0)
        & (weight("auc_complete") < weight("auc_aman")),
        "recall_beyond": weight("auc_aman") <= weight("recall@10"),
        "heads_rise": (head("auc") <= head("auc_aman")) & (head("auc_aman") <= head("recall@10")),
        "missing_helps_truth": rows["auc_complete_best"] > rows["auc_complete_at_0"],
        "interval_near": rows["auc_complete_best"] - truth <= 1,
        "interval_beats_auc": truth >= rows["auc_complete_if_chosen_by_auc"],
        "interval_beats_aman": truth >= rows["auc_complete_if_chosen_by_auc_aman"],
        "interval_beats_recall": truth >= rows["auc_complete_if_chosen_by_recall@10"],
        "allrank_beats_observed_only": rows["allrank_minus_observed_only_atop"] > 0,
        "mf_adg_beats_mf_auc": rows["mf_adg_minus_mf_auc_adg"] > 0,
    }
    return rows.assign(**holds)


def table(rows: pd.DataFrame) -> Table:
    """Shown: in how many settings each claim holds, with and without the two effects."""
    popularity, positivity = rows["popularity_exponent"] > 0, rows["positivity"] > 0
    groups = {
        "all": popularity | True,
        "both effects": popularity & positivity,
        "no popularity": ~popularity,
        "no positivity": ~positivity,
    }
    lines = []
    for claim, title in CLAIMS.items():
        cells = [f"{int(rows[claim][mine].sum())} of {int(mine.sum())}" for mine in groups.values()]
        lines.append([title, *cells])
    optima = []
    for name, mine in groups.items():
        medians = [f"{goal} {rows[f'best_w_m_{goal}'][mine].median():g}" for goal in GOALS]
        optima.append(f"Median best w_m, {name}: {', '.join(medians)}.")
    tidy = rows.copy()
    tidy.insert(0, "dataset", "synthetic grid")
    caption = (
        f"In how many of {len(rows)} generator settings, fixed beforehand, each claim about behaviour "
        "holds; one run each."
    )
    return Table(tidy, pd.DataFrame(lines, columns=["claim", *groups]), caption, optima)
