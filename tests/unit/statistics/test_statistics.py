import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from mnar.measures import UserValues
from mnar.statistics import bootstrap
from mnar.statistics.bootstrap import in_groups, interval, resampled_sums, user_samples
from mnar.statistics.comparison import (
    benjamini_hochberg,
    corrected_t_test,
    holm,
    mean_and_error,
)
from mnar.statistics.correlation import correlation_p_value, kendall, spearman

VALUES = st.lists(st.floats(-1, 1), min_size=3, max_size=8)


def test_mean_and_error():
    mean, error = mean_and_error(np.array([1.0, 2.0, 3.0, 4.0]))
    assert mean == 2.5
    assert error == pytest.approx(stats.sem([1, 2, 3, 4]))
    assert np.isnan(mean_and_error(np.array([1.0]))[1])


@given(VALUES)
def test_without_correction_it_is_the_paired_t_test(values):
    first = np.array(values) + np.arange(len(values)) * 0.1
    second = np.zeros(len(values))
    ours = corrected_t_test(first, second, 0.0)
    theirs = stats.ttest_rel(first, second)
    if np.std(first - second) > 1e-6:
        assert ours.p_two_sided == pytest.approx(theirs.pvalue)


def test_correction_widens_by_the_overlap():
    first, second = np.array([1.0, 1.2, 0.9, 1.1]), np.zeros(4)
    t = first.mean() / np.sqrt((1 / 4 + 0.5) * first.var(ddof=1))
    assert corrected_t_test(first, second, 0.5).p_greater == pytest.approx(stats.t.sf(t, 3))


def test_equal_differences_leave_no_doubt_and_no_difference_leaves_all():
    assert corrected_t_test(np.ones(4), np.zeros(4), 0.3).p_two_sided == 0
    assert corrected_t_test(np.zeros(4), np.ones(4), 0.3).p_greater == 1
    assert corrected_t_test(np.ones(4), np.ones(4), 0.3).p_two_sided == 1


def test_equal_differences_below_zero_leave_no_doubt_either():
    assert corrected_t_test(np.zeros(4), np.ones(4), 0.3).p_two_sided == 0


def test_one_fold_has_no_p_value():
    """With one fold nothing is known of the spread; p = 0 would make any difference significant."""
    found = corrected_t_test(np.array([0.5]), np.array([0.1]), 0.3)
    assert found.difference == pytest.approx(0.4)
    assert np.isnan([found.p_greater, found.p_two_sided]).all()
    assert not holm([found.p_two_sided])[0] < 0.05


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.5))
def test_benjamini_hochberg_finds_what_the_stepwise_test_finds(p_values, level):
    """Benjamini and Hochberg 1995: the largest rank whose p is within rank / tests of the level."""
    ordered = sorted(p_values)
    tests = len(p_values)
    passing = [rank for rank, p in enumerate(ordered, 1) if p * tests / rank <= level]
    found = ordered[: passing[-1]] if passing else []
    assert sorted(np.array(p_values)[benjamini_hochberg(p_values) <= level]) == found


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.5))
def test_holm_rejects_what_the_stepwise_test_rejects(p_values, level):
    """Holm 1979: in rising order, each p against level / (tests left); stop at the first above."""
    rejected = set()
    order = sorted(range(len(p_values)), key=lambda position: p_values[position])
    for done, position in enumerate(order):
        if p_values[position] * (len(p_values) - done) > level:
            break
        rejected.add(position)
    assert set(np.flatnonzero(holm(p_values) <= level)) == rejected


def test_user_samples_are_multiplicities():
    samples = user_samples(50, 200, "test")
    assert samples.shape == (200, 50)
    assert (samples.sum(axis=1) == 50).all()
    assert (samples == user_samples(50, 200, "test")).all()
    assert (samples != user_samples(50, 200, "other")).any()
    # The mean of a bootstrap mean is the mean, its spread the standard error.
    values = np.arange(50.0)
    means = samples @ values / 50
    assert means.mean() == pytest.approx(values.mean(), abs=3 * values.std() / np.sqrt(50 * 200))


def test_very_many_users_are_drawn_in_groups(monkeypatch):
    """Their sums per group are drawn; the spread of a ratio is that of drawing users one by one."""
    random = np.random.default_rng(4)
    weight = random.integers(0, 5, 3000).astype(float)
    values = UserValues(weight * random.random(3000), weight, pooled=True)
    spread = []
    for most in (100_000, 700):
        monkeypatch.setattr(bootstrap, "MOST_DRAWN", most)
        samples = user_samples(3000, 2000, "groups", most)
        assert samples.shape == (2000, min(most, 3000))
        means = values.mean("pair", samples)
        assert means.mean() == pytest.approx(values.mean("pair"), abs=1e-3)
        spread.append(means.std())
    assert spread[1] == pytest.approx(spread[0], rel=0.1)


def test_resampled_sums_are_those_of_a_plain_loop():
    random = np.random.default_rng(5)
    values, times = random.random((2, 3, 7)), random.integers(3, size=(4, 5)).astype(float)
    found = resampled_sums(values, times)
    assert found.shape == (2, 3, 4)
    for position in np.ndindex(found.shape):
        *which, sample = position
        expected = sum(times[sample, user % 5] * values[*which, user] for user in range(7))
        assert found[position] == pytest.approx(expected, rel=1e-12)


def test_groups_are_sums_over_every_so_many_users():
    values = np.arange(14.0).reshape(2, 7)
    expected = [[0 + 3 + 6, 1 + 4, 2 + 5], [7 + 10 + 13, 8 + 11, 9 + 12]]
    np.testing.assert_array_equal(in_groups(values, 3), expected)
    np.testing.assert_array_equal(in_groups(values, 7), values)


def test_interval_is_central():
    low, high = interval(np.arange(1001.0), 0.9)
    assert (low, high) == pytest.approx((50, 950))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=30))
def test_p_value_of_a_correlation_equals_scipy(pairs):
    first, second = np.array(pairs, float).T
    assume(np.ptp(first) > 0 and np.ptp(second) > 0)
    expected = stats.spearmanr(first, second)
    found = correlation_p_value(expected.statistic, len(pairs))
    assert found == pytest.approx(expected.pvalue, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=20))
def test_rank_correlations_with_ties_equal_scipy(pairs):
    first, second = np.array(pairs, float).T
    assume(np.ptp(first) > 0 and np.ptp(second) > 0)
    assert kendall(first, second) == pytest.approx(stats.kendalltau(first, second).statistic)
    assert spearman(first, second) == pytest.approx(stats.spearmanr(first, second).statistic)


def test_a_constant_has_no_rank_correlation():
    assert np.isnan(kendall(np.ones(4), np.arange(4.0)))
    assert np.isnan(spearman(np.ones(4), np.arange(4.0)))
