"""Sums over the pairs of each user."""

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import model_of, weigh_by

from mnar.matrices.context import Context
from mnar.measures import evaluate

RANKING = ["atop", "topk(0.2)", "auc_aman", "adg", "ndcg", "map", "recall@3"]


@pytest.mark.parametrize("users", [1, 7, 40])
def test_users_some_at_a_time_have_the_same_values(monkeypatch, users):
    rng = np.random.default_rng(13)
    scores = rng.integers(0, 9, (37, 25)).astype(float)
    held_out = rng.random((37, 25)) < 0.2
    # Somebody without a held-out item, and somebody to whom no other item is left.
    held_out[5], held_out[36] = False, True
    context = Context(weigh_by(rng.integers(0, 5, 25), ratings_of(held_out)))
    names = [*RANKING, "recall@3(0.5)", "sampled_topk(0.2,5)"]
    whole = evaluate(model_of(scores), ratings_of(held_out), None, names, context, 1)
    monkeypatch.setattr("mnar.measures._by_user._USERS", users)
    for asked in (names, names[:-1]):
        parts = evaluate(model_of(scores), ratings_of(held_out), None, asked, context, 2)
        for name in asked:
            np.testing.assert_array_equal(parts[name].total, whole[name].total)
            np.testing.assert_array_equal(parts[name].weight, whole[name].weight)
            assert parts[name].left_out == whole[name].left_out
            assert parts[name].pooled == whole[name].pooled
