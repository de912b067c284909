"""The estimators of a study: rows of methods, of differences, and of Γ."""

import numpy as np
import pandas as pd
import pytest
from helpers.estimates import estimate
from helpers.matrices import ratings_of
from helpers.rankings import model_of

from mnar import splits
from mnar.analyses import estimates
from mnar.core.errors import UserError
from mnar.estimators import Selected, compare_models
from mnar.estimators.estimator_names import check_in_study, check_measure, modules_of
from mnar.estimators.sensitivity import flip
from mnar.matrices.view import Entries, View
from mnar.reporting.estimates_table import estimates_table
from mnar.tuning.chosen_models import Choice
from mnar.tuning.chosen_study import ChosenStudy

NAMES = ["adg", "adg~snips(popularity)", "recall@5(0.5)", "atop", "rmse~snips(logistic)"]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    random = np.random.default_rng(5)
    user, item = np.nonzero(random.random((70, 30)) < np.linspace(0.1, 0.7, 30))
    rating = random.integers(1, 6, len(user)).astype(np.float32)
    times = np.full(len(user), -1, np.int64)
    entries = Entries(user.astype(np.int32), item.astype(np.int32), rating, rating >= 4, times)
    nothing = Entries(*(column[:0] for column in vars(entries).values()))
    view = View(np.arange(70), np.arange(30), entries, nothing, np.zeros((30, 0), np.int32))
    path = tmp_path_factory.mktemp("splits") / "splits.npz"
    settings = {"folds": 2, "validation": 0.1, "test": 0.3}
    splits.save_splits(path, splits.all_folds("four-folds", view, settings, 1))
    observed = {"factors": 2, "lambda": 0.2, "sweeps": 3}
    methods = {
        "bestseller-count": dict.fromkeys((0, 1), Choice("bestseller-count", {})),
        "observed-only": dict.fromkeys((0, 1), Choice("observed-only", observed)),
    }
    asked = {"sets": ["validation", "test"], "estimators": NAMES}
    return ChosenStudy("s", "d", asked, view, str(path), 2, methods, {}, 1, 1)


def test_rows_of_methods_and_of_their_difference(study):
    found = estimates.analyse(study, {})
    rows = pd.DataFrame(found.rows, columns=list(found.columns))
    assert (rows["set"] == "test").all()
    # Two methods and their difference, five estimators, two folds.
    assert len(rows) == 3 * 5 * 2
    assert "recall@5~snips(popularity, gamma=0.5)" in set(rows["estimator"])
    # A list of counts predicts no ratings, so it has no rmse.
    ranked = rows[rows["estimator"] != "rmse~snips(logistic)"]
    for _, mine in ranked.groupby(["fold", "estimator"]):
        values = mine.set_index(["method", "other"])["value"]
        difference = values["observed-only", "bestseller-count"]
        one, other = values["observed-only", ""], values["bestseller-count", ""]
        assert difference == pytest.approx(one - other, abs=1e-12)
        assert (mine["low"] <= mine["value"]).all()
        assert (mine["value"] <= mine["high"]).all()
    gammas = rows[rows["other"] != ""].set_index("estimator")["gamma"]
    assert gammas[["adg~naive", "atop~naive"]].ge(1).all()
    assert np.isnan(gammas["rmse~snips(logistic)"]).all()


def test_table_of_a_study(study):
    found = estimates.analyse(study, {})
    rows = pd.DataFrame(found.rows, columns=list(found.columns))
    table = estimates_table(rows, "s", "d")
    assert len(table.shown) == 3 * 5
    lowest = rows[rows["other"] != ""].groupby("estimator")["gamma"].min()
    shown = table.tidy[table.tidy["other"] != ""].set_index("estimator")["gamma"]
    pd.testing.assert_series_equal(shown.sort_index(), lowest.sort_index())
    with pytest.raises(UserError, match="asks for no estimators"):
        estimates_table(rows[:0], "s", "d")


def made_up_rows(values, gamma, ends=0.01, other_fold=None):
    """Three methods by one estimator in two folds, and the differences of each two."""
    found = []
    for fold, mine in enumerate((values, other_fold or values)):
        about = (fold, "test", "adg~snips(popularity, gamma=1)")
        for i, (method, value) in enumerate(mine.items()):
            interval = (value - ends, value + ends)
            found.append((*about, method, "", value, *interval, 80, 0, np.nan))
            for other in list(mine)[:i]:
                less = value - mine[other]
                row = (*about, method, other, less, less - ends, less + ends, 80, 0, gamma)
                found.append(row)
    return pd.DataFrame(found, columns=list(estimates.COLUMNS))


def test_the_table_says_what_would_turn_the_two_best():
    values = {"a": 0.5, "b": 0.3, "c": 0.4}
    table = estimates_table(made_up_rows(values, gamma=1.5), "s", "d")
    [sentence] = [note for note in table.notes if "ahead" in note]
    assert "a stays ahead of c unless liked items differ by more than 2.25 times" in sentence
    assert any("Γ that data suggest around popularity: 1.36" in note for note in table.notes)
    told = table.tidy.set_index(["method", "other"])["sentence"]
    assert "a stays ahead of b" in told["b", "a"]
    assert "c stays ahead of b" in told["c", "b"]
    assert told["a", ""] == ""


def test_the_table_says_where_nothing_is_ahead():
    values = {"a": 0.5, "b": 0.49, "c": 0.1}
    unsure = estimates_table(made_up_rows(values, gamma=1.5, ends=0.05), "s", "d")
    assert any("b and a cannot be told apart" in note for note in unsure.notes)
    other = {"a": 0.48, "b": 0.49, "c": 0.1}
    folds = estimates_table(made_up_rows(values, 1.5, 0.001, other), "s", "d")
    assert any("folds disagree on the order of b and a" in note for note in folds.notes)


def test_weights_on_a_few_pairs_are_flagged_in_the_table(study):
    rows = pd.DataFrame(estimates.analyse(study, {}).rows, columns=list(estimates.COLUMNS))
    rows["flagged"] = 1
    table = estimates_table(rows, "s", "d")
    assert table.shown["pairs"].str.endswith("*").all()
    assert "fewer than 50" in table.notes[-1]


def test_gamma_of_two_systems_is_the_flip_of_their_gains():
    random = np.random.default_rng(0)
    held_out = random.random((30, 12)) < 0.4
    selected = Selected(
        ratings_of(~held_out & (random.random((30, 12)) < 0.3)), ratings_of(held_out), 0.3
    )
    scores = random.random((2, 30, 12))
    [found] = compare_models([model_of(s) for s in scores], selected, ["recall@3"], samples=50)
    assert found.gammas.shape == (1,)
    seen = np.zeros((30, 12), bool)
    seen[selected.train.users, selected.train.items] = True
    gains = []
    for s in scores:
        mine = np.where(seen, -np.inf, s)
        position = np.argsort(np.argsort(-mine, axis=1), axis=1)
        gains.append((position < 3)[held_out].astype(float))
    expected = flip(gains[1] - gains[0], np.ones(held_out.sum()))
    assert found.gammas[0] == pytest.approx(expected.gamma)


def test_a_difference_is_that_of_the_values():
    random = np.random.default_rng(1)
    held_out = random.random((40, 10)) < 0.4
    selected = Selected(ratings_of(~held_out), ratings_of(held_out), 0.3)
    models = [model_of(random.random((40, 10))) for _ in range(2)]
    name = "adg~snips(popularity)"
    [[one], [other]] = estimate(models, selected, [name], samples=60, seed=4)
    [found] = compare_models(models, selected, [name], samples=60, seed=4)
    assert found.difference(1, 0)[0] == pytest.approx(other.value - one.value)


def test_names_that_a_study_may_ask_for():
    check_measure("adg~snips(popularity, gamma=0.5)")
    check_in_study("rmse~snips(logistic)")
    with pytest.raises(UserError, match="name it under `estimators`"):
        check_measure("auc~snips(logistic)")
    for name in ("adg~snips(known)", "adg~ips(known)", "adg~snips(published)"):
        with pytest.raises(UserError, match="only the experiment trust has"):
            check_in_study(name)
    popularity = "mnar.estimators.propensities.popularity"
    for name in ("recall@10(0.5)", "recall@10~snips(popularity)"):
        assert modules_of([name]) == ["mnar.measures.recall", popularity]
    assert modules_of(["rmse~snips(logistic)"]) == ["mnar.estimators.propensities.logistic"]
