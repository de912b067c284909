"""Ratings as a sparse matrix against the same in plain loops: rows, transpose, relevance, order."""

import numpy as np
import pytest
from scipy.stats import chisquare

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.matrices.user_order import positions, shuffled
from mnar.matrices.view import Entries, View


def cells(ratings):
    """(user, item) -> (value, relevant)."""
    columns = (ratings.users, ratings.items, ratings.values, ratings.relevant)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {(user, item): (value, relevant) for user, item, value, relevant in rows}


@pytest.fixture
def made():
    """Relevance is independent of the value, and of the other side's."""
    rng = np.random.default_rng(6)
    users, items = np.nonzero(rng.random((9, 7)) < 0.5)
    values = rng.integers(1, 6, len(users)).astype(np.float32)
    return users, items, values, rng.random(len(users)) < 0.4


def test_entries_in_any_order_are_the_same_matrix(made):
    mixed = np.random.default_rng(1).permutation(len(made[0]))
    plain = Ratings.from_triplets(*made, (9, 7))
    again = Ratings.from_triplets(*(column[mixed] for column in made), (9, 7))
    assert cells(plain) == cells(again)
    assert list(cells(plain)) == sorted(cells(plain))


def test_the_transpose_keeps_values_and_relevance(made):
    ratings = Ratings.from_triplets(*made, (9, 7))
    turned = ratings.by_item
    assert (turned.n_users, turned.n_items) == (7, 9)
    assert cells(turned) == {(item, user): cell for (user, item), cell in cells(ratings).items()}


def test_rows_of_some_users_are_their_own(made):
    ratings = Ratings.from_triplets(*made, (9, 7))
    wanted = np.array([1, 4, 8])
    found = ratings.of_users(wanted)
    expected = {
        (wanted.tolist().index(user), item): cell
        for (user, item), cell in cells(ratings).items()
        if user in wanted
    }
    assert cells(found) == expected
    kept = ratings.select(ratings.values > 2)
    assert cells(kept) == {key: cell for key, cell in cells(ratings).items() if cell[0] > 2}


def test_a_view_hands_its_relevance_on(made):
    users, items, values, relevant = made
    time = np.full(len(users), -1, np.int64)
    entries = Entries(users.astype(np.int32), items.astype(np.int32), values, relevant, time)
    view = View(np.arange(9), np.arange(7), entries, entries, np.zeros((7, 0), np.int32))
    expected = cells(Ratings.from_triplets(*made, (9, 7)))
    assert cells(view.matrix()) == cells(view.random_matrix()) == expected
    some = values > 3
    assert cells(view.matrix(some)) == {key: cell for key, cell in expected.items() if cell[0] > 3}


def test_a_prediction_is_the_sum_of_all_its_parts():
    rng = np.random.default_rng(2)
    vectors = [rng.standard_normal((n, 3)).astype(np.float32) for n in (4, 5)]
    item_bias, user_bias = (rng.standard_normal(n).astype(np.float32) for n in (5, 4))
    model = FactorModel(*vectors, item_bias, user_bias, offset=3.5)
    users, items = (part.ravel() for part in np.indices((4, 5)))
    expected = 3.5 + user_bias[:, None] + item_bias + vectors[0] @ vectors[1].T
    np.testing.assert_allclose(model.predict(users, items), expected.ravel(), rtol=1e-5)


def test_entries_are_shuffled_within_users():
    """Each of a user's entries comes first equally often, and users stay where they are."""
    users = np.repeat([0, 1, 3], [4, 1, 6]).astype(np.int32)
    counts = np.array([4, 1, 0, 6])
    firsts = []
    for seed in range(300):
        order = shuffled(users, np.random.default_rng(seed))
        assert users[order].tolist() == users.tolist()
        assert sorted(order) == list(range(len(users)))
        firsts.append(order[positions(users, counts) == 0])
    firsts = np.array(firsts)
    assert chisquare(np.bincount(firsts[:, 0], minlength=4)).pvalue > 1e-4
    assert chisquare(np.bincount(firsts[:, 2] - 5, minlength=6)).pvalue > 1e-4


def test_positions_count_within_users():
    users = np.array([0, 0, 2, 2, 2], np.int32)
    assert positions(users, np.array([2, 0, 3])).tolist() == [0, 1, 0, 1, 2]
