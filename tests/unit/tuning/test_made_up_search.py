"""A search over models whose scores are made up: chosen on validation, ranked among the right items."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from mnar import models, splits
from mnar.matrices.model import ScoreMatrix
from mnar.matrices.view import Entries, View
from mnar.splits.fold import Fold
from mnar.tuning import fold_search
from mnar.tuning.fold_search import train_fold

USERS, ITEMS = 40, 30


def random_view() -> View:
    """Ratings 1 to 5, relevant from 4."""
    rng = np.random.default_rng(1)
    users, items = np.nonzero(rng.random((USERS, ITEMS)) < 0.6)
    values = rng.integers(1, 6, len(users)).astype(np.float32)
    time = np.full(len(users), -1, np.int64)
    entries = Entries(users.astype(np.int32), items.astype(np.int32), values, values >= 4, time)
    none = Entries(*(part[:0] for part in vars(entries).values()))
    return View(np.arange(USERS), np.arange(ITEMS), entries, none, np.empty((ITEMS, 0), np.int32))


class MadeUp:
    """Models with scores that are given: point n has the n-th matrix."""

    def __init__(self, monkeypatch, matrices):
        self.trained, self.folded = [], []

        def fit_grid(name, train, settings, seed, threads):
            self.trained.append(train)
            return (ScoreMatrix(matrices[point["n"]]) for point in settings)

        def fold_in(model, ratings, point, threads):
            self.folded.append(ratings)
            return model

        monkeypatch.setattr(models, "fit_grid", fit_grid)
        monkeypatch.setattr(models, "can", lambda name, what: True)
        monkeypatch.setattr(models, "load", lambda name: SimpleNamespace(fold_in=fold_in))

    def search(self, fold, measure, points, candidates=("unseen", "all"), average="user"):
        method = {
            "module": "made-up",
            "settings": {},
            "grid": {"n": list(range(points))},
            "refine": 0,
            "beyond_edges": 0,
            "select_by": measure,
        }
        study = {
            "candidates": list(candidates),
            "sets": ["validation", "test"],
            "measures": [measure],
            "average": average,
        }
        return train_fold(fold, method, study, 1, 1)


def favouring(*parts):
    """Scores that rank the ratings of the first part first, then those of the next, and so on."""
    scores = np.zeros((parts[0].n_users, parts[0].n_items), np.float32)
    for height, part in enumerate(reversed(parts), start=1):
        scores[part.users, part.items] = height
    return scores


@pytest.fixture
def split_fold():
    view = random_view()
    return Fold.of(view, splits.split("four-folds", view, {}, 0, 1))


def test_settings_are_chosen_on_validation_and_not_on_test(split_fold, monkeypatch):
    valid, test = split_fold.sets["validation"], split_fold.sets["test"]
    made_up = MadeUp(monkeypatch, [favouring(test), favouring(valid), favouring(test, valid)])
    found = made_up.search(split_fold, "atop", 3)
    on_test = [found.scores[point, "unseen", "test"]["atop"].mean("user") for point in range(3)]
    assert on_test[1] < min(on_test[0], on_test[2])
    assert found.chosen == 1
    assert all(train is split_fold.train for train in made_up.trained)


def test_the_smallest_error_is_chosen(split_fold, monkeypatch):
    valid, test = split_fold.sets["validation"], split_fold.sets["test"]
    matrices = []
    for error, exact in ((0.5, test), (0.1, valid), (0.9, test)):
        scores = np.full((valid.n_users, valid.n_items), 3, np.float32)
        scores[exact.users, exact.items] = exact.values
        scores[valid.users, valid.items] = valid.values + error
        matrices.append(scores)
    found = MadeUp(monkeypatch, matrices).search(split_fold, "rmse", 3)
    assert found.scores[1, "unseen", "validation"]["rmse"].mean() == pytest.approx(0.1, abs=1e-6)
    assert found.chosen == 1


def test_seen_items_are_no_candidates_and_validation_items_are(split_fold, monkeypatch):
    """Under `unseen` training items are left out of a ranking; validation items stay in it."""
    train, valid, test = split_fold.train, split_fold.sets["validation"], split_fold.sets["test"]
    made_up = MadeUp(monkeypatch, [favouring(train, valid, test), favouring(train, test, valid)])
    found = made_up.search(split_fold, "atop", 2)

    def top(point, candidates):
        return found.scores[point, candidates, "test"]["atop"].mean("pair")

    last = [split_fold.sets[name].indptr for name in ("validation", "test")]
    in_valid, in_test = (np.diff(indptr) for indptr in last)
    for point, above in ((0, in_valid), (1, 0 * in_valid)):
        left = ITEMS - np.diff(train.indptr)
        positions = (above + (in_test - 1) / 2) / (left - 1)
        expected = ((1 - positions) * in_test).sum() / in_test.sum()
        assert top(point, "unseen") == pytest.approx(expected, abs=1e-6)
    assert found.chosen == 0
    # Among all items, what was trained on stands above everything else.
    above = np.diff(train.indptr) + in_valid
    expected = ((1 - (above + (in_test - 1) / 2) / (ITEMS - 1)) * in_test).sum() / in_test.sum()
    assert top(0, "all") == pytest.approx(expected, abs=1e-6)


def test_evaluation_users_are_folded_in_with_their_fold_in_ratings_alone(monkeypatch):
    view = random_view()
    fold = Fold.of(view, splits.split("strong", view, {"evaluation_users": 10}, 0, 1))
    made_up = MadeUp(monkeypatch, [favouring(fold.sets["validation"])])
    made_up.search(fold, "atop", 1, candidates=["unseen"])
    assert [ratings is fold.fold_in for ratings in made_up.folded] == [True]
    assert made_up.trained == [fold.train]


def test_a_choice_on_an_earlier_point_is_trained_again(monkeypatch):
    """The interval rule may go back to a model that was dropped: it is trained again to be scored."""
    view = random_view()
    split = splits.split("four-folds", view, {}, 0, 1)
    fold = Fold.of(view, split)
    method = {
        "module": "allrank-regression",
        "settings": {"factors": 2, "imputed": 0, "sweeps": 2},
        "grid": {"missing_weight": [1e-4, 1e-3, 0.01, 0.1, 1], "lambda": [0.1]},
        "refine": 0,
        "beyond_edges": 0,
        "select_by": "interval",
    }
    study = {
        "sets": ["validation"],
        "candidates": ["unseen", "all"],
        "average": "user",
        "measures": ["auc", "auc_aman"],
    }
    fitted = []
    plain = models.fit_grid

    def watched(name, train, points, seed, threads):
        fitted.extend(json.dumps(point) for point in points)
        return plain(name, train, points, seed, threads)

    monkeypatch.setattr(models, "fit_grid", watched)
    peaks = {"auc": 0, "auc_aman": 4}
    monkeypatch.setattr(
        fold_search._Search,
        "_validation_score",
        lambda search, point, measure: float(point == peaks[measure]),
    )
    outcome = train_fold(fold, method, study, 1, 1)
    assert outcome.chosen == 2
    assert len(fitted) == 6
    assert fitted[5] == fitted[2]
    assert (2, "all", "validation") in outcome.scores
