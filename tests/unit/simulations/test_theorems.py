"""The simulations behind the theorems: against plain versions, and against planted mistakes."""

from itertools import combinations

import numpy as np
import pytest

from mnar import measures
from mnar.data import synthetic
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.measures import UserValues
from mnar.simulations.theorems import (
    bias,
    broken,
    holdout,
    irrelevant,
    ndcg_factor,
    random_auc,
    unseen,
)
from mnar.simulations.theorems._ground_truth import GroundTruth, complete_data
from mnar.simulations.theorems._observing import LINEAR, MEASURES, RankedItems, ideal_gain
from mnar.simulations.theorems.holdout import MEASURES as HELD_OUT
from mnar.simulations.theorems.unseen import CORRECTED
from mnar.statistics.bootstrap import SAMPLES, user_samples
from mnar.statistics.paired import Paired, simultaneous_interval

RANKING = {
    "method": "mf-auc",
    "settings": {"factors": 3, "iterations": 5000, "lambda": 0.1, "rate": 0.05},
}


def some_data(levels, users=6, items=12, share=0.4, seed=1):
    """A model whose scores take this number of values, and ratings of 1 to 5, 4 and 5 relevant."""
    random = np.random.default_rng(seed)
    scores = random.integers(levels, size=(users, items)).astype(np.float32)
    model = FactorModel.without_biases(scores, np.eye(items, dtype=np.float32))
    values = random.integers(1, 6, (users, items)).astype(np.float32)
    values[:, 0], values[:, 1] = 5, 1
    values[random.random((users, items)) > 2 * share] = 2
    user, item = (index.ravel() for index in np.indices((users, items)))
    ratings = Ratings.from_triplets(user, item, values.ravel(), values.ravel() >= 4, (users, items))
    popularity = random.uniform(0.1, 1, items)
    return GroundTruth(model, ratings, popularity, True)


def ranked_of(data):
    return RankedItems.of(data.model, data.ratings)


@pytest.fixture(scope="module")
def generated():
    made = synthetic.generate(synthetic.Settings(users=120, items=60, ratings_per_user=15, seed=3))

    def entries(user, item, rating):
        return Entries(user, item, rating.astype(np.float32), rating >= 4, np.zeros(len(user), int))

    view = View(
        np.arange(120),
        np.arange(60),
        entries(made.user, made.item, made.rating),
        entries(made.random_user, made.random_item, made.random_rating),
        np.empty((60, 0), np.int32),
        {"relevant_from": 4.0},
    )
    return view, made.truth


@pytest.mark.parametrize("levels", [1, 3, 1000])
def test_observed_measures_are_those_of_the_observed_ratings(levels):
    data = some_data(levels)
    ranked = ranked_of(data)
    sizes = ranked.observed_sizes([0.3, 0.7, 1.0])
    positions = ranked.at_random(np.random.default_rng(2))
    found = ranked.observe(positions, sizes)
    for column in range(sizes.shape[1]):
        keep = np.zeros(len(data.ratings.items), np.bool_)
        keep[ranked.entry] = positions < sizes[np.searchsorted(np.arange(6), ranked.user), column]
        observed = data.ratings.select(keep)
        plain = measures.evaluate(data.model, observed, None, MEASURES, Context(), 1)
        for position, name in enumerate(MEASURES):
            values = plain[name].total / plain[name].weight
            np.testing.assert_allclose(found[:, column, position], values, atol=1e-12)


@pytest.mark.parametrize("levels", [2, 1000])
def test_expected_values_are_means_over_all_subsets(levels):
    data = some_data(levels, users=1, items=14)
    ranked = ranked_of(data)
    count = ranked.sizes[0]
    assert count >= 4
    for size in range(1, count + 1):
        found = []
        for chosen in combinations(range(count), size):
            positions = np.full(count, count, np.int32)
            positions[list(chosen)] = 0
            found.append(ranked.observe(positions, np.array([[size]]))[0, 0])
        expected = ranked.expected(np.array([[size]]))[0, 0]
        np.testing.assert_allclose(expected, np.mean(found, axis=0), atol=1e-12)
        np.testing.assert_allclose(
            expected[: len(LINEAR)], ranked.complete[0, : len(LINEAR)], atol=1e-12
        )


def test_each_order_of_observation_is_as_likely():
    ranked = ranked_of(some_data(1000, users=1, items=9))
    random = np.random.default_rng(4)
    orders = np.array([ranked.at_random(random) for _ in range(4000)])
    count = ranked.sizes[0]
    assert (np.sort(orders, axis=1) == np.arange(count)).all()
    first = np.bincount(np.argmin(orders, axis=1), minlength=count) / 4000
    last = np.bincount(np.argmax(orders, axis=1), minlength=count) / 4000
    for shares in (first, last):
        assert np.abs(shares - 1 / count).max() < 5 * np.sqrt(1 / count / 4000)


def test_weights_are_the_odds_of_the_first_item():
    ranked = ranked_of(some_data(1000, users=1, items=9))
    random = np.random.default_rng(5)
    weights = np.arange(1.0, ranked.sizes[0] + 1)
    size = np.array([1])
    drawn = np.array([ranked.by_weight(random, weights, size) == 0 for _ in range(6000)])
    assert (drawn.sum(axis=1) == 1).all()
    odds = weights / weights.sum()
    assert np.abs(drawn.mean(axis=0) - odds).max() < 5 * np.sqrt(0.25 / 6000)


def test_nobody_observes_nothing():
    ranked = ranked_of(some_data(1000))
    assert (ranked.observed_sizes([0.001])[:, 0] == 1).all()
    assert (ranked.observed_sizes([1.0])[:, 0] == ranked.sizes).all()


class NdcgCalledAdg(RankedItems):
    def _with_others(self, means, sizes):
        values = super()._with_others(means, sizes)
        values[:, :, MEASURES.index("adg")] = values[:, :, MEASURES.index("ndcg")]
        return values


class RecallByTheSmallerOfKAndN(RankedItems):
    def _with_others(self, means, sizes):
        values = super()._with_others(means, sizes)
        values[:, :, MEASURES.index("recall@10")] *= sizes / np.minimum(10, sizes)
        return values


@pytest.mark.parametrize(
    ("kind", "caught"),
    [(RankedItems, None), (NdcgCalledAdg, "adg"), (RecallByTheSmallerOfKAndN, "recall@10")],
)
def test_a_planted_wrong_measure_is_caught(kind, caught):
    data = some_data(1000, users=60, items=80)
    ranked = kind.of(data.model, data.ratings)
    simulation = bias.simulate(ranked, [0.2, 0.5, 0.8, 1.0], 12_000, seed=1)
    rows = list(bias.bias_rows(simulation))
    beyond = {row["measure"] for row in rows if abs(row["z"]) > row["bound"]}
    assert beyond - {"auc_aman"} == {"ndcg", "map"} | ({caught} if caught else set())
    for row in rows:
        if row["share"] == 1:
            assert abs(row["bias"]) < 1e-12


def test_all_measures_are_where_they_are_expected():
    data = some_data(1000, users=60, items=80)
    simulation = bias.simulate(ranked_of(data), [0.1, 0.4, 0.9], 100_000, seed=2)
    rows = list(bias.bias_rows(simulation))
    assert all(abs(row["z_expected"]) < row["bound"] for row in rows)
    assert {row["measure"] for row in rows} == set(MEASURES)
    errors = [row["error"] for row in ndcg_factor.factor_rows(simulation)]
    assert np.abs(errors).max() < 0.01


def test_rounding_is_no_bias_and_a_sure_difference_is():
    alike = np.full(10, 0.1) + np.arange(10) * 1e-17
    assert bias.standard_errors(alike, 0.1 + 1e-16)[2] == 0
    assert bias.standard_errors(np.full(10, 0.25), 0.5)[2] == -np.inf


def test_factor_of_theorem_2():
    ideal = ideal_gain(50)
    np.testing.assert_allclose(ideal[:4], [0, 1, 1 + 1 / np.log2(3), 1.5 + 1 / np.log2(3)])
    observed = np.arange(1, 41)
    factor = ndcg_factor.ndcg_factor(np.full(40, 40), observed, ideal)
    assert (np.diff(factor) > 0).all()
    assert factor[-1] == 1


def test_bound_is_that_of_student_and_bonferroni():
    from scipy import stats

    assert bias.simultaneous_bound(80, 100) == pytest.approx(stats.t.ppf(1 - 0.005 / 80, 99))
    low, high = simultaneous_interval(1.0, 2.0, 5)
    assert (high - 1) / 2 == pytest.approx(stats.norm.ppf(0.995))
    assert low == pytest.approx(2 - high)


@pytest.mark.parametrize("levels", [3, 1000])
def test_auc_from_atop_is_the_share_of_ordered_pairs(levels):
    """steck2010 section 2.4, with its signs set right."""
    data = some_data(levels)
    complete = ranked_of(data).complete
    scores = data.model.user_vectors
    for user in range(6):
        row = slice(*data.ratings.indptr[user : user + 2])
        good = scores[user][data.ratings.relevant[row]][:, np.newaxis]
        bad = scores[user][~data.ratings.relevant[row]]
        plain = np.mean((good > bad) + 0.5 * (good == bad))
        assert complete[user, MEASURES.index("auc_aman")] == pytest.approx(plain, abs=1e-12)


def test_largest_atop_and_topk_are_those_of_the_perfect_ranking():
    """steck2010 section 2.1."""
    items, relevant = 40, 7
    users = np.zeros(relevant, np.int32)
    targets = np.arange(relevant, dtype=np.int32)
    held_out = Ratings.from_triplets(
        users, targets, np.ones(relevant), np.ones(relevant, bool), (1, items)
    )
    random = np.random.default_rng(6)
    largest_atop = 1 - (relevant - 1) / (2 * (items - 1))
    # ⌊0.1 · 39⌋ + 1 = 4 places for 7 items.
    largest_topk = 4 / relevant

    def scored(scores):
        model = FactorModel.without_biases(scores[np.newaxis], np.eye(items))
        return ranked_complete(model, held_out)

    perfect = scored(-np.arange(items, dtype=np.float32))
    assert perfect["atop"] == pytest.approx(largest_atop, abs=1e-12)
    assert perfect["topk(0.1)"] == pytest.approx(largest_topk, abs=1e-12)
    for _ in range(300):
        found = scored(random.random(items).astype(np.float32))
        assert found["atop"] <= largest_atop + 1e-12
        assert found["topk(0.1)"] <= largest_topk + 1e-12


def ranked_complete(model, held_out):
    return dict(zip(MEASURES, RankedItems.of(model, held_out).complete[0], strict=True))


def test_popular_items_observed_more_often_raise_a_popular_ranking():
    data = some_data(1000, users=60, items=80)
    by_popularity = FactorModel(
        np.zeros((60, 0), np.float32),
        np.zeros((80, 0), np.float32),
        data.popularity.astype(np.float32),
        np.zeros(60, np.float32),
    )
    data = GroundTruth(by_popularity, data.ratings, data.popularity, True)
    settings = {
        "share": 0.2,
        "item_repetitions": 40_000,
        "popularity": [0, 1, 3],
        "positivity": [1, 5],
    }
    rows = list(broken.broken_rows(data, ranked_of(data), settings, seed=1))
    found = {(r["popularity"], r["positivity"]): r for r in rows if r["measure"] == "atop"}
    assert abs(found[0, 1]["mean"] - found[0, 1]["complete"]) < 5 * found[0, 1]["sem"]
    assert 0.05 < found[1, 1]["bias"] < found[3, 1]["bias"]
    # Ratings are drawn without regard to items here, so they do not matter.
    assert abs(found[0, 5]["mean"] - found[0, 5]["complete"]) < 5 * found[0, 5]["sem"]


def test_other_ratings_change_no_ranking_measure_but_do_change_auc():
    rows = list(irrelevant.irrelevant_rows(some_data(5, users=30, items=40), seed=1))
    ranking = [row["largest_change"] for row in rows if row["measure"] != "auc"]
    assert len(ranking) == 6 * len(MEASURES)
    assert max(ranking) == 0
    auc = {row["removal"]: row["largest_change"] for row in rows if row["measure"] == "auc"}
    assert auc["none"] == 0
    assert auc["half, at random"] > 0


def test_auc_from_random_ratings():
    data = some_data(1000, users=200, items=60)
    rows = list(random_auc.random_auc_rows(data, [5, 20, 60], 30, seed=1))
    assert [row["ratings"] for row in rows] == [5, 20, 60]
    assert all(abs(row["z"]) < row["bound"] for row in rows[:2])
    # All ratings are no sample: the complete value, and nobody left out.
    assert rows[2]["bias"] == 0
    assert rows[2]["both_classes"] == 1
    assert rows[0]["both_classes"] < rows[1]["both_classes"]
    plain = measures.evaluate(data.model, data.ratings, None, ["auc"], Context(), 1)["auc"]
    assert rows[2]["mean"] == pytest.approx(plain.mean("user"))
    # Who drops out is another thing than how good the estimate is.
    assert rows[0]["selection"] != 0
    for row in rows:
        apart = row["mean"] - row["complete"] - row["selection"]
        assert row["bias"] == pytest.approx(apart, abs=1e-12)


def test_a_bias_is_counted_in_standard_errors():
    values = np.array([0.1, 0.2, 0.4, 0.5])
    mean, error, z = bias.standard_errors(values, 0.2)
    assert (mean, error) == pytest.approx((0.3, values.std(ddof=1) / 2))
    assert z == pytest.approx(0.1 / error)


def test_held_out_items_are_ranked_without_those_trained_on(generated, monkeypatch):
    view, _ = generated
    plain, seen = holdout.evaluate_all, []

    def watched(model, tasks, known, threads):
        seen.append((tasks, known))
        return plain(model, tasks, known, threads)

    monkeypatch.setattr(holdout, "evaluate_all", watched)
    settings = {"test": 0.2, "validation": [0.1], "folds": 1}
    holdout.held_out_scores(view, RANKING, settings, seed=1)
    [(tasks, known)] = seen
    parts = [*(task.held_out for task in tasks), known]
    pairs = [set(zip(p.users.tolist(), p.items.tolist(), strict=True)) for p in parts]
    liked = view.ratings.relevant
    every = set(zip(view.ratings.user[liked], view.ratings.item[liked], strict=True))
    assert set.union(*pairs) == every
    assert sum(map(len, pairs)) == len(every)


def test_complete_data_of_a_known_truth(generated):
    view, truth = generated
    data = complete_data(view, truth, RANKING, 50, seed=1)
    users = np.unique(data.ratings.users)
    assert len(users) == 50
    full = np.array([truth.block(user, user + 1)[0] for user in users])
    rated = np.zeros(view.shape, bool)
    rated[view.ratings.user, view.ratings.item] = True
    assert len(data.ratings.items) == (~rated[users]).sum()
    rows = np.searchsorted(users, data.ratings.users)
    assert (full[rows, data.ratings.items] == data.ratings.values).all()
    assert not rated[data.ratings.users, data.ratings.items].any()


def test_half_of_the_ratings_taken_as_complete(generated):
    view, _ = generated
    data = complete_data(view, None, RANKING, 1000, seed=1)
    counts = np.bincount(view.ratings.user, minlength=120)
    left = np.diff(data.ratings.indptr)
    used = left > 0
    assert used.sum() > 60
    assert (left[used] == (counts - counts // 2)[used]).all()
    matrix = {(u, i) for u, i in zip(view.ratings.user, view.ratings.item, strict=True)}
    assert {(u, i) for u, i in zip(data.ratings.users, data.ratings.items, strict=True)} < matrix


def test_observed_items_are_trained_on_held_out_or_never_seen(generated):
    view, truth = generated
    ratings = unseen.true_ratings(view, truth, np.ones(120, bool))
    relevant = ratings.select(ratings.relevant)
    weights = np.ones(len(relevant.items))
    settings = {"share": 0.5, "test": 0.25}
    parts = unseen._observed(relevant, weights, settings, np.random.default_rng(1))
    counts = [np.diff(part.indptr) for part in parts]
    whole = np.diff(relevant.indptr)
    assert (sum(counts) == whole).all()
    many = whole >= 8
    observed = np.floor(0.5 * whole[many] + 0.5)
    assert (counts[0][many] + counts[1][many] == observed).all()
    assert (counts[1][many] == np.floor(0.25 * observed + 0.5)).all()
    pairs = np.concatenate([part.users * 60 + part.items for part in parts])
    assert len(np.unique(pairs)) == len(pairs)


def test_never_seen_items_are_what_test_says_if_observed_uniformly(generated):
    view, truth = generated
    settings = {"share": 0.4, "test": 0.4, "draws": 4}
    rows = list(unseen.unseen_rows(view, truth, RANKING, settings, 1000, seed=1))
    found = {(row["observation"], row["measure"]): row for row in rows}
    for measure in ("atop", "adg", "recall@10", CORRECTED):
        row = found["uniform", measure]
        assert row["low"] < 0 < row["high"]
    assert found["uniform", "ndcg"]["z"] < -5
    assert found["popularity", "atop"]["low"] > 0


def test_validation_is_what_test_says_for_unbiased_measures(generated):
    view, _ = generated
    settings = {"test": 0.2, "validation": [0.1, 0.2, 0.4], "folds": 3}
    scores = holdout.held_out_scores(view, RANKING, settings, seed=1)
    rows = {(r["share"], r["measure"]): r for r in holdout.holdout_rows(scores, 120, seed=1)}
    assert len(rows) == 3 * len(HELD_OUT)
    for measure in ("atop", "adg", "recall@10"):
        assert rows[0.1, measure]["slope_low"] < 0 < rows[0.1, measure]["slope_high"]
    assert rows[0.1, "ndcg"]["slope_low"] > 0
    shares = np.array([0.1, 0.2, 0.4])
    slope = np.polyfit(shares, [rows[share, "ndcg"]["mean"] for share in shares], 1)[0]
    assert rows[0.1, "ndcg"]["slope"] == pytest.approx(slope)


def test_paired_values_are_of_users_with_both():
    first = UserValues(np.array([1.0, 2.0, 6.0]), np.array([1.0, 2.0, 0.0]))
    second = UserValues(np.array([3.0, 1.0, 5.0]), np.array([2.0, 1.0, 1.0]))
    pair = Paired.of([first], [second])
    facts = pair.facts(user_samples(3, SAMPLES, "test"), 1)
    assert (facts["first"], facts["second"]) == (1.0, 1.25)
    assert facts["mean"] == -0.25
    assert facts["n"] == 2
