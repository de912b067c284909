"""Which items are the head."""

import numpy as np

from mnar.matrices.context import head_items


def test_the_head_is_the_most_rated_share():
    counts = np.array([3, 9, 9, 1, 9, 2, 0, 0, 0, 0])
    np.testing.assert_array_equal(np.flatnonzero(head_items(counts, 0.2)), [1, 2])
    assert head_items(np.arange(1000)).sum() == 47
    assert np.flatnonzero(head_items(np.arange(1000)))[0] == 953
