"""Systems solved side by side against numpy's solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.kernels.batched_cholesky import SYSTEMS, allocate_batch, solve_batch
from mnar.kernels.vectors import LANES


def solve_side_by_side(matrices, right, ridges):
    """Solutions of up to SYSTEMS systems; the other lanes hold systems of zeros."""
    systems, factors = right.shape
    size = (factors // LANES + 1) * LANES
    padded, batch, x = allocate_batch(size, matrices)
    # What lies below the diagonal must not matter.
    padded[:systems, :factors, :factors] = np.triu(matrices) + np.tril(
        np.full_like(matrices, 7), -1
    )
    padded[:systems, :factors, factors] = right
    solve_batch(batch, padded, ridges, factors, x)
    return x[:factors, :systems].T


@given(systems=st.integers(1, SYSTEMS), factors=st.integers(1, 70), seed=st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_systems_side_by_side_are_solved_as_one_by_one(systems, factors, seed):
    random = np.random.default_rng(seed)
    half = random.normal(size=(systems, factors, factors))
    matrices = half @ half.transpose(0, 2, 1) + np.eye(factors)
    right = random.normal(size=(systems, factors))
    solved = solve_side_by_side(matrices, right, np.ones(SYSTEMS))
    expected = np.linalg.solve(matrices, right[..., None])[..., 0]
    np.testing.assert_allclose(solved, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_pivot_that_rounding_lost_is_raised(dtype):
    """The second pivot is the ridge alone, far below the rounding of the first."""
    matrices = np.full((1, 2, 2), 1e10, dtype)
    right = np.array([[1e10, 1e10]], dtype)
    solved = solve_side_by_side(matrices, right, np.full(SYSTEMS, 1e-30, dtype))
    assert np.isfinite(solved).all()
    np.testing.assert_allclose(solved.sum(), 1, rtol=1e-5)
