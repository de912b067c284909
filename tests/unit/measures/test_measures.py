"""Measures together: what holds for many of them, and what evaluate does."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import discounts, measured, model_of, weigh_by, whole_number_model
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score, roc_auc_score

from mnar.core.errors import UserError
from mnar.matrices.context import Context, head_items
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import ScoreMatrix
from mnar.measures import evaluate

RANKING = ["atop", "topk(0.2)", "auc_aman", "adg", "ndcg", "map", "recall@3"]


@st.composite
def rankings(draw):
    """Scores without ties, and a mask of relevant items that is neither empty nor full."""
    n_items = draw(st.integers(2, 12))
    scores = np.array(draw(st.permutations(range(n_items))), float)
    n_relevant = draw(st.integers(1, n_items - 1))
    relevant = np.zeros(n_items, bool)
    relevant[draw(st.permutations(range(n_items)))[:n_relevant]] = True
    return scores, relevant


@settings(max_examples=40, deadline=None)
@given(rankings())
def test_a_perfect_ranking_reaches_the_upper_bounds(ranking):
    scores, relevant = ranking
    best = scores + 100 * relevant
    n, size = relevant.sum(), len(scores)
    found = measured(best, relevant, RANKING)
    top = int(0.2 * (size - 1) + 1e-9) + 1
    # steck2010 section 2.1: the most that ATOP and TOPK can reach.
    assert found["atop"] == pytest.approx(1 - (n - 1) / (2 * (size - 1)), abs=1e-12)
    assert found["topk(0.2)"] == pytest.approx(min(1, top / n), abs=1e-12)
    assert found["recall@3"] == pytest.approx(min(1, 3 / n), abs=1e-12)
    assert found["adg"] == pytest.approx(discounts(n).mean(), abs=1e-12)
    for name in ("ndcg", "map", "auc_aman"):
        assert found[name] == pytest.approx(1, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(rankings())
def test_a_reversed_ranking_reaches_the_lower_bounds(ranking):
    scores, relevant = ranking
    worst = scores - 100 * relevant
    n, size = relevant.sum(), len(scores)
    ranks = np.arange(size - n, size)
    found = measured(worst, relevant, RANKING)
    assert found["atop"] == pytest.approx((n - 1) / (2 * (size - 1)), abs=1e-12)
    assert found["auc_aman"] == pytest.approx(0, abs=1e-12)
    assert found["recall@3"] == pytest.approx((ranks < 3).mean(), abs=1e-12)
    assert found["adg"] == pytest.approx((1 / np.log2(ranks + 2)).mean(), abs=1e-12)
    assert found["map"] == pytest.approx((np.arange(1, n + 1) / (ranks + 1)).mean(), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(rankings())
def test_strict_definitions_without_ties(ranking):
    scores, relevant = ranking
    n, size = relevant.sum(), len(scores)
    order = np.argsort(-scores)
    ranks = np.flatnonzero(relevant[order])
    found = measured(scores, relevant, RANKING)
    assert found["atop"] == pytest.approx(np.mean((size - 1 - ranks) / (size - 1)))
    assert found["recall@3"] == pytest.approx(np.mean(ranks < 3))
    assert found["map"] == pytest.approx(np.mean(np.arange(1, n + 1) / (ranks + 1)))
    assert found["auc_aman"] == pytest.approx(roc_auc_score(relevant, scores))
    # lim2015: 1 − ADG is the mean of C(rank), and NDCG is ADG·n/IDCG(n).
    assert 1 - found["adg"] == pytest.approx(np.mean(1 - 1 / np.log2(ranks + 2)), abs=1e-12)
    ideal = discounts(n).sum()
    assert found["ndcg"] == pytest.approx(found["adg"] * n / ideal, abs=1e-12)
    # steck2010 section 2.1: precision in the top k is recall·n/k.
    precision = relevant[order[:3]].sum() / 3
    assert precision == pytest.approx(found["recall@3"] * n / 3, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    levels=st.lists(st.integers(0, 3), min_size=2, max_size=15),
    seed=st.integers(0, 1000),
)
def test_other_libraries_agree_with_ties(levels, seed):
    relevant = np.random.default_rng(seed).random(len(levels)) < 0.5
    relevant[:2] = True, False
    found = measured(levels, relevant, ["ndcg", "auc_aman"])
    assert found["ndcg"] == pytest.approx(ndcg_score([relevant], [levels]), abs=1e-12)
    assert found["auc_aman"] == pytest.approx(roc_auc_score(relevant, levels), abs=1e-12)
    # AUC of held-out ratings, where every item is rated, is the same thing.
    rated = measured(levels, np.ones(len(levels)), ["auc"], relevant=[relevant])
    assert rated["auc"] == pytest.approx(roc_auc_score(relevant, levels), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(rankings(), st.integers(0, 5), st.integers(1, 15))
def test_a_constant_score_is_worth_as_much_as_chance(ranking, n_seen, k):
    scores, relevant = ranking
    unseen = np.flatnonzero(~relevant)
    seen = np.zeros(len(scores), bool)
    seen[unseen[1 : 1 + n_seen]] = True
    size = (~seen).sum()
    head = np.zeros(len(scores), bool)
    head[::2] = True
    share = (head & ~seen).sum() / size
    names = ["atop", "auc_aman", "adg", f"recall@{k}", "topk(0.2)", f"head_{k}"]
    found = measured(np.ones(len(scores)), relevant, names, seen=seen, head=head)
    top = int(0.2 * (size - 1) + 1e-9) + 1
    expected = [0.5, 0.5, discounts(size).mean(), min(1, k / size), top / size, share]
    assert list(found.values()) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_names_of_items_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 5, (4, 11)).astype(float)
    held_out, relevant, seen = rng.random((3, 4, 11)) < [[[0.6]], [[0.5]], [[0.3]]]
    seen &= ~held_out
    positives = rng.integers(1, 9, 11)
    head = rng.random(11) < 0.3
    random_rated = rng.random((4, 11)) < 0.5
    names = [*RANKING, "auc", "auc_rand", "rmse", "head_3", "recall@3(0.5)", "sampled_topk(0.2,5)"]
    renamed = rng.permutation(11)
    results = []
    for columns in (np.arange(11), renamed):
        rated = ratings_of(held_out[:, columns], relevant[:, columns])
        context = Context(
            weigh_by(positives[columns], rated),
            head[columns],
            random=ratings_of(random_rated[:, columns], relevant[:, columns]),
        )
        found = evaluate(
            model_of(scores[:, columns]),
            rated,
            ratings_of(seen[:, columns]),
            names,
            context,
            threads=1,
        )
        results.append(found)
    for name in names:
        one, other = (found[name] for found in results)
        np.testing.assert_allclose(one.total, other.total, atol=1e-12)
        np.testing.assert_allclose(one.weight, other.weight, atol=1e-12)


def test_seen_items_are_no_candidates():
    scores = [5, 4, 3, 2, 1]
    held_out, seen = [0, 0, 1, 0, 0], [1, 1, 0, 0, 0]
    names = ["atop", "recall@1", "ndcg", "map", "auc_aman"]
    left_out = measured(scores, held_out, names, seen=seen)
    assert list(left_out.values()) == [1, 1, 1, 1, 1]
    found = measured(scores, held_out, names)
    assert list(found.values()) == pytest.approx([0.5, 0, 1 / 2, 1 / 3, 0.5])


def test_users_without_a_value_are_left_out_and_counted():
    # User 0 has one candidate, user 1 relevant candidates alone, user 2 both, user 3 nothing.
    held_out = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    seen = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0]])
    scores = np.tile([3.0, 2, 1], (4, 1))
    names = ["atop", "auc_aman", "recall@1", "ndcg", "head_1"]
    context = Context(head=np.array([True, False, False]))
    found = evaluate(
        model_of(scores), ratings_of(held_out), ratings_of(seen), names, context, threads=1
    )
    scored = {name: (values.n_scored, values.left_out) for name, values in found.items()}
    assert scored == {
        "atop": (2, 1),
        "auc_aman": (1, 2),
        "recall@1": (3, 0),
        "ndcg": (3, 0),
        "head_1": (3, 0),
    }
    assert found["atop"].mean("user") == pytest.approx((0.5 + 1) / 2)


def test_a_catalogue_of_one_item():
    found = measured([[3.0]], [[1]], ["recall@1", "topk(0)", "adg", "ndcg", "map", "atop"])
    assert list(found.values())[:5] == [1, 1, 1, 1, 1]
    assert np.isnan(found["atop"])


def test_pairs_weigh_users_by_their_relevant_items():
    scores = np.tile(np.arange(5.0)[::-1], (2, 1))
    held_out = np.array([[1, 0, 0, 0, 0], [0, 0, 1, 1, 1]])
    by_user = measured(scores, held_out, RANKING, average="user")
    by_pair = measured(scores, held_out, RANKING, average="pair")
    each = [measured(scores[[user]], held_out[[user]], RANKING) for user in range(2)]
    for name in RANKING:
        first, second = (values[name] for values in each)
        assert by_user[name] == pytest.approx((first + second) / 2)
        assert by_pair[name] == pytest.approx((first + 3 * second) / 4)


def test_scores_of_rated_pairs_must_be_finite():
    model = model_of([[np.nan, 1]])
    for name in ("rmse", "auc"):
        with pytest.raises(UserError, match="user 0"):
            evaluate(model, ratings_of([[1, 1]]), None, [name], Context(), 1)


@pytest.mark.parametrize("name", ["recall@5(0.5)", "head_10", "track2_error", "auc_rand"])
def test_a_measure_that_lacks_what_it_needs_says_so(name):
    with pytest.raises(UserError, match="needs"):
        measured([2, 1], [1, 0], [name])


def test_ratings_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="1 users × 2 items"):
        evaluate(model_of([[1, 2]]), ratings_of([[1, 0, 0]]), None, ["atop"], Context(), 1)


def test_any_number_of_threads_gives_the_same_values():
    rng = np.random.default_rng(3)
    n_users, n_items = 400, 150
    model = FactorModel.without_biases(
        rng.standard_normal((n_users, 8)), rng.standard_normal((n_items, 8))
    )
    held_out, seen = (rng.random((n_users, n_items)) < share for share in (0.05, 0.1))
    rated = ratings_of(held_out, rng.random((n_users, n_items)) < 0.5)
    context = Context(
        weigh_by(rng.integers(1, 50, n_items), rated), head_items(rng.integers(1, 50, n_items))
    )
    names = [*RANKING, "auc", "rmse", "head_5", "head_20", "recall@5(0.5)", "sampled_topk(0.1,20)"]
    one, two = (
        evaluate(model, rated, ratings_of(seen & ~held_out), names, context, threads)
        for threads in (1, 2)
    )
    assert list(one) == names
    for name in names:
        np.testing.assert_array_equal(one[name].total, two[name].total)
        np.testing.assert_array_equal(one[name].weight, two[name].weight)


def test_a_constant_predictor_is_perfect_on_observed_ratings_and_useless():
    # steck2010 Table 1: each half of the users rates only its own half of the items, with 5.
    own = np.kron(np.eye(2), np.ones((3, 4))) > 0
    model = replace(model_of(np.zeros((6, 8))), offset=5.0)
    rated = ratings_of(own, values=np.full(own.shape, 5))
    found = evaluate(model, rated, None, ["rmse", "atop", "topk(0)"], Context(), 1)
    assert found["rmse"].mean() == 0
    assert found["atop"].mean() == 0.5
    assert found["topk(0)"].mean() == pytest.approx(1 / 8)


ALL = [
    *RANKING, "auc", "auc_rand", "rmse", "head_3", "head_10", "recall@3(0.5)", "sampled_topk(0.2,5)",
]  # fmt: skip


class Wrapped(ScoreMatrix):
    """A factor model that hides what it is."""

    def __init__(self, model):
        everybody = np.arange(model.n_users)
        super().__init__(model.scores(everybody))
        object.__setattr__(self, "predict", model.predict)


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "random"])
@pytest.mark.parametrize("candidates", ["unseen", "all"])
def test_a_factor_model_has_the_values_of_its_dense_scores(whole, candidates):
    rng = np.random.default_rng(17)
    n_users, n_items = 300, 160
    if whole:
        model = whole_number_model(rng, n_users, n_items)
    else:
        model = FactorModel(
            *(rng.standard_normal((n, 9)).astype(np.float32) for n in (n_users, n_items)),
            *(rng.standard_normal(n).astype(np.float32) for n in (n_items, n_users)),
            offset=3.0,
        )
    held_out, random, seen = (rng.random((n_users, n_items)) < share for share in (0.1, 0.1, 0.3))
    stars = rng.integers(1, 6, (n_users, n_items))
    rated = ratings_of(held_out, stars >= 3, stars)
    context = Context(
        weigh_by(rng.integers(0, 30, n_items), rated),
        rng.random(n_items) < 0.2,
        random=ratings_of(random, stars >= 3),
    )
    left_out = ratings_of(seen & ~held_out) if candidates == "unseen" else None
    expected = evaluate(model, rated, left_out, ALL, context, 2)
    found = evaluate(Wrapped(model), rated, left_out, ALL, context, 2)
    for name in ALL:
        # Whole numbers are scored without rounding.
        allowed = 0 if whole else 1e-6
        assert abs(found[name].mean() - expected[name].mean()) <= allowed, name
        assert found[name].left_out == expected[name].left_out
        if whole:
            np.testing.assert_array_equal(found[name].total, expected[name].total)
            np.testing.assert_array_equal(found[name].weight, expected[name].weight)
