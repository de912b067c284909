"""Tables 1 and 2 of lim2015 on made-up runs: which tests, which correction, which users."""

import numpy as np
import pytest
from scipy import stats

from mnar.experiments.lim2015 import MEASURES, PAIR, STUDY, table1, tables
from mnar.measures import UserValues
from mnar.reporting.results import Results
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import SearchedFold

METHODS = (*PAIR, "svd")
FOLDS, USERS = 4, 30
# MF-ADG − MF-AUC in each fold. Of adg: significant by the plain t-test, not with the correction for
# overlapping folds. Of map: significant by itself, not after Holm over five measures.
GAPS = {
    "atop": [0.20, 0.21, 0.19, 0.20],
    "map": [0.030, 0.065, 0.045, 0.070],
    "ndcg": [-0.30, -0.31, -0.29, -0.30],
    "recall@10": [0.01, -0.01, 0.02, 0.00],
    "adg": [0.03, 0.09, 0.04, 0.08],
    "auc_aman": [0.0] * FOLDS,
}


def write(folder, values):
    """values(method, measure, fold, set) -> UserValues."""
    files = []
    for method in METHODS:
        outcomes = {}
        for fold in range(FOLDS):
            outcome = SearchedFold([{}], 0)
            for name in ("validation", "test"):
                found = {m: values(method, m, fold, name) for m in GAPS}
                outcome.scores[0, "unseen", name] = found
                outcome.scores[0, "all", name] = {
                    m: UserValues(0.5 * v.total, v.weight) for m, v in found.items()
                }
            outcomes[fold] = outcome
        stem = folder / "scores" / STUDY / "d" / method / f"0-{FOLDS - 1}"
        stem.parent.mkdir(parents=True)
        runs.write_scores(stem.with_suffix(".csv"), outcomes)
        runs.write_user_values(stem.with_suffix(".npz"), outcomes, "chosen")
        files += [str(stem.with_suffix(ending)) for ending in (".csv", ".npz")]
    entry = {"candidates": ["unseen", "all"], "average": "user", "methods": list(METHODS)}
    return Results("d", files, {"studies": {STUDY: entry}, "methods": {}})


def corrected_p(gaps):
    """Two-sided, by the formula of Nadeau and Bengio with 20 % test against 70 % training."""
    gaps = np.array(gaps)
    t = gaps.mean() / np.sqrt((1 / len(gaps) + 2 / 7) * gaps.var(ddof=1))
    return 2 * stats.t.sf(abs(t), len(gaps) - 1)


def by_holm(p_values):
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    found, largest = {}, 0.0
    for rank, (name, p) in enumerate(ordered):
        largest = max(largest, p * (len(ordered) - rank))
        found[name] = min(largest, 1)
    return found


@pytest.fixture
def results(tmp_path):
    def values(method, measure, fold, name):
        user = 0.5 + 0.1 * np.sin(np.arange(USERS))
        level = user - user.mean() + 0.4 + 0.01 * fold
        if method == PAIR[1]:
            level = level + GAPS[measure][fold]
        if method == "svd":
            level = level - 0.1 - 0.01 * fold
        return UserValues(level, np.ones(USERS))

    return write(tmp_path, values)


def test_table_1_is_judged_by_the_corrected_test_and_holm(results):
    tidy = table1.table1(results).tidy.set_index(["method", "measure"])
    raw = {measure: corrected_p(GAPS[measure]) for measure in MEASURES}
    expected = by_holm(raw)
    for measure in MEASURES:
        for method in PAIR:
            assert tidy.loc[(method, measure), "p_holm"] == pytest.approx(expected[measure])
    # What the two corrections are there for.
    assert stats.ttest_1samp(GAPS["adg"], 0).pvalue < 0.05 < raw["adg"]
    assert raw["map"] < 0.05 < expected["map"]
    better = tidy["significantly_better"]
    assert list(better[better].index) == [
        (PAIR[0], "ndcg"),
        (PAIR[1], "atop"),
    ]


def test_bold_cells_are_the_significantly_better(results):
    made = table1.table1(results)
    rows = made.shown["method"].tolist()
    assert made.bold == {
        (rows.index(PAIR[0]), 1 + MEASURES.index("ndcg")),
        (rows.index(PAIR[1]), 1 + MEASURES.index("atop")),
    }


def test_the_lead_over_svd_is_one_family_of_ten(results):
    tidy = table1.table1(results).tidy.set_index(["method", "measure"])
    leads = {}
    for method in PAIR:
        for measure in MEASURES:
            own = GAPS[measure] if method == PAIR[1] else [0] * FOLDS
            leads[method, measure] = [0.1 + 0.01 * fold + own[fold] for fold in range(FOLDS)]
    expected = by_holm({key: corrected_p(lead) for key, lead in leads.items()})
    for key, p in expected.items():
        assert tidy.loc[key, "over_svd_p_holm"] == pytest.approx(p)
        assert tidy.loc[key, "over_svd"] == pytest.approx(np.mean(leads[key]))
        # All users lead by the same, so resampling them changes nothing.
        ends = tidy.loc[key, ["over_svd_low", "over_svd_high"]].tolist()
        assert ends == pytest.approx([np.mean(leads[key])] * 2, abs=1e-6)


def test_gains_are_paired_over_users(results):
    tidy = table1.table1(results).tidy.set_index(["method", "measure"])
    for measure in MEASURES:
        found = tidy.loc[(PAIR[1], measure), ["gain", "gain_low", "gain_high"]].tolist()
        assert found == pytest.approx([np.mean(GAPS[measure])] * 3, abs=1e-6)


def test_table_2_is_over_users_that_have_both_sets(tmp_path):
    """Users with one set alone would move either mean by far more than the sets differ."""
    number = np.arange(USERS)
    has = {"test": number < 20, "validation": number >= 10}

    def values(method, measure, fold, name):
        level = 0.4 + 0.01 * (number - 15) + 0.1 * fold + (0.02 if name == "validation" else 0)
        level = np.where(has["test"] & has["validation"], level, 9.0)
        return UserValues(level * has[name], has[name].astype(float))

    tidy = tables.table2(write(tmp_path, values)).tidy.set_index(["method", "measure"])
    both = 0.4 + 0.01 * (number[10:20] - 15) + 0.1 * np.arange(FOLDS)[:, None]
    by_fold = 100 * 0.02 / both.mean(axis=1)
    for key in [(method, measure) for method in METHODS for measure in MEASURES]:
        row = tidy.loc[key]
        assert row["test"] == pytest.approx(both.mean())
        assert row["valid"] == pytest.approx(both.mean() + 0.02)
        assert row["mean"] == pytest.approx(100 * 0.02 / both.mean())
        assert row["sem"] == pytest.approx(stats.sem(by_fold))
        assert row["low"] <= row["mean"] <= row["high"]
        assert row["high"] - row["low"] < 2
