"""MF-ADG against MF-AUC and SVD, and validation against test (lim2015 section 6.1)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mnar import splits
from mnar.data.synthetic import Synthetic
from mnar.measures import UserValues
from mnar.simulations.generators import SEARCHES
from mnar.simulations.generators.trained import Row, Trained, at_edges, view_of
from mnar.splits.fold import Fold
from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.correlation import spearman
from mnar.statistics.paired import Paired
from mnar.statistics.user_values import resampled

RELEVANT = 4
# By which each of the pair is chosen.
CHOSEN_BY = ("adg", "atop")
MEASURES = ["atop", "map", "ndcg", "recall@10", "adg"]
DEPTHS = [5, 10, 20, 50, 100, 200]
STUDY = {
    "candidates": ["unseen", "all"],
    "average": "user",
    "sets": ["validation", "test", "train"],
    # Those that settings are chosen by; the others are taken of what was chosen.
    "measures": list(CHOSEN_BY),
    "chosen_measures": [
        *(measure for measure in MEASURES if measure not in CHOSEN_BY),
        "auc_aman",
        *(f"recall@{k}" for k in DEPTHS if k != 10),
    ],
}
[SVD] = SEARCHES["svd"]
# With one fold most settings cannot tell whether validation agrees with test.
FOLDS = 4
# Validation agrees with test if the interval of their gap is within this, in per cent of test.
AGREES = 10


@dataclass(frozen=True)
class Folds:
    """A method in every fold, at the settings chosen there."""

    trained: list[Trained]

    @classmethod
    def of(
        cls,
        folds: list[Fold],
        method: dict[str, Any],
        study: dict[str, Any],
        seed: int,
        threads: int,
    ) -> "Folds":
        return cls([Trained.on(fold, method, study, seed, threads) for fold in folds])

    def chosen(self, name: str, measure: str) -> float:
        return float(np.mean([one.chosen(name, measure) for one in self.trained]))

    def among_all(self, name: str, measure: str) -> float:
        return float(np.mean([one.among_all(name, measure) for one in self.trained]))

    def users(self, name: str, measure: str) -> list[UserValues]:
        return [one.users(name, measure, one.outcome.chosen) for one in self.trained]


def measured(
    data: Synthetic, entry: dict[str, Any], svd: dict[str, Any], seed: int, threads: int
) -> Row:
    """All with a small budget, settings chosen on validation; measures in percent, folds averaged."""
    view = view_of(data, RELEVANT, relevant_only=True)
    folds = [
        Fold.of(view, splits.split("four-folds", view, {}, number, seed)) for number in range(FOLDS)
    ]
    trained = {
        module: Folds.of(
            folds, {"module": module, "select_by": select_by} | entry, STUDY, seed, threads
        )
        for module, select_by in zip(SEARCHES["pairwise"], CHOSEN_BY, strict=True)
    }
    method = {"module": SVD, "select_by": "adg"} | svd
    held_out = STUDY | {
        "candidates": ["unseen"],
        "sets": ["validation", "test"],
    }
    baseline = Folds.of(folds, method, held_out, seed, threads)
    edges = at_edges(
        {
            f"{name}, fold {fold}": (one, one.outcome.chosen)
            for name, runs in {**trained, "svd": baseline}.items()
            for fold, one in enumerate(runs.trained)
        }
    )
    found: Row = {"edges_lim2015": edges} | _pair(*trained.values())
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
        gaps = [_gap(one, measure, seed) for one in trained.values()]
        found[f"valid_over_test_{measure}"] = max(gap for gap, _, _ in gaps)
        found[f"valid_agrees_{measure}"] = _agrees(gaps)
    return found


def _pair(adg: Folds, auc: Folds) -> dict[str, float | bool]:
    """MF-ADG against MF-AUC."""
    found: dict[str, float | bool] = {}
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
    return found


def _agrees(gaps: list[tuple[float, float, float]]) -> float:
    """1 if every interval is within the margin, 0 if one is wholly outside, else NaN: not known."""
    if all(low >= -AGREES and high <= AGREES for _, low, high in gaps):
        return 1.0
    outside = any(low > AGREES or high < -AGREES for _, low, high in gaps)
    return 0.0 if outside else np.nan


def _gap(one: Folds, measure: str, *seed: object) -> tuple[float, float, float]:
    """(validation − test) / test in percent over users that have both, and its 95 % interval."""
    sides = [one.users(name, measure) for name in ("validation", "test")]
    both = Paired.of(*sides)
    samples = user_samples(len(sides[0][0].total), SAMPLES, "generator grid", *seed)
    first, second = (resampled(side, "user", samples) for side in (both.first, both.second))
    valid, test = both.means()
    return 100 * (valid / test - 1), *interval(100 * (first / second - 1))
