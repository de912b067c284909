"""AllRank-Binary-Logistic against Eq. 10 written out entry by entry."""

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings
from scipy.optimize import minimize

from mnar.core.errors import UserError
from mnar.models import allrank_binary_logistic as logistic
from mnar.models._allrank import relevant_entries
from mnar.models._als import padded, start

SETTINGS = {"factors": 4, "missing_weight": 0.1, "lambda": 0.02}


def matrices(train):
    """Y and W: observed ratings that are not relevant count as missing."""
    return dense(train, train.relevant, 0.0), dense(train, np.where(train.relevant, 1, 0.1), 0.1)


def in_full(train, p, q):
    """Eq. 10."""
    y, w = matrices(train)
    scores = p @ q.T
    norms = (p**2).sum(axis=1)[:, None] + (q**2).sum(axis=1)
    return np.sum(w * (y * scores - np.log1p(np.exp(scores)) - 0.5 * SETTINGS["lambda"] * norms))


def both(train):
    ones = relevant_entries(train)
    return logistic.likelihood(ones, SETTINGS), logistic.likelihood(ones.by_item, SETTINGS)


def random_vectors(rows, seed, dtype=np.float64):
    return padded(np.random.default_rng(seed).normal(size=(rows, 4)).astype(dtype))


def test_objective_equals_the_sum_over_all_entries():
    train = random_ratings()
    users, items = both(train)
    p, q = random_vectors(train.n_users, 1), random_vectors(train.n_items, 2)
    assert logistic.objective(users, items, p, q) == pytest.approx(in_full(train, p, q), rel=1e-12)


@pytest.mark.parametrize("scale", [0.3, 1, 12])
def test_the_cost_of_a_sweep_is_the_objective_between_its_steps(scale):
    train = random_ratings(users=2 * logistic.ROWS + 5, items=logistic.COLUMNS + 9)
    users, items = both(train)
    p = scale * random_vectors(train.n_users, 1, np.float32)
    q = random_vectors(train.n_items, 2, np.float32)
    ((_, solved), one), (_, two) = (
        logistic.sweep(users, items, (p, q), 4, threads) for threads in (1, 2)
    )
    assert one == two
    expected = -in_full(train, p.astype(float), solved.astype(float))
    assert one == pytest.approx(expected, rel=2e-6)


def test_a_sweep_lowers_the_cost_between():
    train = random_ratings(users=60, items=40)
    users, items = both(train)
    vectors = random_vectors(60, 1, np.float32), random_vectors(40, 2, np.float32)
    for _ in range(5):
        before = -logistic.objective(users, items, *vectors)
        vectors, between = logistic.sweep(users, items, vectors, 4, threads=1)
        assert before >= between >= -logistic.objective(users, items, *vectors)


def test_costs_equal_the_logarithm():
    """For −Ŷ from one end to the other, and many alike of which none may be lost in rounding."""
    for turned in (np.linspace(-80, 80, 2001), np.full(1000, 11.3), np.array([1e30, -200])):
        numbers = turned.astype(np.float32).reshape(1, -1)
        expected = np.logaddexp(0, -numbers.astype(np.float64)).sum()
        found = logistic.sum_positive(numbers)
        logistic.weigh_missing(numbers, -0.3)
        found += logistic.sum_logarithms(numbers, -0.3)
        assert found == pytest.approx(expected, rel=1e-5)


def test_gradient_is_that_of_the_objective():
    train = random_ratings(users=2 * logistic.ROWS + 5, items=logistic.COLUMNS + 9)
    users, _ = both(train)
    p = random_vectors(train.n_users, 1, np.float32)
    q = random_vectors(train.n_items, 2, np.float32)
    y, w = matrices(train)
    wide = q.astype(np.float64)
    terms = w * (y - 1 / (1 + np.exp(-p.astype(np.float64) @ wide.T)))
    found = logistic.gradient(users, p, q, threads=2)
    # Single precision: a few units in the last place of the sum.
    room = 1e-6 * (np.abs(terms) @ np.abs(wide))
    assert (np.abs(found - terms @ wide) <= room).all()


def test_weights_of_missing_entries_equal_the_logistic_function():
    scores = np.linspace(-80, 80, 2001, dtype=np.float32).reshape(3, 667)
    expected = 0.1 / (1 + np.exp(scores.astype(np.float64)))
    found = scores.copy()
    logistic.weigh_missing(found, 0.1)
    # The power of two has the rounding of 80 / ln 2.
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    near = np.abs(scores) < 1
    np.testing.assert_allclose(found[near], expected[near], rtol=3e-7)
    far = np.array([[-1e30, -200, 200, 1e30]], np.float32)
    logistic.weigh_missing(far, 1.0)
    np.testing.assert_allclose(far, [[1, 1, 0, 0]], atol=1e-37)


def test_extreme_scores_give_no_warning():
    train = random_ratings()
    users, _ = both(train)
    p, q = 50 * random_vectors(train.n_users, 1), random_vectors(train.n_items, 2)
    p, q = p.astype(np.float32), q.astype(np.float32)
    assert (p @ q.T).min() < -100
    assert np.isfinite(logistic.gradient(users, p, q, threads=1)).all()


def test_objective_never_falls():
    train = random_ratings(users=60, items=40)
    users, items = both(train)
    p = start(train.n_users, 4, seed=1).astype(np.float64)
    q = np.zeros((train.n_items, p.shape[1]))
    before = logistic.objective(users, items, p, q)
    first = before
    for _ in range(30):
        q = logistic.climb(items, q, p, 4, threads=1)
        between = logistic.objective(users, items, p, q)
        p = logistic.climb(users, p, q, 4, threads=1)
        after = logistic.objective(users, items, p, q)
        assert before <= between <= after
        before = after
    assert after > first + 0.02 * abs(first)


def test_folded_users_are_at_their_maximum(monkeypatch):
    """With the items held fixed the objective is concave: any optimiser finds the same users."""
    monkeypatch.setattr(logistic, "FOLD_STEPS", 200)
    train, others = random_ratings(), random_ratings(users=3, share=0.6, seed=4)
    model = logistic.fit(train, SETTINGS, seed=1, threads=1)
    folded = logistic.fold_in(model, others, SETTINGS, threads=1)
    q = model.item_vectors.astype(np.float64)
    best = minimize(lambda p: -in_full(others, p.reshape(3, 4), q), np.zeros(12), tol=1e-10)
    np.testing.assert_allclose(folded.user_vectors, best.x.reshape(3, 4), atol=1e-3)
    assert folded.item_vectors is model.item_vectors
    assert np.abs(folded.user_vectors).max() > 0.05


def test_the_steps_of_fold_in_come_close(monkeypatch):
    train, others = random_ratings(), random_ratings(users=12, share=0.6, seed=4)
    model = logistic.fit(train, SETTINGS, seed=1, threads=1)
    usual = logistic.fold_in(model, others, SETTINGS, threads=1)
    monkeypatch.setattr(logistic, "FOLD_STEPS", 200)
    many = logistic.fold_in(model, others, SETTINGS, threads=1)
    scores = [folded.user_vectors @ folded.item_vectors.T for folded in (usual, many)]
    assert np.abs(scores[0] - scores[1]).max() < 0.02 * np.abs(scores[1]).max()


def test_fold_in_wants_the_catalogue_of_the_training():
    model = logistic.fit(random_ratings(), SETTINGS, 1, 1)
    with pytest.raises(UserError, match="knows 20 items"):
        logistic.fold_in(model, random_ratings(items=21), SETTINGS, 1)


def test_threads_and_grid_do_not_change_a_bit():
    train = random_ratings(users=3 * logistic.ROWS + 1)
    points = [SETTINGS | {"lambda": penalty} for penalty in (0.1, 0.02)]
    grid = list(logistic.fit_grid(train, points, seed=1, threads=2))
    alone = logistic.fit(train, SETTINGS, seed=1, threads=1)
    assert grid[1].user_vectors.tobytes() == alone.user_vectors.tobytes()
    assert grid[1].item_vectors.tobytes() == alone.item_vectors.tobytes()
    assert grid[0].item_vectors.tobytes() != alone.item_vectors.tobytes()


def test_unrated_items_are_learned_as_irrelevant():
    """Unlike in least squares they do not stay at score 0, which would be above most others."""
    train = random_ratings(users=60, items=40)
    model = logistic.fit(train, SETTINGS, seed=1, threads=1)
    scores = model.user_vectors @ model.item_vectors.T
    assert scores[1:, -1].mean() < np.median(scores[1:, :-1])
