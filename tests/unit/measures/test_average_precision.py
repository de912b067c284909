"""Expected precision against the sum over places."""

import numpy as np
import pytest

from mnar.measures.average_precision import expect_precision


def slow_precision(above, tied, relevant_above, relevant_tied):
    """Mean over the places of the item of the precision expected there."""
    position = np.arange(tied)
    slope = (relevant_tied - 1) / (tied - 1) if tied > 1 else 0
    return np.mean((1 + relevant_above + position * slope) / (above + position + 1))


@pytest.mark.parametrize("above", [0, 5, 100_000, 500_000])
@pytest.mark.parametrize("tied", [1, 2, 3, 64, 65, 1000])
def test_expected_precision_equals_the_sum_over_places(above, tied):
    # Twice the same group, and others between: values kept from the last group must not be stale.
    relevant = min(above, 7), min(tied, 5)
    groups = [(above, tied), (above, tied), (above + 90, tied), (above, tied), (above, tied + 1)]
    pairs = np.array([(*group, *relevant) for group in groups], np.int32)
    found = expect_precision(*pairs.T.copy())
    np.testing.assert_allclose(found, [slow_precision(*pair) for pair in pairs], rtol=1e-11)
