"""A diverged or constant model, and a choice by nothing, are named and do not end the search of others."""

import numpy as np
import pandas as pd
import pytest
from helpers.matrices import random_ratings

from mnar import models
from mnar.matrices.context import Context
from mnar.reporting.faults import MARK, left_out, marked
from mnar.reporting.table_format import Table
from mnar.splits.fold import Fold
from mnar.tuning.fold_search import UNCHOSEN, train_fold
from mnar.tuning.scores import COLUMNS, score_rows

STUDY = {
    "candidates": ["all"],
    "average": "user",
    "sets": ["validation", "test"],
    "measures": ["adg", "atop"],
}
# Above a rate of 1 it diverges.
METHOD = """
import numpy as np
from mnar.matrices.factor_model import FactorModel

def fit(train, settings, seed, threads):
    random = np.random.default_rng(seed)
    users = random.normal(size=(train.n_users, 2))
    items = random.normal(size=(train.n_items, 2))
    return FactorModel.without_biases(users, items * (np.nan if settings["rate"] > 1 else 1))
"""


@pytest.fixture(autouse=True)
def method(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(METHOD)


def fold_of(empty=()):
    """Training, validation and test data, all of the same users; some sets may be empty."""
    sets = {
        name: random_ratings(users=30, items=20, share=0.0 if name in empty else 0.2, seed=seed)
        for seed, name in enumerate(("train", "validation", "test"))
    }
    context = Context(np.ones(20, np.int64), np.zeros(20, bool), None)
    return Fold(sets["train"], None, sets["train"], sets, dict.fromkeys(sets, context))


def searched(rates, fold=None):
    method = {
        "module": "own.py",
        "settings": {},
        "grid": {"rate": rates},
        "refine": 0,
        "beyond_edges": 0,
        "select_by": "adg",
    }
    return train_fold(fold or fold_of(), method, STUDY, 3, 1)


def test_a_diverged_model_is_never_chosen_before_a_good_one():
    found = searched([5, 0.05, 9])
    assert found.faults == {0: models.DIVERGED, 2: models.DIVERGED}
    assert found.chosen == 1
    rows = pd.DataFrame(score_rows({4: found}), columns=COLUMNS)
    assert set(rows[rows["point"] == 0]["fault"]) == {models.DIVERGED}
    assert set(rows[rows["point"] == 1]["fault"]) == {""}
    # No number that looks like a result.
    assert set(rows[rows["point"] == 0]["user_mean"]) == {"nan"}


# A model of any kind, not of factors; NaN among its scores or among its predictions.
OTHER_KIND = """
import numpy as np

class Wild:
    def __init__(self, train):
        self.n_users, self.n_items = train.n_users, train.n_items

    def scores(self, users):
        return np.full((len(users), self.n_items), np.nan, np.float32)

    def predict(self, users, items):
        return np.full(len(users), np.nan)

def fit(train, settings, seed, threads):
    return Wild(train)
"""


@pytest.mark.parametrize("measure", ["atop", "rmse"])
def test_a_model_of_another_kind_that_diverged_does_not_end_the_run(tmp_path, measure):
    (tmp_path / "own.py").write_text(OTHER_KIND)
    method = {"module": "own.py", "settings": {}, "grid": {"rate": [1]}, "refine": 0}
    method |= {"beyond_edges": 0, "select_by": measure}
    found = train_fold(fold_of(), method, {**STUDY, "measures": [measure]}, 3, 1)
    assert found.faults == {0: models.DIVERGED}
    rows = pd.DataFrame(score_rows({0: found}), columns=COLUMNS)
    assert set(rows["user_mean"]) == {"nan"}


def test_where_all_diverge_the_run_goes_on_and_says_so():
    found = searched([5, 9])
    assert found.faults[found.chosen] == models.DIVERGED
    rows = pd.DataFrame(score_rows({0: found}), columns=COLUMNS)
    assert set(rows[rows["chosen"] == 1]["user_mean"]) == {"nan"}


def test_an_empty_validation_set_is_named():
    found = searched([0.05, 0.1], fold_of(empty=["validation"]))
    assert found.faults == {0: UNCHOSEN}
    assert searched([0.05], fold_of(empty=["validation"])).faults == {}


class Scores:
    """What a table is marked from."""

    def __init__(self):
        self.config = {"methods": {"mf-auc": {}, "svd": {}}}

    def methods(self, study):
        return list(self.config["methods"])

    def scores(self, study):
        return pd.DataFrame(
            {
                "method": ["mf-auc", "mf-auc", "svd", "svd"],
                "fold": [0, 1, 0, 0],
                "settings": ['{"rate": 9}', "{}", "{}", '{"factors": 5}'],
                "chosen": [1, 1, 1, 0],
                "fault": ["it has diverged", "", "", "all scores are alike"],
            }
        )


@pytest.mark.parametrize("name", ["mf-auc", "MF-AUC", "mf-auc †"])
def test_tables_mark_the_method_and_say_why(name):
    shown = pd.DataFrame({"method": [name, "svd"], "ADG": ["–", "0.5"]})
    table = marked(Table(shown, shown, "caption", ["first"]), Scores(), ["lim2015"])
    assert table.shown["method"].tolist() == [name + MARK, "svd"]
    assert table.notes == [
        "first",
        '‡: no result of mf-auc (lim2015, fold 0, {"rate": 9}): it has diverged.',
    ]
    assert shown["method"].tolist() == [name, "svd"]


def test_a_note_names_those_that_analyses_leave_out(monkeypatch):
    results = Scores()
    assert left_out(results, "lim2015", "ranks") == []
    frame = results.scores("lim2015").assign(fault=models.DIVERGED)
    monkeypatch.setattr(results, "scores", lambda study: frame[frame["method"] == "mf-auc"])
    note = ["Left out, since the model has diverged: mf-auc."]
    assert left_out(results, "lim2015", "ranks") == note
    # It has no objective after each sweep, so it never was a part of this one.
    assert left_out(results, "lim2015", "convergence") == []


def test_tables_of_settings_say_it_of_those_not_chosen():
    shown = pd.DataFrame({"method": ["svd"], "settings": ["factors 5"]})
    table = marked(Table(shown, shown, "caption"), Scores(), ["lim2015"])
    [note] = table.notes
    assert 'no result of svd (lim2015, fold 0, {"factors": 5}): all scores are alike.' in note
    assert marked(Table(shown[["settings"]], shown[["settings"]], "c"), Scores(), ["x"]).notes == []
