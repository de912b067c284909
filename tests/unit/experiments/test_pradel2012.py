"""pradel2012: the user model's closed forms, Figure 1's numbers, the grid, strong generalisation."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from helpers.rated_view import entries, made_view
from hypothesis import given
from hypothesis import strategies as st

from mnar import splits
from mnar.claims.entries import load as load_claims
from mnar.experiments.pradel2012 import popularity_classes, user_model
from mnar.experiments.pradel2012.generator_table import generator_table
from mnar.experiments.pradel2012.user_model import Cluster
from mnar.matrices.view import View
from mnar.simulations.generators import grid as synthetic_grid
from mnar.simulations.generators import missing_weights
from mnar.splits import FOLD_IN, TRAIN
from mnar.splits.fold import Fold
from mnar.statistics.correlation import kendall


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


def test_classes_are_shares_of_the_catalogue():
    counts = np.arange(1000, 0, -1)
    classes = popularity_classes.classes_of(counts)
    assert [int((classes == c).sum()) for c in range(3)] == [47, 200, 753]
    assert (np.diff(classes) >= 0).all()
    assert popularity_classes.top_share(np.array([6, 2, 1, 1]), 0.25) == 0.6


def test_figure_1_counts_by_hand():
    view = made_view()
    facts = popularity_classes.Popularity(view, "made").facts()
    shares = popularity_classes.Popularity(view, "made").distribution()
    classes = popularity_classes.classes_of(np.bincount(view.ratings.item, minlength=30))

    def odds(part, number):
        mine = part.relevant[classes[part.item] == number]
        return (mine.sum() + 0.5) / ((~mine).sum() + 0.5)

    for number, name in enumerate(popularity_classes.CLASSES):
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


def test_a_share_of_sampled_ratings_has_an_interval_over_users():
    view = made_view()
    facts = popularity_classes.Popularity(view, "made").facts()
    top = facts[facts["fact"] == "highest_rating_share"].set_index("source")
    for source, part in (("user-selected", view.ratings), ("random", view.random)):
        highest = part.rating == 5
        row = top.loc[source]
        assert row["mean"] == pytest.approx(highest.mean())
        # The linearised error of a ratio of sums over users.
        users = view.shape[0]
        given = np.bincount(part.user, minlength=users)
        residual = np.bincount(part.user, highest, users) - highest.mean() * given
        error = np.sqrt((residual**2).sum()) / given.sum()
        assert row["high"] - row["low"] == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_figure_1_without_random_ratings():
    view = made_view()
    nothing = entries(*(np.zeros(0, int) for _ in range(3)))
    facts = popularity_classes.Popularity(replace(view, random=nothing), "made").facts()
    assert "odds_ratio" not in set(facts["fact"])
    assert facts[facts["fact"] == "item_share"]["mean"].sum() == pytest.approx(1)


def test_estimated_beta_over_alpha_is_the_ratio_of_the_observed_shares():
    """With the same α and β for all items the odds give β/α back, up to chance."""
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
    facts = popularity_classes.Popularity(view, "made").facts()
    found = facts[facts["fact"] == "beta_over_alpha"]
    assert np.allclose(found["mean"], 0.25, atol=0.05)
    assert (found["low"] < 0.25).all()
    assert (found["high"] > 0.25).all()


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
        "beyond_edges": 1,
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
    best = rows[[f"best_w_m_{goal}" for goal in missing_weights.GOALS]]
    assert best.isin([0, 0.01, 1]).all().all()
    assert (rows["auc_complete_best"] >= rows["auc_complete_if_chosen_by_interval"]).all()
    for claim in load_claims():
        if claim.grid is not None:
            # A column that the grid lacks raises a KeyError.
            assert len(claim.grid(rows)) == len(rows), claim.id
    table = generator_table(rows)
    assert len(table.shown) == len(synthetic_grid.CLAIMS)
    edges = [f"edges_{paper}" for paper in ("pradel2012", "lim2015", "steck2010")]
    assert all(text == "" or ": " in text for text in rows[edges].to_numpy().ravel())
    marked = rows.assign(
        edges_lim2015=["mf-adg: rate", ""], edges_steck2010="", edges_pradel2012=""
    )
    assert (
        generator_table(marked).notes[-1].startswith("In 1 of 2 settings a choice lies at an edge")
    )
    pd.testing.assert_frame_equal(rows, synthetic_grid.run(grid, 1, 1))


def test_odds_are_those_of_user_selected_over_random_ratings():
    """Users select what they like: 3 of 4 selected ratings are positive, 1 of 4 random ones."""
    user, item = np.divmod(np.arange(40 * 20), 20)
    selected = entries(user, item, np.where((user + item) % 4 < 3, 5, 1))
    random = entries(user, item, np.where((user + item) % 4 < 1, 5, 1))
    nothing = np.zeros((20, 0), np.int32)
    view = View(np.arange(40), np.arange(20), selected, random, nothing)
    facts = popularity_classes.Popularity(view, "made").facts().set_index(["fact", "class"])
    assert facts.loc[("odds_ratio", "all"), "mean"].item() == pytest.approx(9, rel=0.02)
    for name in popularity_classes.CLASSES:
        ratio = facts.loc[("odds_ratio", name), "mean"]
        assert float(np.atleast_1d(ratio)[0]) == pytest.approx(9, rel=0.3)
        inverse = facts.loc[("beta_over_alpha", name), "mean"]
        assert float(np.atleast_1d(inverse)[0]) == pytest.approx(1 / 9, rel=0.3)
