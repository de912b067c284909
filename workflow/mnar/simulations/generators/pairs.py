"""MF-ADG against MF-AUC and SVD, and validation against test (lim2015 section 6.1)."""

from typing import Any

import numpy as np

from mnar import splits
from mnar.data.synthetic import Synthetic
from mnar.simulations.generators import SEARCHES
from mnar.simulations.generators.trained import Row, Trained, at_edges, view_of
from mnar.splits.fold import Fold
from mnar.statistics.correlation import spearman

RELEVANT = 4
MEASURES = ["atop", "map", "ndcg", "recall@10", "adg"]
DEPTHS = [5, 10, 20, 50, 100, 200]
STUDY = {
    "candidates": ["unseen", "all"],
    "average": "user",
    "sets": ["validation", "test", "train"],
    "measures": [*MEASURES, "auc_aman", *(f"recall@{k}" for k in DEPTHS if k != 10)],
    "set_measures": {"train": ["atop", "adg"]},
}
# By which each of the pair is chosen.
CHOSEN_BY = ("adg", "atop")
[SVD] = SEARCHES["svd"]
STANDARD_ERRORS = 1.96
# Validation agrees with test if the interval of their gap is within this, in per cent of test.
AGREES = 10


def measured(
    data: Synthetic, entry: dict[str, Any], svd: dict[str, Any], seed: int, threads: int
) -> Row:
    """All with a small budget, settings chosen on validation; measures in percent."""
    view = view_of(data, RELEVANT, relevant_only=True)
    fold = Fold.of(view, splits.split("four-folds", view, {}, 0, seed))
    trained = {
        module: Trained.on(
            fold, {"module": module, "select_by": select_by} | entry, STUDY, seed, threads
        )
        for module, select_by in zip(SEARCHES["pairwise"], CHOSEN_BY, strict=True)
    }
    method = {"module": SVD, "select_by": "adg"} | svd
    held_out = STUDY | {
        "candidates": ["unseen"],
        "sets": ["validation", "test"],
        "measures": MEASURES,
    }
    baseline = Trained.on(fold, method, held_out, seed, threads)
    adg, auc = trained.values()
    chosen = {name: (one, one.outcome.chosen) for name, one in {**trained, "svd": baseline}.items()}
    found: Row = {"edges_lim2015": at_edges(chosen)}
    gains = {}
    for measure in [*MEASURES, *(f"recall@{k}" for k in DEPTHS)]:
        first, second = adg.chosen("test", measure), auc.chosen("test", measure)
        gains[measure] = 100 * (first / second - 1)
        if measure in MEASURES:
            found[f"mf_adg_minus_mf_auc_{measure}"] = first - second
    found["gain_lead_at_top"] = min(gains["map"], gains["recall@10"]) - max(
        gains["ndcg"], gains["adg"]
    )
    found["spearman_k_gain"] = spearman(
        np.array(DEPTHS, float), np.array([gains[f"recall@{k}"] for k in DEPTHS])
    )
    found["ndcg_over_adg_gain"] = 100 * ((1 + gains["ndcg"] / 100) / (1 + gains["adg"] / 100) - 1)
    found["smallest_lead_over_svd"] = min(
        one.chosen("test", m) - baseline.chosen("test", m)
        for one in trained.values()
        for m in MEASURES
    )
    found["largest_auc_minus_atop"] = max(
        abs(one.chosen("test", "auc_aman") - one.chosen("test", "atop")) for one in trained.values()
    )
    found["smallest_train_minus_test"] = min(
        one.among_all("train", m) - one.among_all("test", m)
        for one in trained.values()
        for m in ("atop", "adg")
    )
    for measure in MEASURES:
        gaps = [_gap(one, measure) for one in trained.values()]
        found[f"valid_over_test_{measure}"] = max(gap for gap, _ in gaps)
        found[f"valid_agrees_{measure}"] = _agrees(gaps)
    return found


def _agrees(gaps: list[tuple[float, float]]) -> float:
    """1 if every gap is known to be within the margin, 0 if one is known not to be, else NaN."""
    if all(abs(gap) + reach <= AGREES for gap, reach in gaps):
        return 1.0
    return 0.0 if any(abs(gap) - reach > AGREES for gap, reach in gaps) else np.nan


def _gap(one: Trained, measure: str) -> tuple[float, float]:
    """(validation − test) / test in percent over users that have both, and how far it is sure."""
    point = one.outcome.chosen
    valid, test = (one.users(name, measure, point) for name in ("validation", "test"))
    both = (valid.weight > 0) & (test.weight > 0)
    first, second = (side.total[both] / side.weight[both] for side in (valid, test))
    differences = first - second
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    scale = 100 / second.mean()
    return scale * differences.mean(), STANDARD_ERRORS * scale * error
