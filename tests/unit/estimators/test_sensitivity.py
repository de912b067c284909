"""Γ against linear programming, and against weights that reach the flip."""

import numpy as np
import pytest
from scipy.optimize import linprog

from mnar.core.errors import UserError
from mnar.estimators import take_home
from mnar.estimators.sensitivity import flip, flips, interval, needed_gamma


def case(seed, n=12):
    random = np.random.default_rng(seed)
    return np.round(random.normal(0.1, 0.5, n), 1), random.random(n) + 0.1


def highest_by_programming(differences, weights, gamma):
    """max Σ w z d / Σ w z over 1/Γ ≤ z ≤ Γ, made linear by Charnes and Cooper: y = t·z, Σ w y = 1."""
    n = len(differences)
    bounds = np.vstack(
        [
            np.hstack([np.eye(n), -gamma * np.ones((n, 1))]),
            np.hstack([-np.eye(n), np.ones((n, 1)) / gamma]),
        ]
    )
    found = linprog(
        np.append(-weights * differences, 0),
        A_ub=bounds,
        b_ub=np.zeros(2 * n),
        A_eq=[np.append(weights, 0)],
        b_eq=[1],
        bounds=[(0, None)] * (n + 1),
    )
    return -found.fun


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [1, 1.3, 2.5, 10])
def test_interval_is_exact(seed, gamma):
    differences, weights = case(seed)
    low, high = interval(differences, weights, gamma)
    assert high == pytest.approx(highest_by_programming(differences, weights, gamma), abs=1e-7)
    assert low == pytest.approx(-highest_by_programming(-differences, weights, gamma), abs=1e-7)
    assert low - 1e-12 <= (weights * differences).sum() / weights.sum() <= high + 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_flip_is_where_the_interval_reaches_zero(seed):
    differences, weights = case(seed)
    found = flip(differences, weights)
    sign = 1 if found.leader == "first" else -1
    below, above = found.gamma - 1e-6, found.gamma + 1e-6
    assert min(sign * np.array(interval(differences, weights, max(below, 1)))) > 0
    assert min(sign * np.array(interval(differences, weights, above))) < 0
    assert found.lead == pytest.approx(sign * (weights * differences).sum() / weights.sum())


def test_no_difference_against_the_leader():
    found = flip(np.array([0.0, 0.2, 0.1]), np.ones(3))
    assert found.gamma == np.inf
    assert "whatever the weights" in found.sentence("A", "B")


def test_level_systems():
    assert flip(np.array([0.5, -0.5]), np.ones(2)).leader == ""


def test_sentence_names_the_leader_and_the_factor():
    found = flip(np.array([-4.0, 1.0]), np.ones(2))
    assert found.gamma == pytest.approx(2)
    text = found.sentence("A", "B")
    assert text.startswith("B stays ahead of A unless liked items differ by more than 4.00 times")
    assert text.endswith("in their chance of being rated, beyond popularity (Γ = 2.00).")


def test_sentence_says_what_weights_know_and_what_chance_may_do():
    def text(name, low=0.01, high=0.03):
        return take_home.sentence(name, "A", "B", 0.02, 1.5, low, high)

    assert text("adg~snips(popularity)").endswith("being rated, beyond popularity (Γ = 1.50).")
    assert "2.25 times in their chance of being rated (Γ" in text("recall@10")
    assert "unless pairs of a liked and another item differ" in text("auc")
    assert "cannot be told apart" in text("adg", low=-0.01)
    # Without a bootstrap nothing is said of chance.
    assert "A stays ahead of B" in text("adg", np.nan, np.nan)
    behind = take_home.sentence("adg", "A", "B", -0.02, 1.5, -0.03, -0.01)
    assert "B stays ahead of A" in behind


def test_suggestions_are_about_the_weights_that_were_taken():
    assert take_home.suggestions(["auc", "adg~snips(logistic)", "adg~wtd(popularity)"]) == []
    assert take_home.suggestions(["adg~snips(popularity, gamma=0.5)"]) == []
    [equal] = take_home.suggestions(["adg", "atop~snips(naive-bayes)"])
    assert "around equal weights: 2.20 (Coat) to 2.97 (CM100k), which is 4.8 to 8.8 times" in equal
    [popular] = take_home.suggestions(["recall@10(1)", "adg~snips(popularity)"])
    assert "around popularity: 1.36 (CM100k) to 2.12 (Yahoo! Music)" in popular


def test_needed_gamma_covers_the_true_weights():
    random = np.random.default_rng(1)
    true, taken = random.random(50) + 0.1, random.random(50) + 0.1
    gamma = needed_gamma(true, taken)
    off = taken / true
    common = np.sqrt(off.max() * off.min())
    assert (off / common).max() == pytest.approx(gamma)
    assert (off / common).min() == pytest.approx(1 / gamma)
    assert needed_gamma(true, 3 * true) == pytest.approx(1)
    assert needed_gamma(true, taken, 0.9) < gamma
    # Off by up to e either way, evenly on a logarithmic scale.
    even = np.exp(np.linspace(-1, 1, 2001))
    assert needed_gamma(np.ones(2001), even, 0.9) == pytest.approx(np.exp(0.9))


def test_gamma_below_one_is_refused():
    with pytest.raises(UserError, match="at least 1"):
        interval(np.ones(2), np.ones(2), 0.5)


def test_all_pairs_at_once():
    random = np.random.default_rng(5)
    gains, weights = np.round(random.random((5, 20)), 1), random.random(20)
    gains[3] = gains[1]
    leaders, gammas = flips(gains, weights)
    pair = 0
    for i in range(5):
        for j in range(i):
            found = flip(gains[i] - gains[j], weights)
            assert leaders[pair] == {"first": 1, "second": -1, "": 0}[found.leader]
            assert gammas[pair] == pytest.approx(found.gamma)
            pair += 1
    assert 0 in leaders
