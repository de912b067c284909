"""Leaks through time: counted pair by pair, and found where a protocol has them."""

import numpy as np
import pytest

from mnar import splits
from mnar.analyses.time_leak import time_leak
from mnar.core.errors import UserError
from mnar.matrices.view import Entries, View
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION, Split


def make_view(seed=0, users=15, items=20, moments=40):
    random = np.random.default_rng(seed)
    user, item = (part.astype(np.int32) for part in np.nonzero(random.random((users, items)) < 0.5))
    ones = np.ones(len(user), np.float32)
    ratings = Entries(user, item, ones, ones > 0, random.integers(moments, size=len(user)))
    none = Entries(*(column[:0] for column in vars(ratings).values()))
    no_parents = np.zeros((items, 0), np.int32)
    return View(np.arange(users), np.arange(items), ratings, none, no_parents)


def slow_leak(view, split, role):
    """Every held-out rating against every one that is learned from."""
    ratings = view.ratings
    seen = {"anyone": [], "item": [], "user": [], "later": []}
    learned = [at for at, found in enumerate(split.roles) if found in (TRAIN, FOLD_IN)]
    for at in np.flatnonzero(split.roles == role):
        later = [other for other in learned if ratings.time[other] > ratings.time[at]]
        seen["anyone"].append(len(later) > 0)
        seen["item"].append(any(ratings.item[other] == ratings.item[at] for other in later))
        seen["user"].append(any(ratings.user[other] == ratings.user[at] for other in later))
        seen["later"].append(len(later) / len(learned))
    return [len(seen["later"]), *(np.mean(values) for values in seen.values())]


@pytest.mark.parametrize("role", [VALIDATION, TEST])
def test_leaks_equal_those_counted_pair_by_pair(role):
    view = make_view()
    roles = np.random.default_rng(1).integers(5, size=len(view.ratings)).astype(np.uint8)
    split = Split(roles, np.zeros(0, np.bool_))
    found = list(vars(time_leak(view, split, role)).values())
    np.testing.assert_allclose(found, slow_leak(view, split, role))


def test_protocols_leak_as_they_are_made():
    view = make_view(users=60, moments=10_000)
    one_moment = time_leak(view, splits.split("global-time", view, {}, 0, 1))
    assert (one_moment.by_anyone, one_moment.by_user, one_moment.later_training) == (0, 0, 0)
    last = time_leak(view, splits.split("last-five", view, {}, 0, 1))
    assert last.by_user == 0 < last.by_item < last.by_anyone
    chance = time_leak(view, splits.split("four-folds", view, {}, 0, 1))
    assert 0.5 < chance.by_user < 1


def test_nothing_held_out_or_no_times():
    view = make_view()
    nothing = Split(np.full(len(view.ratings), TRAIN, np.uint8), np.zeros(0, np.bool_))
    assert np.isnan(time_leak(view, nothing).by_anyone)
    view.ratings.time[3] = -1
    with pytest.raises(UserError, match="ratings without a time"):
        time_leak(view, nothing)
