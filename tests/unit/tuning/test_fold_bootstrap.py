"""Intervals over users: both sides in the same samples, folds averaged, everybody in place."""

import numpy as np
import pytest

from mnar.statistics.bootstrap import SAMPLES, user_samples
from mnar.tuning.fold_bootstrap import among, difference_interval, number_of_users
from mnar.tuning.scores import PerUser


def kept(values, users=None, weights=None):
    """One fold that has kept one point and the measure adg."""
    values = np.asarray(values, np.float32)
    weights = np.ones(len(values), np.float32) if weights is None else np.float32(weights)
    users = np.arange(len(values), dtype=np.int32) if users is None else np.int32(users)
    flags = np.zeros(1, bool)
    totals = (values * weights)[None, None]
    return PerUser(users, np.zeros(1, np.int32), ["adg"], totals, weights[None], flags, flags)


def test_a_difference_is_paired_over_users():
    """Users differ by far more than the two sides do; unpaired, the interval would be wide."""
    user = np.random.default_rng(1).random(200)
    sides = [[kept(user + gain + 0.01 * fold) for fold in (0, 1)] for gain in (0.1, 0.0)]
    low, high = difference_interval(*sides, "adg", "user", "seed")
    assert (low, high) == pytest.approx((0.1, 0.1), abs=1e-6)


def test_an_interval_is_that_of_a_plain_loop():
    random = np.random.default_rng(2)
    first, second = ([random.random(30) for _ in range(2)] for _ in range(2))
    found = difference_interval(
        [kept(v) for v in first], [kept(v) for v in second], "adg", "user", "seed"
    )
    samples = user_samples(30, SAMPLES, "seed")
    gaps = np.mean([one - other for one, other in zip(first, second, strict=True)], axis=0)
    drawn = [gaps @ times / 30 for times in samples]
    assert found == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=1e-6)


def test_users_that_were_not_kept_have_no_weight():
    part = kept([0.5, 0.7], users=[1, 4], weights=[2, 1])
    found = among(part, "adg", 6)
    assert found.weight.tolist() == [0, 2, 0, 0, 1, 0]
    assert found.total == pytest.approx([0, 1, 0, 0, 0.7, 0])
    assert number_of_users([part, kept([0.1], users=[3])]) == 5
