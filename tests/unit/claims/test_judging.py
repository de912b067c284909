"""The one rule: the interval decides, on the claimed side, on the other, or not at all."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnar.claims import (
    Measured,
    Missing,
    Outcome,
    above,
    all_of,
    any_of,
    at_least,
    at_most,
    below,
    between,
    close,
    difference,
    is_so,
    published,
    same,
    share_of_samples,
    significant,
    unbiased,
    usual,
)
from mnar.claims.outcome import FAILS, HOLDS, UNDECIDED


def measured(low, high):
    return Measured((low + high) / 2, low, high)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(1, 2, HOLDS), (-2, -1, FAILS), (-1, 2, UNDECIDED), (0, 1, UNDECIDED), (-1, 0, FAILS)],
)
def test_the_whole_interval_decides(low, high, verdict):
    assert above(measured(low, high), 0).verdict == verdict
    assert below(measured(-high, -low), 0).verdict == verdict


def test_a_bound_may_be_part_of_the_claim():
    assert at_least(measured(0, 1), 0).verdict == HOLDS
    assert at_most(measured(-1, 0), 0).verdict == HOLDS
    assert at_most(Measured(0, 0, 0), 0).verdict == HOLDS
    assert at_least(measured(-1, 0), 0).verdict == UNDECIDED
    assert below(Measured(0, 0, 0), 0).verdict == FAILS


@given(st.floats(-5, 5), st.floats(0.01, 3), st.floats(0.01, 3), st.floats(-5, 5))
def test_p_is_below_5_percent_exactly_where_the_interval_excludes_the_bound(value, down, up, bound):
    one = Measured(value, value - down, value + up)
    found = above(one, bound)
    if min(abs(one.low - bound), abs(one.high - bound)) < 1e-6:
        return
    assert (found.p_for < 0.05) == (one.low > bound)
    assert (found.p_against < 0.05) == (one.high < bound)
    assert found.p == min(found.p_for, found.p_against)


def test_a_point_alone_decides_nothing():
    """Fails if a number without interval is ever taken as sure."""
    found = above(Measured(5.0), 0)
    assert found.verdict == UNDECIDED
    assert "no interval" in found.how
    assert close(Measured(0.0), 0, within=1).verdict == UNDECIDED


def test_an_exact_number_decides_and_has_no_p_value():
    found = above(Measured(5.0, exact=True), 0)
    assert found.verdict == HOLDS
    assert np.isnan(found.p)
    assert at_most(Measured(5.0, exact=True), 4).verdict == FAILS


def test_close_is_an_equivalence_test():
    """An interval that holds 0 but is wide is no agreement; a narrow one off 0 may be."""
    assert close(measured(-8, 12), 0, within=10).verdict == UNDECIDED
    assert close(measured(1, 2), 0, within=10).verdict == HOLDS
    assert close(measured(11, 12), 0, within=10).verdict == FAILS
    assert between(measured(-3, -1), -3, -1).verdict == HOLDS


def outcome(p_for, p_against=1.0):
    return Outcome.by_p(p_for, p_against, f"p {p_for}", "how")


def test_all_of_takes_the_largest_p():
    found = all_of(outcome(0.001), outcome(0.04), outcome(0.02))
    assert (found.verdict, found.p_for) == (HOLDS, 0.04)
    assert all_of(outcome(0.001), outcome(0.06)).verdict == UNDECIDED


def test_that_one_of_several_fails_is_corrected_for_their_number():
    assert all_of(outcome(1, 0.03), outcome(0.001)).verdict == UNDECIDED
    found = all_of(outcome(1, 0.02), outcome(0.001))
    assert (found.verdict, found.p_against) == (FAILS, 0.04)


def test_any_of_is_corrected_for_their_number():
    assert any_of(outcome(0.03), outcome(0.9)).verdict == UNDECIDED
    found = any_of(outcome(0.02), outcome(0.9))
    assert (found.verdict, found.p_for) == (HOLDS, 0.04)
    assert any_of(outcome(1, 0.01), outcome(1, 0.04)).verdict == FAILS
    assert any_of(outcome(1, 0.01), outcome(0.4)).verdict == UNDECIDED


def test_of_several_numbers_each_must_pass():
    assert above([measured(1, 2), measured(2, 3)], 0).verdict == HOLDS
    assert above([measured(1, 2), measured(-1, 3)], 0).verdict == UNDECIDED
    assert close([measured(1, 2), measured(20, 30)], 0, within=10).verdict == FAILS
    many = above([measured(1, 2)] * 5 + [measured(-1, 2)], 0)
    assert many.numbers.startswith("5 of 6 hold; ")
    assert many.measured == measured(-1, 2)


def test_exact_parts_leave_the_p_value_of_the_others():
    sure, sampled = is_so(True, "", ""), outcome(0.03)
    assert all_of(sure, sampled).p == 0.03
    assert np.isnan(all_of(sure, sure).p)
    failed = all_of(is_so(False, "", ""), sampled)
    assert failed.verdict == FAILS
    # An exact part decided: there is no p-value to correct for others.
    assert np.isnan(failed.p)


def test_same_verdicts():
    yes, no, maybe = is_so(True, "", ""), is_so(False, "", ""), outcome(0.5)
    assert same("x-01", yes, yes).verdict == HOLDS
    assert same("x-01", no, no).verdict == HOLDS
    assert same("x-01", yes, no).numbers == "x-01 holds, there does not hold"
    assert same("x-01", yes, no).verdict == FAILS
    assert same("x-01", yes, maybe).verdict == UNDECIDED


def test_widths_of_independent_numbers_add_in_squares():
    gap = difference(Measured(5, 2, 9), Measured(1, -3, 4))
    assert (gap.value, gap.low, gap.high) == (4, 4 - np.hypot(3, 3), 4 + np.hypot(4, 4))
    one_sided = difference(Measured(5, 2, 9), Measured(1, exact=True))
    assert (one_sided.low, one_sided.high) == (1, 8)
    assert not difference(Measured(5, 2, 9), Measured(1)).is_sure
    assert difference(Measured(5, exact=True), Measured(1, exact=True)).exact


@pytest.mark.parametrize(
    ("gain", "p", "verdict"),
    [(0.1, 0.01, HOLDS), (-0.1, 0.01, FAILS), (0.1, 0.5, UNDECIDED), (0.1, np.nan, UNDECIDED)],
)
def test_significance_by_another_test(gain, p, verdict):
    assert significant(Measured(gain), p).verdict == verdict


def test_shares_of_divisions_have_no_p_value():
    shares = {0.98: HOLDS, 0.97: UNDECIDED, 0.5: UNDECIDED, 0.02: FAILS}
    found = {share: usual(Measured(share)) for share in shares}
    assert {share: outcome.verdict for share, outcome in found.items()} == shares
    assert all(np.isnan(outcome.p) for outcome in found.values())


def test_shares_of_samples():
    shares = {0.98: HOLDS, 0.97: UNDECIDED, 0.5: UNDECIDED, 0.02: FAILS}
    assert {s: share_of_samples(Measured(s)).verdict for s in shares} == shares


def test_published():
    rows = pd.DataFrame(
        [
            {"mean": 1.02, "sem": 0.01, "published": 1.0, "published_sem": 0.0},
            {"mean": 9.0, "sem": 0.01, "published": np.nan, "published_sem": np.nan},
        ]
    )
    assert published(rows, relative=5).verdict == HOLDS
    assert published(rows, within=0.03).verdict == HOLDS
    assert published(rows, errors=3).verdict == HOLDS
    assert published(rows, errors=1).verdict == FAILS
    assert published(rows).verdict == FAILS
    with pytest.raises(Missing, match="no number"):
        published(rows.iloc[1:], within=1)
    with pytest.raises(Missing, match="nothing of ours"):
        published(rows.assign(mean=np.nan), within=1)


def test_unbiased_is_within_the_bound_of_every_row():
    rows = pd.DataFrame({"z": [0.5, -2.9], "bound": [3.0, 3.0]})
    assert unbiased(rows).verdict == HOLDS
    assert unbiased(rows.assign(bound=2.8)).verdict == FAILS


def test_each_published_number_has_its_own_margin():
    """5 % of a large number would be a wide margin for a small one."""
    rows = pd.DataFrame({"mean": [100.0, 1.2], "published": [101.0, 1.0]})
    assert published(rows, relative=5).verdict == FAILS
    assert published(rows, relative=20).verdict == HOLDS
    exact = pd.DataFrame(
        {"mean": [1.0, 1.2], "published": 1.0, "sem": [0.5, 0.01], "published_sem": 0.0}
    )
    assert published(exact, errors=3).verdict == FAILS
