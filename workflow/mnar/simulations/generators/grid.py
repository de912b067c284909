"""Behaviour on generated data, over a grid of generator settings that was fixed beforehand.

At settings picked to show a pattern, the pattern is a demonstration. Here a claim is judged by
the share of all settings in which it holds, those with an effect switched off among them.
"""

from typing import Any

import pandas as pd

from mnar.core.seeds import seed_of
from mnar.data.synthetic import Settings, generate
from mnar.simulations.generators import missing_weights, objectives, pairs
from mnar.tuning import search


def run(grid: dict[str, Any], seed: int, threads: int) -> pd.DataFrame:
    """One row for each combination of generator settings; measures in percent."""
    rows = []
    bound = {"beyond_edges": grid["beyond_edges"]}
    allrank, pairwise, svd = (grid[name] | bound for name in ("allrank", "pairwise", "svd"))
    searched = {name: entry | bound for name, entry in grid["objectives"].items()}
    for setting in search.grid_points(grid["vary"]):
        here = seed_of(seed, "synthetic grid", *setting.values())
        config = grid["generator"] | setting | {"seed": here}
        data = generate(Settings.from_config(config), threads)
        row = dict(setting)
        row |= missing_weights.measured(data, allrank, here, threads)
        row |= pairs.measured(data, pairwise, svd, here, threads)
        row |= objectives.measured(data, searched, here, threads)
        rows.append(row)
    return with_claims(pd.DataFrame(rows))


# What the papers say of behaviour, as columns of the grid: name -> (title, whether it holds).
CLAIMS = {
    "auc_rand_between": "best w_m: AUC ≤ AUC-rand ≤ AUC-AMAN",
    "truth_between": "best w_m: AUC ≤ complete data ≤ AUC-AMAN",
    "truth_strictly_between": "best w_m: 0 < complete data < AUC-AMAN",
    "recall_beyond": "best w_m: AUC-AMAN ≤ recall@10",
    "heads_rise": "head items: best for AUC < for AUC-rand < for AUC-AMAN < for recall@10",
    "missing_helps_truth": "complete data: best w_m beats w_m = 0",
    "interval_near": "complete data: interval rule within 1 point of the best",
    "interval_beats_auc": "complete data: interval rule at least as good as AUC's choice",
    "interval_beats_aman": "complete data: interval rule at least as good as AUC-AMAN's choice",
    "interval_beats_recall": "complete data: interval rule at least as good as recall@10's choice",
    "allrank_beats_observed_only": "ATOP on test: AllRank above observed-only",
    "mf_adg_beats_mf_auc": "ADG: MF-ADG above MF-AUC, small budget",
}


def with_claims(rows: pd.DataFrame) -> pd.DataFrame:
    """The grid with a column for each claim: does it hold in this setting?"""

    def best(goal: str) -> pd.Series:
        return rows[f"best_w_m_{goal}"]

    def head(goal: str) -> pd.Series:
        return rows[f"head_10_best_for_{goal}"]

    truth = rows["auc_complete_if_chosen_by_interval"]
    holds = {
        "auc_rand_between": (best("auc") <= best("auc_rand"))
        & (best("auc_rand") <= best("auc_aman")),
        "truth_between": (best("auc") <= best("auc_complete"))
        & (best("auc_complete") <= best("auc_aman")),
        "truth_strictly_between": (best("auc_complete") > 0)
        & (best("auc_complete") < best("auc_aman")),
        "recall_beyond": best("auc_aman") <= best("recall@10"),
        "heads_rise": (head("auc") < head("auc_rand"))
        & (head("auc_rand") < head("auc_aman"))
        & (head("auc_aman") < head("recall@10")),
        "missing_helps_truth": rows["auc_complete_best"] > rows["auc_complete_at_0"],
        "interval_near": rows["auc_complete_best"] - truth <= 1,
        "interval_beats_auc": truth >= rows["auc_complete_if_chosen_by_auc"],
        "interval_beats_aman": truth >= rows["auc_complete_if_chosen_by_auc_aman"],
        "interval_beats_recall": truth >= rows["auc_complete_if_chosen_by_recall@10"],
        "allrank_beats_observed_only": rows["allrank_atop"] > rows["observed_atop"],
        "mf_adg_beats_mf_auc": rows["mf_adg_minus_mf_auc_adg"] > 0,
    }
    return rows.assign(**holds)
