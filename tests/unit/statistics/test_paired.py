"""Two values of each user: who is compared, and how sure the difference is."""

import numpy as np
import pytest
from scipy import stats

from mnar.statistics.paired import Paired, simultaneous_interval
from mnar.statistics.user_values import UserValues


def values(numbers, weights):
    weights = np.asarray(weights, float)
    return UserValues(np.asarray(numbers, float) * weights, weights)


def test_only_users_with_both_values_are_compared():
    """The third and fourth user have one value each; with them the means would be others."""
    first = values([0.5, 0.7, 0.9, 0.0], [2, 1, 4, 0])
    second = values([0.4, 0.9, 0.0, 0.1], [1, 3, 0, 5])
    paired = Paired.of([first], [second])
    assert paired.means() == pytest.approx((0.6, 0.65))
    assert paired.users() == 2
    assert paired.differences[0].weight.tolist() == [1, 1, 0, 0]
    assert paired.differences[0].total == pytest.approx([0.1, -0.2, 0, 0])


def test_facts_are_those_of_the_differences():
    random = np.random.default_rng(3)
    second = random.random(50)
    both = [values(second + gain, np.ones(50)) for gain in (0.1 + 0.1 * random.random(50), 0)]
    paired = Paired.of(both[:1], both[1:])
    samples = random.multinomial(50, np.full(50, 1 / 50), size=400).astype(float)
    facts = paired.facts(samples, 5)
    gains = both[0].total - both[1].total
    assert facts["mean"] == pytest.approx(gains.mean())
    assert facts["sem"] == pytest.approx(np.std(samples @ gains / 50, ddof=1))
    assert facts["z"] == pytest.approx(facts["mean"] / facts["sem"])
    assert (facts["low"], facts["high"]) == simultaneous_interval(facts["mean"], facts["sem"], 5)


@pytest.mark.parametrize("family", [1, 5, 20])
def test_intervals_of_a_family_are_wider_the_larger_it_is(family):
    low, high = simultaneous_interval(1.0, 0.1, family)
    margin = 0.1 * stats.norm.isf(0.025 / family)
    assert (low, high) == pytest.approx((1 - margin, 1 + margin))
