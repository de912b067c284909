"""Scores of the methods and of the blend in the two tracks, and their gains."""

from functools import cache, lru_cache

import numpy as np
import pandas as pd

from mnar import splits
from mnar.experiments.kddcup2011 import BASELINE, BLEND, TRACK1, TRACK2, VIEW
from mnar.experiments.kddcup2011.anchors import anchor
from mnar.reporting.results import Results, fold_values, read_scores
from mnar.splits import TEST
from mnar.statistics.comparison import mean_and_error
from mnar.tuning.fold_bootstrap import difference_interval
from mnar.tuning.scores import PerUser

# The paper's numbers that one of our methods stands beside: (track, quantity, condition).
ANCHORS = {
    (TRACK1, "mf-biased", "rmse"): ("track1", "rmse", "without taxonomy"),
    (TRACK1, "mf-taxonomy", "rmse"): ("track1", "rmse", "with taxonomy"),
    (TRACK1, BLEND, "rmse"): ("track1", "rmse", "best"),
    (TRACK1, BLEND, "r2"): ("track1", "r2_percent", "best"),
    (TRACK2, "mf-balanced", "track2_error"): ("track2", "error_percent", "BinarySVD"),
    (TRACK2, "mf-balanced-taxonomy", "track2_error"): (
        "track2",
        "error_percent",
        "BinarySVD+ taxonomy",
    ),
    (TRACK2, BLEND, "track2_error"): ("track2", "error_percent", "best"),
}


def scores_of(results: Results, study: str, method: str) -> pd.DataFrame:
    """Test scores of the chosen settings, or of the blend."""
    if method != BLEND:
        return results.chosen(study)
    scores = blend_scores(results, study)
    scores = scores[scores["set"] == "test"]
    average = results.config["studies"][study]["average"]
    return scores.assign(method=BLEND, value=scores[f"{average}_mean"])


@cache
def blend_scores(results: Results, study: str) -> pd.DataFrame:
    return read_scores(results.files_of(study, BLEND, ".csv"))


def mean_of(results: Results, study: str, method: str, measure: str) -> float:
    return float(fold_values(scores_of(results, study, method), method, measure).mean())


def best_on_validation(results: Results, study: str, measure: str) -> str:
    found = results.chosen(study, "validation")
    means = found[found["measure"] == measure].groupby("method", sort=False)["value"].mean()
    return str(means.idxmin())


def score_row(results: Results, study: str, method: str, measure: str, values: np.ndarray) -> dict:
    mean, sem = mean_and_error(values)
    published = float("nan")
    if (study, method, measure) in ANCHORS:
        published = anchor(results, *ANCHORS[study, method, measure])
        if ANCHORS[study, method, measure][1].endswith("_percent"):
            published /= 100
    return {
        "dataset": results.dataset,
        "method": method,
        "measure": measure,
        "mean": mean,
        "sem": sem,
        "n": len(values),
        "published": published,
    }


@lru_cache(maxsize=2)
def _test_users(results: Results, study: str, method: str) -> list[PerUser]:
    """Test values by user of each fold. The last ones are kept: one side of comparisons stays."""
    key = (results.config["studies"][study]["candidates"][0], "test")
    return [part for where, part in results.users(study, method).items() if where[1:] == key]


def gain_over(
    results: Results, study: str, method: str, measure: str, against: str = BASELINE
) -> dict[str, float]:
    """Difference to another method: mean over folds, interval over users, and in percent."""
    if method == against:
        return dict.fromkeys(("gain", "gain_low", "gain_high", "relative"), float("nan"))
    entry = results.config["studies"][study]
    ours, theirs = (_test_users(results, study, name) for name in (method, against))
    means = [mean_of(results, study, name, measure) for name in (method, against)]
    seed = (results.dataset, study)
    low, high = difference_interval(ours, theirs, measure, entry["average"], *seed)
    relative = 100 * (means[0] / means[1] - 1) if means[1] else float("nan")
    gain = means[0] - means[1]
    return {"gain": gain, "gain_low": low, "gain_high": high, "relative": relative}


def test_variances(results: Results) -> np.ndarray:
    """The variance of the test ratings of Track 1, in each fold."""
    view = results.view(VIEW)
    path = results.file("splits", results.dataset, VIEW, "track1.npz")
    folds = sorted(set(results.scores(TRACK1)["fold"]))
    return np.array(
        [
            view.ratings.rating[splits.load_split(path, fold).roles == TEST].var(dtype=np.float64)
            for fold in folds
        ]
    )
