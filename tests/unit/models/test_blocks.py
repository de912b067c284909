"""Blocks of coordinates against the same steps written out with whole matrices, and against exact rows."""

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings

from mnar.models import _blocks
from mnar.models._als import objective, padded, side_of, solve

FACTORS, BLOCK = 11, 4


def problem(missing_weight, by_entry):
    ratings = random_ratings(users=40, items=25, share=0.3)
    rng = np.random.default_rng(2)
    weights = rng.uniform(0.5, 2, len(ratings.items)) if by_entry else np.full(1, 1.5)
    side = side_of(ratings, missing_weight, 2.0, 0.1, weights)
    vectors = rng.normal(size=(ratings.n_users, FACTORS))
    design = rng.normal(size=(ratings.n_items, FACTORS))
    return ratings, weights, side, vectors, design


@pytest.mark.parametrize("missing_weight", [0.0, 0.2])
@pytest.mark.parametrize("by_entry", [False, True])
@pytest.mark.parametrize("pulled", [False, True])
def test_a_pass_equals_the_steps_written_out(missing_weight, by_entry, pulled):
    ratings, weights, side, vectors, design = problem(missing_weight, by_entry)
    pull = np.random.default_rng(3).normal(size=vectors.shape) if pulled else None
    found = _blocks.solve_blocks(
        side,
        padded(design),
        FACTORS,
        1,
        padded(vectors),
        None if pull is None else padded(pull),
        BLOCK,
    )
    entry_weights = np.broadcast_to(weights, len(ratings.items))
    whole = dense(ratings, entry_weights, missing_weight)
    targets = dense(ratings, ratings.values - 2.0, 0.0)
    expected = vectors.copy()
    for u in range(len(vectors)):
        for first in range(0, FACTORS, BLOCK):
            part = slice(first, min(first + BLOCK, FACTORS))
            others = expected[u].copy()
            others[part] = 0
            some = design[:, part]
            matrix = (some.T * whole[u]) @ some + side.ridge[u] * np.eye(some.shape[1])
            right = some.T @ (whole[u] * (targets[u] - design @ others))
            right += 0 if pull is None else pull[u, part]
            weighs = side.ridge[u] > 0 or missing_weight > 0
            expected[u, part] = np.linalg.solve(matrix, right) if weighs else 0
    np.testing.assert_allclose(found[:, :FACTORS], expected, atol=1e-6)
    assert not found[:, FACTORS:].any()


@pytest.mark.parametrize("missing_weight", [0.0, 0.2])
def test_passes_come_to_the_exact_rows(missing_weight):
    _, _, side, vectors, design = problem(missing_weight, by_entry=False)
    exact = solve(side, padded(design), FACTORS, 1)
    found = padded(vectors)
    for _ in range(300):
        found = _blocks.solve_blocks(side, padded(design), FACTORS, 1, found, block=BLOCK)
    np.testing.assert_allclose(found, exact, atol=1e-6)


def test_no_pass_raises_the_objective():
    ratings = random_ratings(users=50, items=30)
    users, items = (side_of(r, 0.1, 2.0, 0.05, np.ones(1)) for r in (ratings, ratings.by_item))
    rng = np.random.default_rng(1)
    p, q = (padded(rng.normal(size=(side.n_rows, FACTORS))) for side in (users, items))
    before = objective(users, items, p, q)
    for _ in range(10):
        q = _blocks.solve_blocks(items, p, FACTORS, 1, q, block=BLOCK)
        p = _blocks.solve_blocks(users, q, FACTORS, 1, p, block=BLOCK)
        after = objective(users, items, p, q)
        assert after < before * (1 + 1e-12)
        before = after


def test_the_number_of_factors_decides(monkeypatch):
    _, _, side, vectors, design = problem(0.2, by_entry=False)
    given = (side, padded(design), FACTORS, 1, padded(vectors))
    exact = solve(*given[:4])
    assert np.array_equal(_blocks.improve(*given), exact)
    monkeypatch.setattr(_blocks, "solve_blocks", lambda *given: "in blocks")
    assert np.array_equal(_blocks.improve(*given), exact)
    monkeypatch.setattr(_blocks, "MOST_EXACT", FACTORS - 1)
    assert _blocks.improve(*given) == "in blocks"
    # Nothing to begin with, as when users are folded in; or entries that do not count at all.
    assert np.array_equal(_blocks.improve(*given[:4], None), exact)
    ratings = random_ratings(users=40, items=25, share=0.3)
    weights = (ratings.values > 2).astype(float)
    other = side_of(ratings, 0.2, 2.0, 0.1, weights)
    assert np.array_equal(_blocks.improve(other, *given[1:]), solve(other, *given[1:4]))


def test_threads_do_not_change_a_bit():
    ratings = random_ratings(users=3 * _blocks.ROWS + 2, items=40)
    side = side_of(ratings, 0.2, 2.0, 0.1, np.ones(1))
    rng = np.random.default_rng(4)
    vectors, design = (
        padded(rng.normal(size=(n, 9)).astype(np.float32)) for n in (side.n_rows, 40)
    )
    one, two = (_blocks.solve_blocks(side, design, 9, t, vectors, block=4) for t in (1, 2))
    assert one.tobytes() == two.tobytes()
