"""One moment for all users: against a count of who had rated what by then."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnar import splits
from mnar.core.errors import UserError
from mnar.matrices.view import Entries, View
from mnar.splits import TEST, TRAIN, UNUSED, VALIDATION


def view_of(users, items, times, shape, random=()):
    ones = np.ones(len(users), np.float32)
    ratings = Entries(
        np.asarray(users, np.int32),
        np.asarray(items, np.int32),
        ones,
        ones > 0,
        np.asarray(times, np.int64),
    )
    user, item = np.array(random, np.int32).reshape(-1, 2).T
    asked = Entries(user, item, ones[: len(user)], user >= 0, np.full(len(user), -1, np.int64))
    return View(
        np.arange(shape[0]), np.arange(shape[1]), ratings, asked, np.zeros((shape[1], 0), np.int32)
    )


def test_by_hand():
    # Ten ratings; user 2 comes when eight have been given, user 1 is there from the start.
    users, items = [0, 0, 0, 0, 1, 1, 1, 1, 1, 2], [0, 1, 2, 3, 0, 1, 2, 3, 4, 0]
    times = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    view = view_of(users, items, times, (3, 5), [(0, 4), (1, 0), (2, 3)])
    split = splits.split("global-time", view, {"train": 0.7, "validation": 0.1}, 0, 1)
    assert split.roles.tolist() == [TRAIN] * 7 + [VALIDATION, TEST, UNUSED]
    # Of the random ratings (1, 0) is trained on and user 2 is not known.
    assert split.random.tolist() == [True, False, False]
    counts = split.counts(view)
    assert counts["users_without_training"] == counts["unused"] == 1


def slow_roles(view, train, until_test):
    """Each rating by how many tenths of all ratings had been given when it was, itself included."""
    time, n = view.ratings.time, len(view.ratings)
    roles = []
    for when in time:
        # Ratings of the same second are given together: a part ends with them.
        before = np.sum(time < when)
        roles.append(
            TRAIN
            if 10 * before < train * n
            else VALIDATION
            if 10 * before < until_test * n
            else TEST
        )
    known = {u for u, role in zip(view.ratings.user, roles, strict=True) if role == TRAIN}
    return [
        role if u in known else UNUSED for u, role in zip(view.ratings.user, roles, strict=True)
    ]


@given(st.integers(0, 10_000), st.sampled_from([3, 20, 1000]), st.integers(1, 8))
def test_parts_are_what_had_been_given_at_two_moments(seed, moments, tenths):
    random = np.random.default_rng(seed)
    users, items = np.nonzero(random.random((9, 12)) < 0.4)
    if not len(users):
        return
    view = view_of(users, items, random.integers(moments, size=len(users)), (9, 12))
    expected = slow_roles(view, tenths, tenths + 1)
    if TEST not in expected:
        with pytest.raises(UserError, match="finds no test rating"):
            splits.split("global-time", view, {"train": tenths / 10}, 0, 1)
        return
    split = splits.split("global-time", view, {"train": tenths / 10}, 0, 1)
    assert split.roles.tolist() == expected


def test_what_cannot_be_split_says_so():
    timed = view_of([0, 0, 1], [0, 1, 0], [1, 2, 3], (2, 2))
    untimed = view_of([0, 0, 1], [0, 1, 0], [1, -1, 3], (2, 2))
    with pytest.raises(UserError, match="has one fold, but fold 1 was asked for"):
        splits.split("global-time", timed, {}, 1, 1)
    with pytest.raises(UserError, match="needs the time of every rating"):
        splits.split("global-time", untimed, {}, 0, 1)
    with pytest.raises(UserError, match="leave no test data"):
        splits.split("global-time", timed, {"train": 0.9}, 0, 1)
