"""Complete ratings of evaluated users, without what the model has seen."""

import numpy as np

from mnar.data import complete as module
from mnar.data.complete import Complete
from mnar.matrices.ratings import Ratings


def test_complete_ratings_are_all_but_the_seen():
    relevant = np.array([[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]], bool)
    complete = Complete(np.array([0, 2, 3], np.int32), relevant)
    seen = Ratings.from_triplets(
        np.array([0, 2, 2]), np.array([1, 0, 3]), np.ones(3), np.ones(3, bool), (5, 4)
    )
    matrix = complete.matrix(seen, np.array([2, 3, 4]))
    pairs = list(zip(matrix.users, matrix.items, matrix.relevant, strict=True))
    assert pairs == [(2, 1, 0), (2, 2, 1), (3, 0, 1), (3, 1, 1), (3, 2, 0), (3, 3, 0)]


def test_of_very_many_users_some_are_scored(monkeypatch):
    monkeypatch.setattr(module, "MOST_USERS", 5)
    relevant = np.random.default_rng(0).random((20, 4)) < 0.5
    complete = Complete(np.arange(20, dtype=np.int32), relevant)
    nothing = np.zeros(0, np.int64)
    seen = Ratings.from_triplets(nothing, nothing, np.zeros(0), np.zeros(0, bool), (20, 4))
    first, again, other = (complete.matrix(seen, np.arange(20), seed) for seed in (1, 1, 2))
    assert len(np.unique(first.users)) == 5
    assert first.users.tolist() == again.users.tolist() != other.users.tolist()
    assert first.relevant.tolist() == relevant[first.users, first.items].tolist()
