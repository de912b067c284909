"""Means of values of users."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.statistics.user_values import UserValues, resampled


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_bootstrap_samples_are_means_over_repeated_users(seed):
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 4, 12).astype(float)
    total = rng.random(12) * weight
    times = rng.multinomial(12, np.full(12, 1 / 12), size=5)
    for pooled in (False, True):
        for rooted in (False, True):
            for average in ("user", "pair"):
                values = UserValues(total, weight, pooled=pooled, rooted=rooted)
                found = values.mean(average, times)
                for sample, mean in zip(times, found, strict=True):
                    users = np.repeat(np.arange(12), sample)
                    drawn = replace(values, total=total[users], weight=weight[users])
                    np.testing.assert_allclose(mean, drawn.mean(average), rtol=1e-12)
                    assert values.mean(average, sample) == pytest.approx(mean, nan_ok=True)


def test_a_mean_over_nobody_is_not_a_number():
    assert np.isnan(UserValues(np.zeros(3), np.zeros(3)).mean())


def test_users_count_alike_in_one_mean_and_by_their_pairs_in_the_other():
    values = UserValues(np.array([0.5, 3 * 0.9, 0.0]), np.array([1.0, 3.0, 0.0]))
    assert values.mean("user") == pytest.approx((0.5 + 0.9) / 2)
    assert values.mean("pair") == pytest.approx((0.5 + 3 * 0.9) / 4)
    # A pooled measure is one ratio, whichever mean is asked for.
    pooled = replace(values, pooled=True)
    assert pooled.mean("user") == pooled.mean("pair") == values.mean("pair")


def test_resampled_is_the_mean_over_folds_in_the_same_samples():
    folds = [UserValues(np.array(total), np.ones(2)) for total in ([0.0, 1.0], [0.5, 0.7])]
    samples = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    assert resampled(folds, "user", samples) == pytest.approx([0.25, 0.85, 0.55])
