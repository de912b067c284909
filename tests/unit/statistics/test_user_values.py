"""Means of values of users."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.measures import UserValues


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
