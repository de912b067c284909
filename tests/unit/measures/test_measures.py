"""Measures by their properties, against other libraries, and against the papers' identities."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import discounts, measured, model_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score, roc_auc_score

from mnar.core.errors import UserError
from mnar.matrices.context import Context, head_items
from mnar.matrices.factor_model import FactorModel
from mnar.measures import UserValues, check, evaluate, higher_is_better, label, unbiased
from mnar.measures import auc as among_rated
from mnar.measures.closed_forms import expect_precision
from mnar.measures.head import find_best

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
        context = Context(
            positives[columns],
            head[columns],
            random=ratings_of(random_rated[:, columns], relevant[:, columns]),
        )
        found = evaluate(
            model_of(scores[:, columns]),
            ratings_of(held_out[:, columns], relevant[:, columns]),
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


def test_no_random_ranking_passes_the_bounds_of_steck2010():
    rng = np.random.default_rng(0)
    scores = rng.random((10_000, 20)).astype(np.float32)
    relevant = rng.random((10_000, 20)) < rng.random((10_000, 1))
    relevant[:, 0] = True
    n = relevant.sum(axis=1)
    rated = ratings_of(relevant)
    found = evaluate(model_of(scores), rated, None, ["atop", "topk(0.2)"], Context(), 1)
    atop, topk = (values.total / values.weight for values in found.values())
    assert np.all(atop <= 1 - (n - 1) / (2 * 19) + 1e-12)
    assert np.all(topk <= np.minimum(1, 4 / n) + 1e-12)


def test_auc_follows_from_atop():
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 30, (100, 40)).astype(float)
    relevant = rng.random((100, 40)) < 0.3
    relevant[:, :2] = True, False
    rated = ratings_of(relevant)
    found = evaluate(model_of(scores), rated, None, ["atop", "auc_aman"], Context(), 1)
    auc = found["auc_aman"].total / found["auc_aman"].weight
    for user in range(100):
        assert auc[user] == pytest.approx(roc_auc_score(relevant[user], scores[user]), abs=1e-12)
    # The two differ by less than the share of the relevant.
    atop = found["atop"].total / found["atop"].weight
    share = relevant.sum(axis=1) / (40 - relevant.sum(axis=1))
    assert np.all(np.abs(auc - atop) <= share)


def test_a_constant_predictor_is_perfect_on_observed_ratings_and_useless():
    # steck2010 Table 1: each half of the users rates only its own half of the items, with 5.
    own = np.kron(np.eye(2), np.ones((3, 4))) > 0
    model = replace(model_of(np.zeros((6, 8))), offset=5.0)
    rated = ratings_of(own, values=np.full(own.shape, 5))
    found = evaluate(model, rated, None, ["rmse", "atop", "topk(0)"], Context(), 1)
    assert found["rmse"].mean() == 0
    assert found["atop"].mean() == 0.5
    assert found["topk(0)"].mean() == pytest.approx(1 / 8)


def test_seen_items_are_no_candidates():
    scores = [5, 4, 3, 2, 1]
    held_out, seen = [0, 0, 1, 0, 0], [1, 1, 0, 0, 0]
    names = ["atop", "recall@1", "ndcg", "map", "auc_aman"]
    left_out = measured(scores, held_out, names, seen=seen)
    assert list(left_out.values()) == [1, 1, 1, 1, 1]
    found = measured(scores, held_out, names)
    assert list(found.values()) == pytest.approx([0.5, 0, 1 / 2, 1 / 3, 0.5])


def test_seen_items_do_not_fill_a_list_longer_than_the_candidates():
    # Two candidates, one of them in the head: half of the list, whatever its length.
    scores, held_out, seen = [5, 4, 3, 2], [0, 0, 1, 0], [1, 1, 0, 0]
    head = np.array([True, True, True, False])
    names = ["head_1", "head_2", "head_3", "head_9", "recall@9"]
    found = measured(scores, held_out, names, seen=seen, head=head)
    assert list(found.values()) == [1, 0.5, 0.5, 0.5, 1]


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


def test_auc_leaves_out_users_with_one_class():
    held_out = np.array([[1, 1, 1], [1, 1, 0], [0, 0, 0]])
    relevant = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    scores = np.array([[2.0, 3, 1], [1, 2, 3], [1, 2, 3]])
    values = evaluate(
        model_of(scores), ratings_of(held_out, relevant), None, ["auc"], Context(), threads=1
    )["auc"]
    assert (values.n_scored, values.left_out) == (1, 1)
    assert values.mean("user") == values.mean("pair") == 0.5


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


def test_stratified_recall_is_pooled():
    scores = np.tile(np.arange(4.0)[::-1], (2, 1))
    held_out = np.array([[1, 0, 0, 1], [0, 1, 1, 0]])
    positives = np.array([4, 9, 16, 25])
    names = ["recall@2(0)", "recall@2(0.5)", "recall@2"]
    for average in ("user", "pair"):
        found = measured(scores, held_out, names, average=average, positives_per_item=positives)
        assert found["recall@2(0)"] == 0.5
        weights = 1 / np.sqrt(positives)
        expected = (weights[0] + weights[1]) / weights.sum()
        assert found["recall@2(0.5)"] == pytest.approx(expected)
    assert found["recall@2"] == found["recall@2(0)"]


def test_stratified_recall_counts_items_without_positives_as_one():
    found = measured([2, 1], [1, 1], ["recall@1(1)"], positives_per_item=np.array([0, 1]))
    assert found["recall@1(1)"] == 0.5


def test_rmse_is_pooled_under_the_root(monkeypatch):
    model = FactorModel(
        np.zeros((2, 1), np.float32),
        np.zeros((3, 1), np.float32),
        np.array([0, 1, 2], np.float32),
        np.array([0, 1], np.float32),
        offset=1.0,
    )
    rated = ratings_of([[1, 1, 1], [0, 0, 1]], values=[[1, 4, 3], [0, 0, 5]])
    values = evaluate(model, rated, None, ["rmse"], Context(), 1)["rmse"]
    errors = np.array([0, 2, 0, 1])
    for average in ("user", "pair"):
        assert values.mean(average) == pytest.approx(np.sqrt(np.mean(errors**2)))
    # One user at a time gives the same as all at once.
    monkeypatch.setattr(among_rated, "_USERS", 1)
    again = evaluate(model, rated, None, ["rmse"], Context(), 1)["rmse"]
    np.testing.assert_array_equal(again.total, values.total)
    np.testing.assert_allclose(values.total, [4, 1])


def test_rmse_equals_that_of_dense_predictions():
    rng = np.random.default_rng(4)
    shape, factors = (30, 20), 7
    model = FactorModel(
        *(rng.standard_normal((n, factors)).astype(np.float32) for n in shape),
        *(rng.standard_normal(n).astype(np.float32) for n in reversed(shape)),
        offset=3.5,
    )
    rated, values = rng.random(shape) < 0.4, rng.integers(1, 6, shape)
    predicted = model.user_vectors @ model.item_vectors.T + model.item_bias + 3.5
    predicted += model.user_bias[:, np.newaxis]
    squares = np.where(rated, (predicted - values) ** 2, 0).sum(axis=1)
    found = evaluate(model, ratings_of(rated, values=values), None, ["rmse"], Context(), 2)["rmse"]
    np.testing.assert_allclose(found.total, squares, rtol=1e-5)
    np.testing.assert_array_equal(found.weight, rated.sum(axis=1))


def test_scores_of_rated_pairs_must_be_finite():
    model = model_of([[np.nan, 1]])
    for name in ("rmse", "auc"):
        with pytest.raises(UserError, match="user 0"):
            evaluate(model, ratings_of([[1, 1]]), None, [name], Context(), 1)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_bootstrap_samples_are_means_over_repeated_users(seed):
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 4, 12).astype(float)
    total = rng.random(12) * weight
    times = rng.multinomial(12, np.full(12, 1 / 12), size=5)
    for pooled in (False, True):
        for rooted in (False, True):
            for average in ("user", "pair"):
                values = UserValues(total, weight, pooled=pooled, rooted=rooted)
                found = values.mean(average, times)
                for sample, mean in zip(times, found, strict=True):
                    users = np.repeat(np.arange(12), sample)
                    drawn = replace(values, total=total[users], weight=weight[users])
                    np.testing.assert_allclose(mean, drawn.mean(average), rtol=1e-12)
                    assert values.mean(average, sample) == pytest.approx(mean, nan_ok=True)


def test_a_mean_over_nobody_is_not_a_number():
    assert np.isnan(UserValues(np.zeros(3), np.zeros(3)).mean())


def test_track2_error_counts_the_wrong_side():
    scores = np.array([[9.0, 8, 7, 6, 5, 4, 3], [9, 8, 7, 6, 5, 4, 3], [1, 1, 1, 1, 1, 1, 1]])
    held_out = np.zeros((3, 7))
    held_out[0, [0, 1, 2]] = held_out[2, [0, 1, 2]] = 1
    drawn_user, drawn_item = np.array([2, 0, 2, 0, 2, 0]), np.array([4, 4, 5, 3, 6, 5])

    def errors(scores):
        context = Context(drawn=(drawn_user, drawn_item))
        rated = ratings_of(held_out)
        return evaluate(model_of(scores), rated, None, ["track2_error"], context, 1)["track2_error"]

    values = errors(scores)
    np.testing.assert_array_equal(values.weight, [1, 0, 1])
    np.testing.assert_allclose(values.total, [0, 0, 0.5])
    np.testing.assert_allclose(errors(-scores).total, [1, 0, 0.5])
    # Items 3 and 0 change sides.
    swapped = scores.copy()
    swapped[0, [0, 3]] = scores[0, [3, 0]] - [10, 0]
    assert errors(swapped).total[0] == pytest.approx(1 / 3)


def test_track2_error_wants_three_of_each():
    context = Context(drawn=(np.array([0, 0]), np.array([3, 4])))
    with pytest.raises(UserError, match="track2"):
        evaluate(
            model_of(np.zeros((1, 5))), ratings_of([[1, 1, 1, 0, 0]]), None, ["track2_error"],
            context, 1,
        )  # fmt: skip


@pytest.mark.parametrize("name", ["recall@5(0.5)", "head_10", "track2_error", "auc_rand"])
def test_a_measure_that_lacks_what_it_needs_says_so(name):
    with pytest.raises(UserError, match="needs"):
        measured([2, 1], [1, 0], [name])


def test_ratings_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="1 users × 2 items"):
        evaluate(model_of([[1, 2]]), ratings_of([[1, 0, 0]]), None, ["atop"], Context(), 1)


def test_auc_rand_is_auc_on_other_ratings():
    rng = np.random.default_rng(2)
    scores = rng.random((5, 9))
    relevant = rng.random((5, 9)) < 0.5
    random_rated = ratings_of(rng.random((5, 9)) < 0.7, relevant)
    model = model_of(scores)
    held_out = ratings_of(np.eye(5, 9))
    found = evaluate(model, held_out, None, ["auc_rand"], Context(random=random_rated), 1)
    direct = evaluate(model, random_rated, None, ["auc"], Context(), 1)
    np.testing.assert_array_equal(found["auc_rand"].total, direct["auc"].total)


def test_any_number_of_threads_gives_the_same_values():
    rng = np.random.default_rng(3)
    n_users, n_items = 400, 150
    model = FactorModel.without_biases(
        rng.standard_normal((n_users, 8)), rng.standard_normal((n_items, 8))
    )
    held_out, seen = (rng.random((n_users, n_items)) < share for share in (0.05, 0.1))
    rated = ratings_of(held_out, rng.random((n_users, n_items)) < 0.5)
    context = Context(rng.integers(1, 50, n_items), head_items(rng.integers(1, 50, n_items)))
    names = [*RANKING, "auc", "rmse", "head_5", "head_20", "recall@5(0.5)", "sampled_topk(0.1,20)"]
    one, two = (
        evaluate(model, rated, ratings_of(seen & ~held_out), names, context, threads)
        for threads in (1, 2)
    )
    assert list(one) == names
    for name in names:
        np.testing.assert_array_equal(one[name].total, two[name].total)
        np.testing.assert_array_equal(one[name].weight, two[name].weight)


@pytest.mark.parametrize("users", [1, 7, 40])
def test_users_some_at_a_time_have_the_same_values(monkeypatch, users):
    rng = np.random.default_rng(13)
    scores = rng.integers(0, 9, (37, 25)).astype(float)
    held_out = rng.random((37, 25)) < 0.2
    # Somebody without a held-out item, and somebody to whom no other item is left.
    held_out[5], held_out[36] = False, True
    context = Context(rng.integers(0, 5, 25))
    names = [*RANKING, "recall@3(0.5)", "sampled_topk(0.2,5)"]
    whole = evaluate(model_of(scores), ratings_of(held_out), None, names, context, 1)
    monkeypatch.setattr("mnar.measures.by_user._USERS", users)
    for asked in (names, names[:-1]):
        parts = evaluate(model_of(scores), ratings_of(held_out), None, asked, context, 2)
        for name in asked:
            np.testing.assert_array_equal(parts[name].total, whole[name].total)
            np.testing.assert_array_equal(parts[name].weight, whole[name].weight)
            assert parts[name].left_out == whole[name].left_out
            assert parts[name].pooled == whole[name].pooled


def test_sampled_topk_is_hypergeometric():
    from scipy.stats import hypergeom

    n_items, sample, share = 3000, 1001, 0.02
    scores = np.arange(n_items)[::-1].astype(float)
    places = np.array([0, 1, 10, 40, 60, 61, 100, 500, 2999])
    held_out = np.zeros((len(places), n_items))
    held_out[np.arange(len(places)), places] = 1
    model = FactorModel(
        np.zeros((len(places), 0), np.float32),
        np.zeros((n_items, 0), np.float32),
        scores.astype(np.float32),
        np.zeros(len(places), np.float32),
    )
    name = f"sampled_topk({share},{sample})"
    found = evaluate(model, ratings_of(held_out), None, [name], Context(), 1)[name]
    expected = hypergeom.cdf(int(share * (sample - 1)), n_items - 1, places, sample - 1)
    np.testing.assert_allclose(found.total, expected, atol=1e-11)


def test_a_sample_of_all_candidates_is_exact():
    rng = np.random.default_rng(4)
    scores = rng.integers(0, 6, (30, 12)).astype(float)
    relevant = rng.random((30, 12)) < 0.3
    exact = measured(scores, relevant, ["topk(0.3)", "atop"])
    for sample in (12, 1001):
        names = [f"sampled_topk(0.3,{sample})", f"sampled_atop({sample})"]
        found = measured(scores, relevant, names)
        assert list(found.values()) == pytest.approx(list(exact.values()), abs=1e-12)


def test_shares_that_just_miss_a_whole_number_are_rounded_up():
    # 0.29·100 is 28.999999999999996 in floating point, yet means the top 30 of 101.
    scores = np.arange(101.0)[::-1]
    relevant = np.arange(101) == 29
    assert measured(scores, relevant, ["topk(0.29)"])["topk(0.29)"] == 1
    assert measured(scores, relevant, ["topk(0.28)"])["topk(0.28)"] == 0


def slow_precision(above, tied, relevant_above, relevant_tied):
    """Mean over the places of the item of the precision expected there."""
    place = np.arange(tied)
    slope = (relevant_tied - 1) / (tied - 1) if tied > 1 else 0
    return np.mean((1 + relevant_above + place * slope) / (above + place + 1))


@pytest.mark.parametrize("above", [0, 5, 100_000, 500_000])
@pytest.mark.parametrize("tied", [1, 2, 3, 64, 65, 1000])
def test_expected_precision_equals_the_sum_over_places(above, tied):
    # Twice the same group, and others between: what is kept from the last must not be stale.
    relevant = min(above, 7), min(tied, 5)
    groups = [(above, tied), (above, tied), (above + 90, tied), (above, tied), (above, tied + 1)]
    pairs = np.array([(*group, *relevant) for group in groups], np.int32)
    found = expect_precision(*pairs.T.copy())
    np.testing.assert_allclose(found, [slow_precision(*pair) for pair in pairs], rtol=1e-11)


def test_head_shares_equal_the_sum_over_head_items():
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 12, (20, 60)).astype(float)
    seen = rng.random((20, 60)) < 0.2
    head = rng.random(60) < 0.2
    names = {size: f"head_{size}" for size in (1, 7, 20, 60)}
    found = evaluate(
        model_of(scores),
        ratings_of(np.eye(20, 60)),
        ratings_of(seen),
        list(names.values()),
        Context(head=head),
        threads=1,
    )
    for user in range(20):
        own = scores[user, ~seen[user]]
        of_head = scores[user, head & ~seen[user]]
        for size, name in names.items():
            above, tied = np.sum(own > of_head[:, None], 1), np.sum(own == of_head[:, None], 1)
            expected = np.clip((size - above) / tied, 0, 1).sum() / min(size, len(own))
            assert found[name].total[user] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 9, 40])
def test_the_best_scores_are_found_in_order(size):
    scores = np.random.default_rng(size).integers(0, 9, 30).astype(np.float32)
    best = np.empty(size, np.float32)
    for given_order in (scores, np.sort(scores), np.sort(scores)[::-1].copy()):
        find_best(given_order, best)
        expected = np.append(np.sort(scores)[::-1], np.full(10, -np.inf))[:size]
        np.testing.assert_array_equal(best, expected)


def test_the_head_is_the_most_rated_share():
    counts = np.array([3, 9, 9, 1, 9, 2, 0, 0, 0, 0])
    np.testing.assert_array_equal(np.flatnonzero(head_items(counts, 0.2)), [1, 2])
    assert head_items(np.arange(1000)).sum() == 47
    assert np.flatnonzero(head_items(np.arange(1000)))[0] == 953


KNOWN = {
    "atop": "ATOP",
    "topk(0.02)": "TOPK(0.02)",
    "topk(0)": "TOPK(0)",
    "auc": "AUC",
    "auc_aman": "AUC-AMAN",
    "auc_rand": "AUC-rand",
    "adg": "ADG",
    "ndcg": "NDCG",
    "map": "MAP",
    "recall@10": "Recall@10",
    "recall@10(0.5)": "Recall@10, β = 0.5",
    "recall@10(0)": "Recall@10, β = 0",
    "head_10": "Head items in top 10",
    "rmse": "RMSE",
    "track2_error": "Track 2 error",
    "sampled_topk(0.002,1001)": "TOPK(0.002), Ñ = 1001",
    "sampled_atop(101)": "ATOP, Ñ = 101",
}


def test_known_names_have_labels():
    for name, shown in KNOWN.items():
        check(name)
        assert label(name) == shown


@pytest.mark.parametrize(
    "name",
    ["", "ATOP", "atop ", "topk", "topk(1.5)", "topk(-1)", "topk(nan)", "recall@0", "recall@2.5",
     "recall@10(-1)", "head_0", "sampled_topk(0.02)", "sampled_topk(0.02,1)", "precision@10"],
)  # fmt: skip
def test_unknown_names_are_refused_with_what_is_known(name):
    with pytest.raises(UserError) as error:
        check(name)
    message = str(error.value)
    assert repr(name) in message
    assert "recall@<k>(<beta>)" in message
    assert ". " not in message


def test_errors_are_better_when_lower():
    assert {name for name in KNOWN if not higher_is_better(name)} == {"rmse", "track2_error"}


def test_unbiased_are_means_over_items_of_a_function_of_the_rank():
    families = {name.partition("(")[0].partition("@")[0] for name in KNOWN if unbiased(name)}
    assert families == {"atop", "adg", "recall", "topk", "sampled_topk", "sampled_atop"}
    assert not unbiased("recall@10(0.5)")


def test_checking_a_name_does_not_load_the_compiler():
    program = (
        "import mnar.measures, sys; mnar.measures.check('atop'); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
