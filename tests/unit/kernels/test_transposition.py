import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mnar.kernels.transposition import transpose


@given(st.integers(0, 7), st.integers(1, 7), st.floats(0, 1), st.integers(0, 1000))
def test_the_transpose_equals_that_of_a_dense_matrix(rows, columns, share, seed):
    random = np.random.default_rng(seed)
    filled = random.random((rows, columns)) < share
    values = np.where(filled, random.integers(1, 9, filled.shape), 0).astype(np.float32)
    marks = filled & (random.random(filled.shape) < 0.5)
    indptr = np.concatenate([[0], np.cumsum(filled.sum(axis=1))]).astype(np.int64)
    starts, turned, turned_values, turned_marks = transpose(
        indptr, np.nonzero(filled)[1].astype(np.int32), values[filled], marks[filled], columns
    )
    expected = filled.T
    np.testing.assert_array_equal(np.diff(starts), expected.sum(axis=1))
    np.testing.assert_array_equal(turned, np.nonzero(expected)[1])
    np.testing.assert_array_equal(turned_values, values.T[expected])
    np.testing.assert_array_equal(turned_marks, marks.T[expected])
