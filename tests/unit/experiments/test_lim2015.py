"""Differences of lim2015 on fabricated runs, where the right answer is known."""

import numpy as np
import pytest

from mnar.experiments.lim2015 import MEASURES, PAIR, STUDY, tables
from mnar.measures import UserValues
from mnar.reporting.results import Results
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import SearchedFold

USERS = 60
DEPTHS = (1, 5, 10, 50, 500)
# MF-ADG over MF-AUC: ever less further down the list.
GAINS = {"recall@1": 1.0, "recall@5": 1.5, "recall@10": 1.4, "recall@50": 1.2, "recall@500": 1.1}
GAINS |= {"atop": 0.99, "auc_aman": 0.99, "map": 1.3, "ndcg": 1.06, "adg": 1.05}


@pytest.fixture
def results(tmp_path):
    names = [*dict.fromkeys([*MEASURES, "auc_aman", *(f"recall@{k}" for k in DEPTHS)])]
    user = 1 + 0.5 * np.sin(np.arange(USERS))
    files = []
    for method in (*PAIR, "svd"):
        outcomes = {}
        for fold in range(2):
            outcome = SearchedFold([{}], 0)
            for candidates in ("unseen", "all"):
                factor = {PAIR[1]: GAINS}.get(method, {})
                values = {
                    m: UserValues(0.2 * user * factor.get(m, 1.0) + (m == "auc_aman") * 0.0005,
                                  np.ones(USERS))
                    for m in names
                }  # fmt: skip
                outcome.scores[0, candidates, "test"] = values
            outcomes[fold] = outcome
        where = tmp_path / "scores" / STUDY / "d" / method
        where.mkdir(parents=True)
        runs.write_scores(where / "0-1.csv", outcomes)
        runs.write_user_values(where / "0-1.npz", outcomes, "all")
        files += [str(where / f"0-1.{ending}") for ending in ("csv", "npz")]
    entry = {"candidates": ["unseen", "all"], "average": "user", "methods": [*PAIR, "svd"]}
    return Results("d", files, {"studies": {STUDY: entry}, "methods": {}})


def test_differences_are_paired_over_users(results):
    tidy = tables.differences(results).tidy.set_index(["fact", "method", "measure"]).sort_index()

    def ends(*key):
        return tidy.loc[key, ["mean", "low", "high"]].tolist()

    # Users differ by far more than these, and in the same way for both sides.
    assert ends("AUC − ATOP", PAIR[0], "auc_aman") == pytest.approx([0.0005] * 3, abs=1e-6)
    ratio = 100 * (1.06 / 1.05 - 1)
    assert ends("NDCG / ADG, gain in %", PAIR[1], "ndcg") == pytest.approx([ratio] * 3, abs=1e-3)
    assert ends("gain in %", PAIR[1], "map") == pytest.approx([30] * 3, abs=1e-3)
    assert ends("gain in % − that in adg", PAIR[1], "recall@10") == pytest.approx(
        [35] * 3, abs=1e-3
    )


def test_the_gain_fades_from_the_fifth_place_on(results):
    """At k = 1 there is no gain at all: the trend is asked from 5 on."""
    tidy = tables.differences(results).tidy.set_index("fact")
    trend = tidy.loc["Spearman of k and gain in recall@k"]
    assert trend[["mean", "low", "high"]].tolist() == pytest.approx([-1, -1, -1])


def test_all_candidates_are_compared_too(results):
    tidy = tables.differences(results).tidy
    facts = tidy["fact"].value_counts()
    assert facts["minus mf-auc, all items ranked"] == len(MEASURES)
    assert facts["minus svd, all items ranked"] == 2 * len(MEASURES)
