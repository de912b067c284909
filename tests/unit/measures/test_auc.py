"""AUC of rated items, of random ratings, and from ATOP."""

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import model_of
from sklearn.metrics import roc_auc_score

from mnar.matrices.context import Context
from mnar.measures import evaluate


def test_auc_follows_from_atop():
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 30, (100, 40)).astype(float)
    relevant = rng.random((100, 40)) < 0.3
    relevant[:, :2] = True, False
    rated = ratings_of(relevant)
    found = evaluate(model_of(scores), rated, None, ["atop", "auc_aman"], Context(), 1)
    auc = found["auc_aman"].total / found["auc_aman"].weight
    for user in range(100):
        assert auc[user] == pytest.approx(roc_auc_score(relevant[user], scores[user]), abs=1e-12)
    # The two differ by less than the share of the relevant.
    atop = found["atop"].total / found["atop"].weight
    share = relevant.sum(axis=1) / (40 - relevant.sum(axis=1))
    assert np.all(np.abs(auc - atop) <= share)


def test_auc_leaves_out_users_with_one_class():
    held_out = np.array([[1, 1, 1], [1, 1, 0], [0, 0, 0]])
    relevant = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    scores = np.array([[2.0, 3, 1], [1, 2, 3], [1, 2, 3]])
    values = evaluate(
        model_of(scores), ratings_of(held_out, relevant), None, ["auc"], Context(), threads=1
    )["auc"]
    assert (values.n_scored, values.left_out) == (1, 1)
    assert values.mean("user") == values.mean("pair") == 0.5


def test_auc_of_rated_items_counts_ties_half():
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 4, (30, 12)).astype(float)
    relevant = rng.random((30, 12)) < 0.4
    relevant[:, :2] = True, False
    rated = ratings_of(np.ones((30, 12)), relevant)
    found = evaluate(model_of(scores), rated, None, ["auc"], Context(), 1)["auc"]
    for user in range(30):
        assert found.total[user] == pytest.approx(roc_auc_score(relevant[user], scores[user]))


def test_auc_rand_is_auc_on_other_ratings():
    rng = np.random.default_rng(2)
    scores = rng.random((5, 9))
    relevant = rng.random((5, 9)) < 0.5
    random_rated = ratings_of(rng.random((5, 9)) < 0.7, relevant)
    model = model_of(scores)
    held_out = ratings_of(np.eye(5, 9))
    found = evaluate(model, held_out, None, ["auc_rand"], Context(random=random_rated), 1)
    direct = evaluate(model, random_rated, None, ["auc"], Context(), 1)
    np.testing.assert_array_equal(found["auc_rand"].total, direct["auc"].total)
