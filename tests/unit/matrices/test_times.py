"""Times stay with their ratings, whatever is sorted or left out."""

from dataclasses import replace

import numpy as np

from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View

# The time of a rating tells its user and item.
USERS, ITEMS = np.array([2, 0, 1, 0, 2]), np.array([1, 3, 0, 1, 0])
TIMES = 10 * USERS + ITEMS


def untangled(ratings):
    """Whether each entry has the time of its own user and item."""
    return np.array_equal(ratings.times, 10 * ratings.users + ratings.items)


def test_entries_in_any_order_keep_their_times():
    values = np.ones(5)
    ratings = Ratings.from_triplets(USERS, ITEMS, values, values > 0, (3, 4), times=TIMES)
    assert untangled(ratings)
    assert untangled(ratings.select(ratings.items < 2))
    some = ratings.of_users(np.array([0, 2]))
    assert some.times.tolist() == [1, 3, 20, 21]


def test_a_view_hands_its_times_on_where_all_are_known():
    order = np.lexsort((ITEMS, USERS))
    ones = np.ones(5, np.float32)
    ratings = Entries(USERS[order], ITEMS[order], ones, ones > 0, TIMES[order].astype(np.int64))
    none = Entries(*(column[:0] for column in vars(ratings).values()))
    view = View(np.arange(3), np.arange(4), ratings, none, np.zeros((4, 0), np.int32))
    assert untangled(view.matrix())
    assert untangled(view.matrix(ratings.item != 1))
    assert view.random_matrix().times is None
    unknown = replace(ratings, time=np.where(ratings.item == 3, -1, ratings.time))
    assert replace(view, ratings=unknown).matrix().times is None


def test_ratings_without_times_have_none():
    values = np.ones(5)
    ratings = Ratings.from_triplets(USERS, ITEMS, values, values > 0, (3, 4))
    assert ratings.times is None
    assert ratings.select(ratings.items < 2).times is None
    assert ratings.by_item.times is None
