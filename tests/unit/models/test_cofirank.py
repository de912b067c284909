"""CofiRank against linear assignment, enumeration, and a bundle method in numpy and scipy."""

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.matrices import random_ratings
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, minimize

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.models import cofirank
from mnar.models._cofirank_kernels import solve_dual, worst_order
from mnar.models.cofirank import GAP, Problem, grades_of, make_tables

SETTINGS = {"factors": 3, "lambda": 0.5, "top": 3, "rounds": 2, "planes": 4}


def ideal_order(grades):
    return np.argsort(-np.asarray(grades), kind="stable")


def dcg(grades, top):
    gains = 2.0 ** (1 + np.asarray(grades)) - 1
    return np.sum(gains[:top] / np.log2(np.arange(len(gains[:top])) + 2))


def mean_weights(grades):
    """c of an ideal order, items of one grade sharing the mean of theirs."""
    c = (1.0 + np.arange(len(grades))) ** -0.25
    shared = np.empty(len(grades))
    shared[ideal_order(grades)] = c
    return np.array([shared[grades == g].mean() for g in grades])


def enumerated_loss(f, grades, top):
    """Every order of the items."""
    c = (1.0 + np.arange(len(f))) ** -0.25
    ideal = dcg(grades[ideal_order(grades)], top)
    return (
        max(
            1 - dcg(grades[list(order)], top) / ideal + c @ f[list(order)]
            for order in permutations(range(len(f)))
        )
        - mean_weights(grades) @ f
    )


def assigned_loss(f, grades, top):
    """The same as a linear assignment of items to places, with its derivative."""
    n = len(f)
    c = (1.0 + np.arange(n)) ** -0.25
    discounts = np.where(np.arange(n) < top, 1 / np.log2(np.arange(n) + 2), 0)
    ideal = dcg(grades[ideal_order(grades)], top)
    value = np.outer(c, f) - np.outer(discounts, 2.0 ** (1 + grades) - 1) / ideal
    positions, items = linear_sum_assignment(value, maximize=True)
    slopes = -mean_weights(grades)
    slopes[items] += c[positions]
    return 1 + value[positions, items].sum() - mean_weights(grades) @ f, slopes


def kernel_loss(f, grades, top, n_grades=5):
    slopes = np.empty(len(f))
    loss = worst_order(f, grades, make_tables(top, n_grades, len(f)), slopes)
    return loss, slopes


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 4))
def test_loss_is_that_of_the_worst_of_all_orders(seed, n, top):
    random = np.random.default_rng(seed)
    f, grades = random.normal(size=n), random.integers(0, 5, n)
    assert kernel_loss(f, grades, top)[0] == pytest.approx(enumerated_loss(f, grades, top))


@pytest.mark.parametrize("spread", [0.01, 0.3, 3.0])
@pytest.mark.parametrize("n", [3, 10, 11, 60])
def test_loss_and_slopes_are_those_of_the_linear_assignment(n, spread):
    random = np.random.default_rng(n)
    for _ in range(20):
        grades = random.integers(0, 5, n)
        # Scores that go along with the grades, or against them, or neither.
        f = spread * (random.normal(size=n) + random.choice([-1, 0, 1]) * grades)
        loss, slopes = kernel_loss(f, grades, 10)
        expected, expected_slopes = assigned_loss(f, grades, 10)
        assert loss == pytest.approx(expected)
        np.testing.assert_allclose(slopes, expected_slopes, atol=1e-12)


def test_equal_scores_and_perfect_order():
    grades = np.array([0, 4, 4, 2])
    assert kernel_loss(np.zeros(4), grades, 3)[0] == pytest.approx(
        1 - dcg(np.sort(grades), 3) / dcg(np.sort(grades)[::-1], 3)
    )
    # Far apart in the right order: only the order within a grade is left to complain about.
    loss, slopes = kernel_loss(1000.0 * np.array([0, 2, 2, 1]), grades, 3)
    assert loss == pytest.approx(0, abs=1e-9)
    assert np.abs(slopes[[0, 3]]).max() < 1e-12


def slow_dual(products, offsets, penalty):
    n = len(offsets)
    found = minimize(
        lambda s: s @ products @ s / (2 * penalty) - offsets @ s,
        np.full(n, 1 / n),
        jac=lambda s: products @ s / penalty - offsets,
        bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda s: s.sum() - 1, "jac": lambda s: np.ones(n)},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.x, -found.fun


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_dual_is_that_of_a_general_solver(size):
    random = np.random.default_rng(size)
    slopes, offsets = random.normal(size=(size, 12)), random.normal(size=size)
    products, shares = slopes @ slopes.T, np.zeros(size)
    shares[0] = 1
    value = solve_dual(products, offsets, size, 0.7, shares)
    expected, best = slow_dual(products, offsets, 0.7)
    assert value == pytest.approx(best, abs=1e-6)
    np.testing.assert_allclose(shares, expected, atol=1e-4)


def slow_bundle(measure, at, penalty, planes):
    """Minimise penalty/2 ‖x‖² + loss(x), where measure gives loss and slope."""
    slopes, offsets, shares = [], [], np.zeros(0)
    best, smallest = at, np.inf
    for _ in range(planes):
        loss, slope = measure(at)
        if loss + penalty / 2 * at @ at < smallest:
            best, smallest = at, loss + penalty / 2 * at @ at
        slopes.append(slope)
        offsets.append(loss - slope @ at)
        matrix = np.array(slopes)
        # Another solver's last digits would lead to other orders; it is compared above.
        shares = np.append(shares, float(len(shares) == 0))
        bound = solve_dual(matrix @ matrix.T, np.array(offsets), len(offsets), penalty, shares)
        if smallest - bound <= GAP * smallest:
            break
        at = -shares @ matrix / penalty
    return best


def slow_fit(train, settings, seed):
    """Users one at a time, then all items as one long vector, with the slow loss and bundle."""
    grades = grades_of(train.values)[0]
    rows = [np.flatnonzero(train.users == u) for u in range(train.n_users)]
    shape = train.n_items, settings["factors"]
    random = generator(seed, "initial parameters")
    items = random.standard_normal(shape) / shape[1] ** 0.5
    users = random.standard_normal((train.n_users, shape[1])) / shape[1] ** 0.5

    def of_user(u, w, items):
        mine = items[train.items[rows[u]]]
        loss, slopes = assigned_loss(mine @ w, grades[rows[u]], settings["top"])
        return loss, slopes, mine

    def of_vector(u):
        def measure(w):
            loss, slopes, mine = of_user(u, w, items)
            return loss, slopes @ mine

        return measure

    def of_items(flat):
        total, out = 0.0, np.zeros(shape)
        for u in range(train.n_users):
            if len(rows[u]):
                loss, slopes, _ = of_user(u, users[u], flat.reshape(shape))
                total += loss
                np.add.at(out, train.items[rows[u]], np.outer(slopes, users[u]))
        return total, out.ravel()

    for number in range(settings["rounds"]):
        for u in range(train.n_users):
            start, penalty = users[u].copy(), settings["lambda"]
            users[u] = 0
            if len(rows[u]):
                users[u] = slow_bundle(of_vector(u), start, penalty, settings["planes"])
        if number < settings["rounds"] - 1:
            flat = slow_bundle(of_items, items.ravel(), settings["lambda"], settings["planes"])
            items = flat.reshape(shape)
    return SimpleNamespace(users=users, items=items)


# More planes lead to points at which two orders are equally bad: rounding chooses between them.
@pytest.mark.parametrize(("planes", "seed"), [(2, 4), (2, 5), (2, 6), (3, 4), (3, 6)])
def test_training_equals_the_plain_version(planes, seed):
    train = random_ratings(users=12, items=15, share=0.5)
    settings = SETTINGS | {"planes": planes}
    model = cofirank.fit(train, settings, seed, threads=1)
    plain = slow_fit(train, settings, seed)
    np.testing.assert_allclose(model.item_vectors, plain.items, atol=1e-5)
    np.testing.assert_allclose(model.user_vectors, plain.users, atol=1e-5)
    assert np.abs(plain.users[0]).max() == 0 < np.abs(plain.users[1:]).max()


def test_the_objective_falls():
    train = random_ratings(users=60, items=40, share=0.4)
    grades, n = grades_of(train.values)
    problem = Problem(train, grades, make_tables(10, n, 40), 0.5, 10, 2)
    random = np.random.default_rng(1)
    users, items = np.zeros((60, 5)), random.normal(size=(40, 5))

    def objective():
        return problem.measure(users, items)[0] + 0.25 * (np.sum(users**2) + np.sum(items**2))

    values = [objective()]
    for _ in range(3):
        problem.move_users(users, items)
        values.append(objective())
        items = problem.move_items(users, items)
        values.append(objective())
    assert np.all(np.diff(values) <= 1e-9)
    assert values[-1] < 0.8 * values[0]


def test_threads_change_no_bit():
    train = random_ratings(users=150, items=80)
    one, two = (cofirank.fit(train, SETTINGS, 1, threads) for threads in (1, 3))
    assert one.user_vectors.tobytes() == two.user_vectors.tobytes()
    assert one.item_vectors.tobytes() == two.item_vectors.tobytes()


def test_ratings_become_at_most_five_grades():
    stars = np.array([5, 1, 3, 2, 4], np.float32)
    assert grades_of(stars)[0].tolist() == [4, 0, 2, 1, 3]
    halves = np.arange(1, 11, dtype=np.float32) / 2
    grades, n = grades_of(halves)
    assert (grades.tolist(), n) == ([0, 0, 1, 1, 2, 2, 3, 3, 4, 4], 5)
    train = random_ratings()
    with pytest.raises(UserError, match="cofirank learns from ratings that differ"):
        cofirank.fit(replace(train, values=np.ones_like(train.values)), SETTINGS, 1, 1)
