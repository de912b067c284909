"""pradel2012: the user model's closed forms, Figure 1's numbers, the grid, strong generalisation."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnar import splits
from mnar.claims.entries import load as load_claims
from mnar.data.complete import Complete
from mnar.experiments.pradel2012 import differences, popularity, user_model
from mnar.experiments.pradel2012.generator_table import generator_table
from mnar.experiments.pradel2012.grid import Grid
from mnar.experiments.pradel2012.user_model import Cluster
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.measures import UserValues
from mnar.reporting.results import Results
from mnar.simulations.generators import grid as synthetic_grid
from mnar.simulations.generators import weights
from mnar.splits import FOLD_IN, TRAIN
from mnar.splits.fold import Fold
from mnar.statistics.correlation import kendall, spearman
from mnar.tuning import fold_search as training
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import SearchedFold


def cluster_of(seed, items=6):
    random = np.random.default_rng(seed)
    positive = random.uniform(0.05, 0.95, items)
    alpha, ratio = random.uniform(0.1, 1, items), random.uniform(0.1, 1, items)
    return Cluster(positive, alpha, ratio * alpha, np.arange(items) % 3)


def expected_by_enumeration(cluster, scores):
    """Σ over all states of three items of right pairs, over that of all pairs."""
    right = pairs = 0.0
    for states in product((0, 1, 2), repeat=len(scores)):
        chance = 1.0
        for state, x, a, b in zip(
            states, cluster.positive, cluster.alpha, cluster.beta, strict=True
        ):
            chance *= (x * a, (1 - x) * b, 1 - x * a - (1 - x) * b)[state]
        for i, j in product(range(len(scores)), repeat=2):
            if states[i] == 0 and states[j] == 1:
                pairs += chance
                right += chance * (scores[i] > scores[j])
    return right / pairs


@pytest.mark.parametrize("seed", range(3))
def test_expected_auc_is_that_of_all_states(seed):
    cluster = cluster_of(seed, items=4)
    scores = np.random.default_rng(seed).permutation(4).astype(float)
    assert cluster.auc(scores) == pytest.approx(expected_by_enumeration(cluster, scores))
    sampled, error = cluster.sampled_auc(scores, seed)
    assert abs(sampled - cluster.auc(scores)) < 5 * error


@given(st.integers(0, 1000))
def test_what_each_measure_prefers(seed):
    cluster = cluster_of(seed)
    # (5): P(positive | observed); no order has a higher expected AUC.
    best = cluster.auc(cluster.scores(0))
    # AUC_AMAN takes all that is not an observed positive as negative: all observed, P = α x.
    aman = Cluster(cluster.alpha * cluster.positive, np.ones(6), np.ones(6), cluster.classes)
    best_aman = aman.auc(cluster.scores(1))
    random = np.random.default_rng(seed)
    for _ in range(20):
        order = random.permutation(6).astype(float)
        assert cluster.auc(order) <= best + 1e-12
        assert aman.auc(order) <= best_aman + 1e-12


@given(st.integers(0, 1000))
def test_invariances_of_section_3(seed):
    cluster = cluster_of(seed)
    scale = np.random.default_rng(seed).uniform(0.1, 1, 6)
    scaled = replace(cluster, alpha=scale * cluster.alpha, beta=scale * cluster.beta)
    assert kendall(cluster.scores(0), scaled.scores(0)) == pytest.approx(1)
    other = replace(cluster, beta=cluster.beta[::-1].copy())
    assert kendall(cluster.scores(1), other.scores(1)) == pytest.approx(1)
    popularity_alone = replace(cluster, beta=cluster.alpha)
    assert kendall(popularity_alone.scores(0), cluster.positive) == pytest.approx(1)
    uniform = replace(cluster, alpha=np.full(6, 0.5), beta=np.full(6, 0.1))
    for weight in (0, 0.1, 1):
        assert kendall(uniform.scores(weight), cluster.positive) == pytest.approx(1)


def test_a_small_weight_balances_the_two_effects():
    rows = user_model.sweep({"users": 50, "items": 150, "ratings_per_user": 10})
    weighted = rows[rows["ranking"] == "weighted"].set_index(["popularity", "positivity"])
    tau = {
        key: weighted.loc[[key]].set_index("weight")["tau"]
        for key in ((0.8, 1.0), (0.8, 0.0), (0.0, 1.0))
    }
    assert 0 < tau[0.8, 1.0].idxmax() < 1
    assert tau[0.8, 0.0].idxmax() == 0
    assert tau[0.0, 1.0].idxmax() > tau[0.8, 1.0].idxmax()
    estimated = user_model.as_estimated(user_model.Settings(items=150, ratings_per_user=10))
    rated = [estimated.observed[estimated.classes == c].mean() for c in (0, 2)]
    assert rated[0] / rated[1] == pytest.approx(17, rel=0.01)


def entries(user, item, rating):
    order = np.lexsort((item, user))
    user, item, rating = (np.asarray(part)[order] for part in (user, item, rating))
    values = rating.astype(np.float32)
    times = np.full(len(user), -1)
    return Entries(user.astype(np.int32), item.astype(np.int32), values, values >= 4, times)


def made_view(users=40, items=30, seed=3):
    """Item i is rated the more often the smaller i, and user-selected ratings are better."""
    random = np.random.default_rng(seed)
    chosen = np.nonzero(random.random((users, items)) < 1 / (1 + 0.3 * np.arange(items)))
    at_random = np.nonzero(random.random((users, items)) < 0.3)
    ratings = random.choice([1, 3, 4, 5], len(chosen[0]), p=[0.1, 0.2, 0.3, 0.4])
    plain = random.choice([1, 3, 4, 5], len(at_random[0]), p=[0.5, 0.2, 0.2, 0.1])
    return View(
        np.arange(users),
        np.arange(items),
        entries(*chosen, ratings),
        entries(*at_random, plain),
        np.empty((items, 0), np.int32),
    )


def test_classes_are_shares_of_the_catalogue():
    counts = np.arange(1000, 0, -1)
    classes = popularity.classes_of(counts)
    assert [int((classes == c).sum()) for c in range(3)] == [47, 200, 753]
    assert (np.diff(classes) >= 0).all()
    assert popularity.top_share(np.array([6, 2, 1, 1]), 0.25) == 0.6


def test_figure_1_counts_by_hand():
    view = made_view()
    facts = popularity.Popularity(view, "made").facts()
    shares = popularity.Popularity(view, "made").distribution()
    classes = popularity.classes_of(np.bincount(view.ratings.item, minlength=30))

    def odds(part, number):
        mine = part.relevant[classes[part.item] == number]
        return (mine.sum() + 0.5) / ((~mine).sum() + 0.5)

    for number, name in enumerate(popularity.CLASSES):
        mine = facts[facts["class"] == name].set_index("fact")
        expected = odds(view.ratings, number) / odds(view.random, number)
        assert mine.loc["odds_ratio", "mean"] == pytest.approx(expected)
        assert mine.loc["beta_over_alpha", "mean"] == pytest.approx(1 / expected)
        assert mine.loc["odds_ratio", "low"] < expected < mine.loc["odds_ratio", "high"]
        rated = view.ratings.rating[classes[view.ratings.item] == number]
        fives = shares[
            (shares["class"] == name)
            & (shares["source"] == "user-selected")
            & (shares["rating"] == 5)
        ]
        assert fives["mean"].item() == pytest.approx((rated == 5).mean())
    one = facts.set_index("fact")
    gap = view.ratings.rating.mean(dtype=float) - view.random.rating.mean(dtype=float)
    assert one.loc["mean_rating_difference", "mean"] == pytest.approx(gap)
    assert one.loc["mean_rating_difference", "low"] > 0


def test_figure_1_without_random_ratings():
    view = made_view()
    nothing = entries(*(np.zeros(0, int) for _ in range(3)))
    facts = popularity.Popularity(replace(view, random=nothing), "made").facts()
    assert "odds_ratio" not in set(facts["fact"])
    assert facts[facts["fact"] == "item_share"]["mean"].sum() == pytest.approx(1)


def test_estimated_beta_over_alpha_is_the_ratio_of_the_observed_shares():
    """With the same α and β for all items the odds give β/α back, but for chance."""
    random = np.random.default_rng(1)
    shape = (2000, 40)
    positive = random.random(shape) < 0.3
    seen = random.random(shape) < np.where(positive, 0.4, 0.1)
    asked = random.random(shape) < 0.2
    ratings = np.where(positive, 5, 1)
    view = View(
        np.arange(shape[0]),
        np.arange(shape[1]),
        entries(*np.nonzero(seen), ratings[seen]),
        entries(*np.nonzero(asked), ratings[asked]),
        np.empty((shape[1], 0), np.int32),
    )
    facts = popularity.Popularity(view, "made").facts()
    found = facts[facts["fact"] == "beta_over_alpha"]
    assert np.allclose(found["mean"], 0.25, atol=0.05)
    assert (found["low"] < 0.25).all()
    assert (found["high"] > 0.25).all()


def test_rank_correlations_equal_those_of_scipy():
    from scipy import stats

    random = np.random.default_rng(0)
    for _ in range(10):
        first, second = random.integers(0, 6, (2, 12)).astype(float)
        assert kendall(first, second) == pytest.approx(stats.kendalltau(first, second).statistic)
        assert spearman(first, second) == pytest.approx(stats.spearmanr(first, second).statistic)
    assert np.isnan(spearman(np.ones(3), np.arange(3.0)))
    assert np.isnan(kendall(np.ones(3), np.arange(3.0)))


def test_evaluation_users_have_no_say_in_the_items():
    view = made_view()
    split = splits.split("strong", view, {"evaluation_users": 0.5, "validation": 0.2}, 0, 1)
    fold = Fold.of(view, split)
    trained = np.unique(view.ratings.user[split.roles == TRAIN])
    assert fold.train.n_users == len(trained) < view.shape[0]
    rows = view.matrix(split.roles == TRAIN)
    for row, user in enumerate(trained):
        ours = slice(*fold.train.indptr[row : row + 2])
        theirs = slice(*rows.indptr[user : user + 2])
        assert fold.train.items[ours].tolist() == rows.items[theirs].tolist()
        assert fold.train.values[ours].tolist() == rows.values[theirs].tolist()
    assert fold.fold_in is not None
    folded = np.unique(view.ratings.user[split.roles == FOLD_IN])
    assert np.unique(fold.fold_in.users).tolist() == folded.tolist()
    assert not np.isin(folded, trained).any()


def test_complete_ratings_are_all_but_the_seen():
    relevant = np.array([[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]], bool)
    complete = Complete(np.array([0, 2, 3], np.int32), relevant)
    seen = Ratings.from_triplets(
        np.array([0, 2, 2]), np.array([1, 0, 3]), np.ones(3), np.ones(3, bool), (5, 4)
    )
    matrix = complete.matrix(seen, np.array([2, 3, 4]))
    pairs = list(zip(matrix.users, matrix.items, matrix.relevant, strict=True))
    assert pairs == [(2, 1, 0), (2, 2, 1), (3, 0, 1), (3, 1, 1), (3, 2, 0), (3, 3, 0)]


STUDY = {
    "view": "pradel2012",
    "protocol": "strong",
    "candidates": ["unseen"],
    "average": "user",
    "sets": ["validation", "random"],
    "measures": ["auc", "auc_aman"],
    "methods": ["pradel-allrank"],
}


def made_results(tmp_path, value):
    """Score files of two runs on a small grid: value(weight, penalty, set, measure, user)."""
    view = made_view()
    points = [{"missing_weight": w, "lambda": p} for w in (0, 0.01, 1) for p in (0.1, 1)]
    outcomes = {}
    for run in range(2):
        outcome = SearchedFold(points, 0)
        for number, point in enumerate(points):
            for name, names in (("validation", ["auc", "auc_aman"]), ("random", ["auc"])):
                outcome.scores[number, "unseen", name] = {
                    m: UserValues(
                        np.array([value(point, name, m, user) for user in range(view.shape[0])]),
                        np.ones(view.shape[0]),
                    )
                    for m in names
                }
        outcomes[run] = outcome
    folder = tmp_path / "results" / "scores" / "pradel2012" / "made" / "pradel-allrank"
    folder.mkdir(parents=True)
    runs.write_scores(folder / "0-1.csv", outcomes)
    runs.write_user_values(folder / "0-1.npz", outcomes, "all")
    place = tmp_path / "results" / "views" / "made" / "pradel2012.npz"
    place.parent.mkdir(parents=True)
    view.save(place)
    files = [str(folder / "0-1.csv"), str(folder / "0-1.npz"), str(place)]
    return Results("made", files, {"studies": {"pradel2012": STUDY}})


def test_grid_takes_the_best_lambda_of_each_weight(tmp_path):
    peaks = {("validation", "auc"): 0, ("validation", "auc_aman"): 1, ("random", "auc"): 0.01}

    def value(point, name, measure, user):
        right = point["missing_weight"] == peaks[name, measure]
        return 0.5 + 0.2 * right + 0.1 * (point["lambda"] == 1) + 0.001 * user

    grid = Grid(made_results(tmp_path, value), "pradel-allrank")
    assert grid.weights == [0, 0.01, 1]
    for measure, weight in (("auc", 0), ("auc_aman", 1), ("auc_rand", 0.01)):
        assert grid.weight_of(grid.best(measure)) == weight
        assert [grid.points.loc[p, "lambda"] for p in grid.sweep(measure)] == [1, 1, 1]
    assert grid.nearest(0, 0.1) == 0
    assert grid.nearest(0.1, 0.5) in (3, 5)
    assert grid.weight_of(grid.nearest(0.001, 1)) == 0.01
    samples = grid.samples("auc", [1, 0])
    # The two points differ by the same for every user, so in every sample.
    assert np.allclose(samples[:, 0] - samples[:, 1], 10, atol=1e-4)
    assert samples[:, 0].mean() == pytest.approx(grid.means.loc[1, "auc"], abs=0.2)
    chosen = grid.samples_by_run("auc", {0: 0, 1: 1})
    assert np.allclose(chosen, samples.mean(axis=1), atol=1e-4)


def test_differences_along_the_curves_are_paired(tmp_path):
    levels = {("auc", 0): 0.7, ("auc", 0.01): 0.8, ("auc", 1): 0.6}
    levels |= {("auc_aman", 0): 0.5, ("auc_aman", 0.01): 0.7, ("auc_aman", 1): 0.9}

    def value(point, name, measure, user):
        # Users differ by far more than points do.
        return levels[measure, point["missing_weight"]] + 0.05 * point["lambda"] - 0.02 * (user % 5)

    grid = Grid(made_results(tmp_path, value), "pradel-allrank")
    rows = pd.DataFrame([*differences._curves(grid), *differences._optima(grid)])
    gaps = rows[rows["fact"] == "w_m − w_m 0"].set_index(["measure", "missing_weight"])
    assert gaps.loc[("auc", 1), "mean"] == pytest.approx(-10, abs=1e-4)
    assert gaps.loc[("auc_aman", 0.01), ["low", "high"]].tolist() == pytest.approx(
        [20, 20], abs=1e-3
    )
    ratio = rows[rows["fact"] == "best w_m / best w_m for AUC"].iloc[0]
    assert ratio[["mean", "low", "high"]].tolist() == [100, 100, 100]
    models = pd.DataFrame(differences._models(grid))
    taus = models[models["fact"] == "Kendall with AUC-rand, grid"].set_index("measure")["mean"]
    assert taus["auc"] == pytest.approx(1)
    assert taus["auc_aman"] < 0.5


def test_generator_grid_holds_every_setting_and_claim():
    grid = {
        "generator": {"users": 80, "items": 40, "ratings_per_user": 10},
        "vary": {"popularity_exponent": [0, 0.8], "positivity": [1], "noise": [0.6], "rank": [2]},
        "allrank": {
            "settings": {"factors": 2, "imputed": 0, "sweeps": 2},
            "grid": {"missing_weight": [0, 0.01, 1], "lambda": [0.1]},
        },
        "pairwise": {
            "settings": {"factors": 2, "iterations": 500, "rate": 0.1, "initial_scale": 0.1},
            "grid": {"lambda": [0.1]},
        },
        "svd": {"settings": {}, "grid": {"factors": [1, 2]}},
        "objectives": {
            "allrank": {
                "settings": {"factors": 2, "sweeps": 2},
                "grid": {"missing_weight": [0, 0.03, 1], "imputed": [1, 2, 5], "lambda": [0.1]},
            },
            "observed": {"settings": {"factors": 2, "sweeps": 2}, "grid": {"lambda": [0.1, 0.3]}},
            "binary": {
                "settings": {"factors": 2, "sweeps": 2},
                "grid": {"missing_weight": [0.05], "lambda": [0.1]},
            },
        },
    }
    rows = synthetic_grid.run(grid, 1, 1)
    assert rows["popularity_exponent"].tolist() == [0, 0.8]
    assert set(synthetic_grid.CLAIMS) <= set(rows.columns)
    best = rows[[f"best_w_m_{goal}" for goal in weights.GOALS]]
    assert best.isin([0, 0.01, 1]).all().all()
    assert (rows["auc_complete_best"] >= rows["auc_complete_if_chosen_by_interval"]).all()
    for claim in load_claims():
        if claim.grid is not None:
            # A column that the grid lacks raises a KeyError.
            assert len(claim.grid(rows)) == len(rows), claim.id
    table = generator_table(rows)
    assert len(table.shown) == len(synthetic_grid.CLAIMS)
    pd.testing.assert_frame_equal(rows, synthetic_grid.run(grid, 1, 1))


def test_a_choice_on_an_earlier_point_is_trained_again(monkeypatch):
    """The interval rule may go back to a model that was dropped: it is made anew to be scored."""
    view = made_view()
    split = splits.split("four-folds", view, {}, 0, 1)
    fold = Fold.of(view, split)
    method = {
        "module": "allrank-regression",
        "settings": {"factors": 2, "imputed": 0, "sweeps": 2},
        "grid": {"missing_weight": [1e-4, 1e-3, 0.01, 0.1, 1], "lambda": [0.1]},
        "refine": 0,
        "select_by": "interval",
    }
    study = STUDY | {"sets": ["validation"], "candidates": ["unseen", "all"]}
    fitted = []
    plain = training.models.fit_grid

    def watched(name, train, points, seed, threads):
        fitted.extend(json.dumps(point) for point in points)
        return plain(name, train, points, seed, threads)

    monkeypatch.setattr(training.models, "fit_grid", watched)
    peaks = {"auc": 0, "auc_aman": 4}
    monkeypatch.setattr(
        training._Search,
        "_validation_score",
        lambda search, point, measure: float(point == peaks[measure]),
    )
    outcome = training.train_fold(fold, method, study, 1, 1)
    assert outcome.chosen == 2
    assert len(fitted) == 6
    assert fitted[5] == fitted[2]
    assert (2, "all", "validation") in outcome.scores
