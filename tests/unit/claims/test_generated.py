"""Behaviour on generated data: the share of a grid of generators, and what it depends on."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from mnar.claims import Missing, generated
from mnar.claims.outcome import DEPENDS, FAILS, HOLDS

GRID = pd.DataFrame(
    list(product([0, 0.6, 1], [0, 1], [0.6, 1.2], [2, 5])), columns=list(generated.FACTORS)
)
BOTH = (GRID["popularity_exponent"] > 0) & (GRID["positivity"] > 0)


def judged(true, scope=generated.ALL):
    return generated.judge(true, GRID, scope)


def test_nine_in_ten_hold_and_one_in_ten_does_not():
    # Of 24 settings 22 are 91.7 % and 21 are 87.5 %.
    assert judged(GRID.index < 22).verdict == HOLDS
    assert judged(GRID.index < 21).verdict == DEPENDS
    assert judged(GRID.index < 2).verdict == FAILS
    assert judged(GRID.index < 3).verdict == DEPENDS


def test_a_claim_about_both_effects_is_judged_where_both_are():
    found = judged(BOTH, generated.BOTH)
    assert found.verdict == HOLDS
    assert found.numbers == "true in 8 of 8 generator settings with both effects (8 of all 24)"
    assert judged(BOTH).verdict == DEPENDS
    with pytest.raises(Missing, match="both effects"):
        generated.judge(~BOTH[~BOTH], GRID[~BOTH], generated.BOTH)


def test_settings_that_cannot_tell_are_neither_true_nor_false():
    """Too wide an interval in a setting is no disagreement."""
    unknown = pd.Series([1.0] * 4 + [np.nan] * 20)
    # There are three outcomes: what cannot tell keeps a claim from holding, and from not holding.
    assert judged(unknown).verdict == DEPENDS
    numbers = "true in 4 of 24 generator settings, not known in 20"
    assert judged(unknown).numbers.startswith(numbers)
    assert judged(pd.Series([np.nan] * 24)).verdict == DEPENDS
    assert judged(pd.Series([0.0] * 21 + [np.nan] * 3)).verdict == DEPENDS
    assert judged(pd.Series([0.0] * 22 + [np.nan] * 2)).verdict == FAILS
    assert judged(pd.Series([1.0] * 21 + [np.nan] * 3)).verdict == DEPENDS
    assert judged(pd.Series([1.0] * 22 + [np.nan] * 2)).verdict == HOLDS
    assert judged(pd.Series([1.0] * 6 + [0.0] * 12 + [np.nan] * 6)).verdict == DEPENDS


def test_the_factors_that_separate_are_named():
    text = judged(GRID["noise"] < 1).numbers
    assert text.endswith("depends on noise (0.6: 12 of 12, 1.2: 0 of 12)")
    both = judged(BOTH).numbers
    assert "positivity (0: 0 of 12, 1: 8 of 12)" in both
    assert "popularity exponent (0: 0 of 8, 0.6: 4 of 8, 1: 4 of 8)" in both
    assert "noise" not in both


def test_single_exceptions_are_named():
    lost = BOTH & (GRID["noise"] < 1) & (GRID["rank"] == 2) & (GRID["popularity_exponent"] < 1)
    text = judged(~lost, generated.BOTH).numbers
    assert text.endswith("false at popularity exponent 0.6, positivity 1, noise 0.6, rank 2")


def test_no_factor_by_itself():
    mixed = (GRID["noise"] < 1) == (GRID["rank"] == 2)
    assert judged(mixed).numbers.endswith("depends on no factor by itself")
