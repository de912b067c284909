"""The least-squares kernel against normal equations written out in full."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.models import _als

FACTORS = [1, 7, 8, 13, 16, 50]


def random_side(ratings, missing_weight, seed=0, single_weight=False):
    """A side whose weights lie on both sides of the missing weight."""
    random = np.random.default_rng(seed)
    weights = random.uniform(0, 2, 1 if single_weight else len(ratings.items))
    side = _als.side_of(ratings, missing_weight, 2.0, 0.1, weights)
    return replace(
        side, base=random.normal(2, 1, ratings.n_items) if not missing_weight else side.base
    )


def random_design(rows, factors, seed=1):
    return np.random.default_rng(seed).normal(size=(rows, factors))


def solve_in_full(ratings, side, design, pull=0.0):
    """Eq. 15 with the whole weight matrix: one system of equations for each row."""
    weights = dense(
        ratings, np.broadcast_to(side.weights, ratings.items.shape), side.missing_weight
    )
    targets = dense(ratings, ratings.values - side.base[ratings.items], 0.0)
    solved = np.zeros((ratings.n_users, design.shape[1]))
    for u in np.flatnonzero(side.ridge):
        matrix = design.T @ (weights[u][:, None] * design) + side.ridge[u] * np.eye(design.shape[1])
        right = design.T @ (weights[u] * targets[u]) + (pull[u] if np.ndim(pull) else 0)
        solved[u] = np.linalg.solve(matrix, right)
    return solved


@pytest.mark.parametrize("factors", FACTORS)
@pytest.mark.parametrize("missing_weight", [0.0, 0.05, 1.0])
@pytest.mark.parametrize("single_weight", [False, True])
def test_solution_equals_normal_equations(factors, missing_weight, single_weight):
    ratings = random_ratings(users=80, items=150, share=0.6)
    side = random_side(ratings, missing_weight, single_weight=single_weight)
    design = random_design(ratings.n_items, factors)
    solved = _als.solve(side, _als.padded(design), factors, threads=1)
    expected = solve_in_full(ratings, side, design)
    np.testing.assert_allclose(solved[:, :factors], expected, rtol=1e-6, atol=1e-9)
    assert not solved[:, factors:].any()


@given(
    length=st.integers(0, 3 * _als.CHUNK + 2),
    factors=st.sampled_from([1, 3, 8, 9, 17]),
    missing_weight=st.sampled_from([0.0, 0.3]),
    seed=st.integers(0, 1000),
)
@settings(max_examples=60, deadline=None)
def test_rows_of_any_length(length, factors, missing_weight, seed):
    columns = 3 * _als.CHUNK + 5
    ratings = random_ratings(users=2, items=columns, share=1.0, seed=seed)
    ratings = ratings.select(np.arange(len(ratings.items)) < length)
    side = random_side(ratings, missing_weight, seed)
    design = random_design(columns, factors, seed)
    solved = _als.solve(side, _als.padded(design), factors, threads=1)[:, :factors]
    np.testing.assert_allclose(solved, solve_in_full(ratings, side, design), rtol=1e-6, atol=1e-9)


def test_single_precision_is_close():
    ratings = random_ratings(users=80, items=150, share=0.6)
    side = random_side(ratings, 0.05)
    design = random_design(ratings.n_items, 50).astype(np.float32)
    solved = _als.solve(side, _als.padded(design), 50, threads=1)[:, :50]
    assert solved.dtype == np.float32
    np.testing.assert_allclose(solved, solve_in_full(ratings, side, design), atol=2e-5)


@pytest.mark.parametrize("missing_weight", [0.0, 0.2])
def test_pull_draws_rows_towards_a_point(missing_weight):
    ratings = random_ratings()
    side = random_side(ratings, missing_weight)
    design = random_design(ratings.n_items, 5)
    towards = random_design(ratings.n_users, 5, seed=2)
    pull = side.ridge[:, None] * towards
    solved = _als.solve(side, _als.padded(design), 5, 1, pull=_als.padded(pull))[:, :5]
    np.testing.assert_allclose(solved, solve_in_full(ratings, side, design, pull), atol=1e-9)
    strong = replace(side, ridge=np.full(ratings.n_users, 1e9))
    pull = strong.ridge[:, None] * towards
    solved = _als.solve(strong, _als.padded(design), 5, 1, pull=_als.padded(pull))[:, :5]
    np.testing.assert_allclose(solved, towards, atol=1e-5)


def test_ridge_may_be_given_row_by_row():
    ratings = random_ratings()
    side = replace(random_side(ratings, 0.1), ridge=np.linspace(0.5, 3, ratings.n_users))
    design = random_design(ratings.n_items, 6)
    solved = _als.solve(side, _als.padded(design), 6, 1)[:, :6]
    np.testing.assert_allclose(solved, solve_in_full(ratings, side, design), atol=1e-9)


@pytest.mark.parametrize("missing_weight", [0.0, 0.3])
def test_rows_without_ratings_are_zero(missing_weight):
    ratings = random_ratings()
    side = _als.side_of(ratings, missing_weight, 2.0, 0.1, np.ones(1))
    solved = _als.solve(side, _als.padded(random_design(ratings.n_items, 5)), 5, 1)
    assert ratings.indptr[1] == 0
    assert not solved[0].any()
    assert np.isfinite(solved).all()
    assert (side.ridge[0] == 0) == (missing_weight == 0)


def test_ridge_is_lambda_times_trace():
    ratings = random_ratings()
    weights = np.random.default_rng(3).uniform(0, 2, len(ratings.items))
    side = _als.side_of(ratings, 0.25, 2.0, 0.1, weights)
    np.testing.assert_allclose(side.ridge, 0.1 * dense(ratings, weights, 0.25).sum(axis=1))
    side = _als.side_of(ratings, 0.25, 2.0, 0.1, np.full(1, 3.0))
    np.testing.assert_allclose(side.ridge, 0.1 * dense(ratings, 3.0, 0.25).sum(axis=1))


def test_threads_do_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(_als, "GRAM_ROWS", 32)
    ratings = random_ratings(users=5 * _als.ROWS + 3, items=90)
    side = random_side(ratings, 0.1)
    design = _als.padded(random_design(ratings.n_items, 20).astype(np.float32))
    one, two = (_als.solve(side, design, 20, threads) for threads in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_gram_of_several_blocks(monkeypatch):
    monkeypatch.setattr(_als, "GRAM_ROWS", 7)
    design = random_design(30, 8)
    np.testing.assert_allclose(_als.gram(design, threads=2), design.T @ design)


def test_rounding_cannot_break_a_nearly_singular_system():
    """All vectors are alike and large, the ridge is far below the rounding of their products."""
    ratings = random_ratings(users=4, items=200, share=1.0)
    side = _als.side_of(ratings, 0.0, 2.0, 1e-9, np.ones(1))
    design = np.full((200, 20), 300, np.float32)
    solved = _als.solve(side, _als.padded(design), 20, 1)
    assert np.isfinite(solved).all()


@pytest.mark.parametrize("features", [{}, {"avx512f": True}])
def test_any_length_of_vectors(features, tmp_path):
    """As on a processor with shorter, or longer, registers than this one's."""
    program = f"""
from unittest.mock import patch
with patch("llvmlite.binding.get_host_cpu_features", return_value={features}):
    from mnar.kernels import vectors
import test_als
test_als.test_solution_equals_normal_equations(20, 0.05, False)
test_als.test_single_precision_is_close()
print(vectors.LANES)
"""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["16" if features else "8"], done.stderr


def in_full(ratings, users, items, p, q):
    """Eq. 13 entry by entry."""
    weights = dense(
        ratings, np.broadcast_to(users.weights, ratings.items.shape), users.missing_weight
    )
    errors = dense(ratings, ratings.values - users.base[0], 0.0) - p @ q.T
    penalty = users.ridge @ (p**2).sum(axis=1) + items.ridge @ (q**2).sum(axis=1)
    return np.sum(weights * errors**2) + penalty


@pytest.mark.parametrize("missing_weight", [0.0, 0.05, 1.0])
def test_objective_equals_the_sum_over_all_entries(missing_weight):
    ratings = random_ratings()
    weights = np.random.default_rng(3).uniform(0, 2, 6)
    users = _als.side_of(ratings, missing_weight, 2.0, 0.1, weights[ratings.values.astype(int)])
    columns = ratings.by_item
    items = _als.side_of(columns, missing_weight, 2.0, 0.1, weights[columns.values.astype(int)])
    p, q = random_design(ratings.n_users, 4), random_design(ratings.n_items, 4, seed=2)
    total = _als.objective(users, items, p, q)
    assert total == pytest.approx(in_full(ratings, users, items, p, q), rel=1e-10)


@pytest.mark.parametrize("missing_weight", [0.0, 0.05, 1.0])
def test_objective_never_rises(missing_weight):
    ratings = random_ratings(users=60, items=40)
    users, items = (
        _als.side_of(rows, missing_weight, 2.0, 0.02, np.ones(1))
        for rows in (ratings, ratings.by_item)
    )
    p = _als.start(ratings.n_users, 6, seed=1).astype(np.float64)
    q = _als.solve(items, p, 6, 1)
    before = _als.objective(users, items, p, q)
    for _ in range(15):
        p = _als.solve(users, q, 6, 1)
        between = _als.objective(users, items, p, q)
        q = _als.solve(items, p, 6, 1)
        after = _als.objective(users, items, p, q)
        assert after <= between * (1 + 1e-12) <= before * (1 + 1e-12) ** 2
        before = after
    assert after < 0.98 * in_full(ratings, users, items, 0 * p, 0 * q)
