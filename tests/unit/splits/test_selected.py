"""Protocol selected: held out by chance, and the truth of datasets with random ratings."""

import numpy as np
import pytest

from mnar import splits
from mnar.core.errors import UserError
from mnar.matrices.view import Entries, View
from mnar.splits import TEST, TRAIN, UNUSED
from mnar.splits.selected import truth_weights


def entries(mask, liked):
    user, item = np.nonzero(mask)
    rating = np.where(liked[mask], 5, 2).astype(np.float32)
    time = np.full(len(user), -1, np.int64)
    return Entries(user.astype(np.int32), item.astype(np.int32), rating, liked[mask], time)


def view(nested: bool, users=200, items=50):
    """Random ratings beside the selected ones, or (`nested`) all of these among them."""
    random = np.random.default_rng(0)
    liked = random.random((users, items)) < 0.4
    drawn = random.random((users, items)) < 0.4
    rated = (
        drawn & (random.random(drawn.shape) < 0.5) if nested else random.random(drawn.shape) < 0.3
    )
    ids = np.arange(users), np.arange(items)
    return View(*ids, entries(rated, liked), entries(drawn, liked), np.empty((items, 0), np.int32))


def cells(part, keep=slice(None)):
    return set(zip(part.user[keep].tolist(), part.item[keep].tolist(), strict=True))


def test_liked_or_not_the_chance_is_the_same():
    here = view(nested=False)
    split = splits.split("selected", here, {"held_out": 0.3}, 0, 1)
    assert set(np.unique(split.roles)) == {TRAIN, TEST}
    for liked in (True, False):
        mine = split.roles[here.ratings.relevant == liked] == TEST
        assert abs(mine.mean() - 0.3) < 4 * np.sqrt(0.21 / len(mine))


def test_users_differ_in_how_many_are_held_out():
    """By chance, not by quota: a share of each user's ratings would not vary like this."""
    here = view(nested=False)
    roles = splits.split("selected", here, {}, 0, 1).roles
    held = np.bincount(here.ratings.user[roles == TEST], minlength=200)
    rated = np.bincount(here.ratings.user, minlength=200)
    assert (held - 0.3 * rated).var() == pytest.approx((0.21 * rated).mean(), rel=0.35)


def test_truth_is_random_ratings_outside_of_training():
    here = view(nested=False)
    split = splits.split("selected", here, {}, 0, 1)
    trained = cells(here.ratings, split.roles == TRAIN)
    assert not trained & cells(here.random, split.random)
    assert len(cells(here.random, ~split.random)) == len(trained & cells(here.random))
    np.testing.assert_array_equal(truth_weights(here, {}), 1)


def test_halves_share_no_row():
    here = view(nested=True)
    split = splits.split("selected", here, {"halves": True, "held_out": 0.3}, 0, 1)
    truth = cells(here.random, split.random)
    used = cells(here.ratings, split.roles != UNUSED)
    assert not truth & used
    assert truth | used >= cells(here.ratings)
    assert len(truth) / len(here.random) == pytest.approx(0.5, abs=0.05)
    weights = truth_weights(here, {"halves": True, "held_out": 0.3})
    known = np.array(
        [
            pair in cells(here.ratings)
            for pair in zip(here.random.user, here.random.item, strict=True)
        ]
    )
    np.testing.assert_allclose(weights[known], 1 - 0.5 * 0.7)
    np.testing.assert_allclose(weights[~known], 1)


def test_weights_make_the_truth_that_of_all_candidates():
    """Over many splits the weighted truth is the mean over pairs that are not in training."""
    here = view(nested=True, users=100)
    gain = np.random.default_rng(2).random(len(here.random))
    known = np.isin(
        here.random.user.astype(int) * 50 + here.random.item,
        here.ratings.user.astype(int) * 50 + here.ratings.item,
    )
    gain[known] += 1
    settings = {"halves": True, "held_out": 0.3}
    weights = truth_weights(here, settings)
    weighted, direct = [], []
    for fold in range(200):
        split = splits.split("selected", here, settings, fold, 3)
        weighted.append(np.average(gain[split.random], weights=weights[split.random]))
        trained = cells(here.ratings, split.roles == TRAIN)
        pairs = zip(here.random.user.tolist(), here.random.item.tolist(), strict=True)
        free = np.array([pair not in trained for pair in pairs])
        direct.append(gain[free].mean())
    error = np.std(weighted) / np.sqrt(200)
    assert abs(np.mean(weighted) - np.mean(direct)) < 4 * error
    assert np.mean(gain) - np.mean(direct) > 8 * error


def test_folds_and_seeds():
    here = view(nested=False)
    first, again, other = (splits.split("selected", here, {}, fold, 1).roles for fold in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_share_that_is_none_is_refused():
    with pytest.raises(UserError, match="held_out"):
        splits.split("selected", view(nested=False), {"held_out": 1.5}, 0, 1)
