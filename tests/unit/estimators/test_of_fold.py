"""Estimators in a study: weights of a fold's held-out sets against plain versions."""

import numpy as np
import pytest
from helpers.rankings import model_of

from mnar import splits
from mnar.core.errors import UserError
from mnar.estimators.of_fold import fold_of, selected_of
from mnar.evaluation.answer_rows import Setup
from mnar.matrices.view import Entries, View
from mnar.measures import Task, evaluate_all
from mnar.splits.fold import Fold

USERS, ITEMS = 60, 25
PROTOCOLS = {
    "four-folds": {"folds": 4, "validation": 0.1, "test": 0.2},
    "strong": {"folds": 2, "validation": 0.4, "evaluation_users": 20},
    "selected": {"folds": 1, "held_out": 0.3},
}


def make_view(seed=0):
    random = np.random.default_rng(seed)
    popular = random.random(ITEMS) ** 2
    user, item = np.nonzero(random.random((USERS, ITEMS)) < 0.2 + 0.7 * popular)
    rating = random.integers(1, 6, len(user)).astype(np.float32)
    times = np.full(len(user), -1, np.int64)
    ratings = Entries(user.astype(np.int32), item.astype(np.int32), rating, rating >= 4, times)
    nothing = Entries(*(column[:0] for column in vars(ratings).values()))
    ids = np.arange(USERS), np.arange(ITEMS)
    return View(*ids, ratings, nothing, np.empty((ITEMS, 0), np.int32))


def scored(fold, name, measure, model):
    task = Task(fold.sets[name], [measure], fold.contexts[name])
    return evaluate_all(model, [task], fold.seen, 1)[0][measure]


def set_of(protocol):
    return "validation" if protocol == "strong" else "test"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
def test_stratified_recall_is_what_it_is_defined_as(protocol, beta):
    """Σ s_i·[i in the top k] / Σ s_i with s_i = (N_i⁺)^−β, N_i⁺ of all that users chose to rate."""
    view = make_view()
    split = splits.split(protocol, view, PROTOCOLS[protocol], 0, 1)
    fold, name = fold_of(view, split), set_of(protocol)
    scores = np.random.default_rng(1).permutation(USERS * ITEMS).reshape(USERS, ITEMS) % 997
    seen = np.zeros((USERS, ITEMS), bool)
    seen[fold.seen.users, fold.seen.items] = True
    counts = np.bincount(view.ratings.item[view.ratings.relevant], minlength=ITEMS)
    held_out = fold.sets[name]
    above = below = 0.0
    for user, item in zip(
        held_out.users[held_out.relevant], held_out.items[held_out.relevant], strict=True
    ):
        ahead = scores[user][~seen[user]] > scores[user, item]
        weight = max(counts[item], 1) ** -beta
        above += weight * (ahead.sum() < 5)
        below += weight
    for measure in (f"recall@5({beta})", f"recall@5~snips(popularity, gamma={beta})"):
        found = scored(fold, name, measure, model_of(scores))
        assert found.pooled
        for average in ("user", "pair"):
            assert found.mean(average) == pytest.approx(above / below, rel=1e-12)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_shares_are_those_of_users_who_have_something_held_out(protocol):
    view = make_view()
    split = splits.split(protocol, view, PROTOCOLS[protocol], 0, 1)
    fold, name = Fold.of(view, split), set_of(protocol)
    found = selected_of(view, split, fold, name)
    mine = np.unique(fold.sets[name].users)
    rated = np.isin(view.ratings.user, mine).sum()
    assert found.share == pytest.approx(len(fold.sets[name].users) / rated)
    assert found.kept == pytest.approx(np.isin(fold.seen.users, mine).sum() / rated)
    if protocol == "selected":
        assert found.kept == pytest.approx(1 - found.share)
    alpha = np.array([0.2, 0.5])
    expected = found.share * alpha / (1 - found.kept * alpha)
    np.testing.assert_allclose(found.chance(alpha), expected)


def test_evaluate_takes_the_same_shares():
    """Users who have nothing held out are there for training alone, here as in a study."""
    view = make_view()
    split = splits.split("selected", view, {"folds": 1, "held_out": 0.1}, 0, 1)
    fold = Fold.of(view, split)
    test = fold.sets["test"]
    assert (np.diff(test.indptr) == 0).sum() > 5
    found = Setup(fold.seen, test, None, True, "user", 0, 0, 1).selected
    expected = selected_of(view, split, fold, "test")
    assert (found.share, found.kept) == (expected.share, expected.kept)


def test_weights_of_other_models_reach_the_measure():
    view = make_view()
    split = splits.split("four-folds", view, PROTOCOLS["four-folds"], 0, 1)
    fold = fold_of(view, split)
    model = model_of(np.random.default_rng(2).random((USERS, ITEMS)))
    naive = scored(fold, "test", "adg", model).mean("pair")
    weighed = scored(fold, "test", "adg~snips(logistic)", model).mean("pair")
    again = scored(fold, "test", "adg~naive", model).mean("pair")
    assert again == pytest.approx(naive, rel=1e-12)
    assert weighed != pytest.approx(naive, rel=1e-3)


def test_a_set_that_users_did_not_choose_has_no_weights():
    view = make_view()
    split = splits.split("four-folds", view, PROTOCOLS["four-folds"], 0, 1)
    model = model_of(np.ones((USERS, ITEMS)))
    with pytest.raises(UserError, match="needs weights"):
        scored(fold_of(view, split), "train", "adg~snips(popularity)", model)
    with pytest.raises(UserError, match="needs some ratings of randomly chosen items"):
        scored(fold_of(view, split), "test", "adg~snips(naive-bayes)", model)
