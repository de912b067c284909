"""Experiment trust: comparisons against plain versions, unbiasedness, and a small run of all of it."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from mnar import models, splits
from mnar.config import settings
from mnar.core.errors import UserError
from mnar.data.densify import make_view
from mnar.data.prepare import prepare
from mnar.data.selection import Mechanism
from mnar.estimators.estimator_names import parse
from mnar.estimators.gains import ranking_gains
from mnar.estimators.selected_ratings import Selected, held_out_chance
from mnar.estimators.sensitivity import flips
from mnar.estimators.weights import weights_of
from mnar.exchange.export import export_fold
from mnar.experiments.trust import FRAMES
from mnar.matrices.view import Entries, View
from mnar.measures.ranking import rank_counts
from mnar.simulations import trust
from mnar.simulations.trust import experiment, scenes
from mnar.simulations.trust.gammas import rows, suggested_gamma
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.order_kernels import kendall_of_columns, signs, sure_signs
from mnar.simulations.trust.orders import decisions, regret, turned
from mnar.simulations.trust.price import Price, collect_complete, collect_random
from mnar.simulations.trust.redraw import Redraw
from mnar.simulations.trust.systems import systems_of, train_all
from mnar.statistics.bootstrap import interval, user_samples
from mnar.statistics.correlation import kendall

CONFIG = yaml.safe_load((Path(__file__).parents[3] / "config.yaml").read_text(encoding="utf-8"))
SYSTEMS = {
    "bestseller-count": {},
    "bestseller-mean": {"rates": True},
    "svd": {"grid": {"factors": [1, 3]}},
    "observed-only": {
        "settings": {"factors": 3, "sweeps": 3},
        "grid": {"lambda": [0.1, 0.4]},
        "rates": True,
    },
    "mf-ips-known": {
        "module": "mf-ips",
        "settings": {"factors": 3, "sweeps": 3, "propensities": "known", "lambda": 0.1},
        "rates": True,
    },
    "mf-ips-published": {
        "module": "mf-ips",
        "settings": {"factors": 3, "sweeps": 3, "propensities": "published", "lambda": 0.4},
        "rates": True,
    },
    # No factor model.
    "item-knn-ranking": {"module": "item-knn", "settings": {"mode": "ranking", "k": 5}},
}
SMALL = CONFIG["trust"] | {
    "seeds": 2,
    "samples": 40,
    "attainable_draws": 3,
    "ratings_per_user": 12,
    "systems": SYSTEMS,
    "price": {"measures": ["adg"], "numbers": [1, 5]},
    "mechanisms": {"popularity_exponent": [0, 0.8], "positivity": [1], "correlation": [0]},
}
# Every pair of systems of the config, in its order.
N_SYSTEMS = 40


@pytest.fixture(scope="module")
def complete():
    return scenes.synthetic_matrix({"users": 150, "items": 60}, 1)


@pytest.fixture(scope="module")
def frames(complete):
    return experiment.run_simulated("tiny", complete, SMALL, 5, 1)


def scene_of(complete, exponent=0.8, positivity=1.0, seed=3):
    mechanism = Mechanism(exponent, positivity, 0.4, ratings_per_user=12)
    return scenes.simulated(complete, mechanism, 0.3, 5, seed)


def trained(scene):
    pairs = train_all(systems_of(SYSTEMS, ["known"]), scene.selected, 1, 1)
    return [model for _, model in pairs]


def test_kendall_equals_the_plain_one():
    random = np.random.default_rng(0)
    first, second = np.round(random.random((2, 12, 5)), 1)
    found = kendall_of_columns(first, second)
    np.testing.assert_allclose(
        found, [kendall(a, b) for a, b in zip(first.T, second.T, strict=True)]
    )
    against_one = kendall_of_columns(first, second[:, 0])
    np.testing.assert_allclose(against_one, [kendall(a, second[:, 0]) for a in first.T])


def test_sure_signs_are_intervals_that_exclude_zero():
    random = np.random.default_rng(1)
    samples = random.normal(np.linspace(0, 1, 8)[:, None], 0.3, (8, 400))
    found = sure_signs(samples)
    pair = 0
    for i in range(8):
        for j in range(i):
            low, high = interval(samples[i] - samples[j])
            assert found[pair] == (low > 0) - (high < 0), (i, j, low, high)
            pair += 1
    assert {-1, 0, 1} > set(found) >= {0, 1}


def test_decisions_count_right_wrong_and_undecided():
    truth = np.array([3.0, 2, 1, 1])
    noise = np.zeros((4, 100))
    said = np.array([3.0, 1, 2, 2])[:, None] + noise
    found = decisions(said[:, 0], said, truth, truth[:, None] + noise, complete=True)
    # Of five pairs that differ: 1 above each other one is right, 2 above 3 and above 4 is wrong.
    assert found == {"pairs": 5, "right": 3 / 5, "wrong": 2 / 5, "undecided": 0}


def test_regret():
    truth = np.array([1.0, 2, 3, 4, 10])
    assert regret(np.array([0, 0, 0, 0, 1.0]), truth) == 0
    assert regret(np.array([0, 0, 1.0, 0, 0]), truth) == 1
    assert regret(np.array([1.0, 0, 0, 1, 0]), truth) == pytest.approx((10 - 2.5) / 7)


def test_scene_keeps_training_out_of_the_truth(complete):
    scene = scene_of(complete)
    cells = np.zeros(complete.shape, int)
    for part in (scene.selected.train, scene.truth):
        cells[part.users, part.items] += 1
    assert (cells == 1).all()
    held_out = scene.selected.held_out
    np.testing.assert_array_equal(
        held_out.relevant, complete.relevant[held_out.users, held_out.items]
    )
    sizes = scene.relevant_sizes
    assert sizes.sum() == scene.truth.relevant.sum()


def test_truths_equal_a_plain_computation(complete):
    """adg, auc and mae of all unseen pairs of one system, written out."""
    scene = scene_of(complete)
    looks = Looks(scene, [parse(n) for n in ("adg", "auc", "mae", "ndcg")], 2, 1)
    [system] = systems_of(
        {"observed-only": {"settings": {"factors": 3, "lambda": 0.2}, "rates": True}}, ["known"]
    )
    [(_, model)] = train_all([system], scene.selected, 1, 1)
    looks.add(system, model)
    seen = np.zeros(complete.shape, bool)
    seen[scene.selected.train.users, scene.selected.train.items] = True
    gains, won, pairs, errors, ndcg = [], 0.0, 0, [], []
    for user in range(complete.shape[0]):
        free = np.flatnonzero(~seen[user])
        scores = model.predict(np.full(len(free), user), free)
        liked = complete.relevant[user, free]
        position = np.argsort(np.argsort(-scores))
        mine = 1 / np.log2(position[liked] + 2)
        gains.extend(mine)
        won += (scores[liked][:, None] > scores[~liked]).sum()
        pairs += liked.sum() * (~liked).sum()
        errors.extend(np.abs(scores - complete.values[user, free]))
        if liked.any():
            ndcg.append(mine.sum() / (1 / np.log2(np.arange(liked.sum()) + 2)).sum())
    times = np.ones((1, complete.shape[0]))
    expected = {
        "adg": np.mean(gains),
        "auc": won / pairs,
        "mae": np.mean(errors),
        "ndcg": np.mean(ndcg),
    }
    for measure, value in expected.items():
        truth = looks.truth(measure, times)
        assert truth.values[0] == pytest.approx(value, rel=1e-5), measure
        assert truth.samples[0, 0] == pytest.approx(value, rel=1e-5), measure


def test_uniform_draws_have_the_truth_as_their_mean(complete):
    """The attainable τ must come from unbiased draws, for every kind of measure."""
    scene = scene_of(complete)
    looks = Looks(scene, [parse(n) for n in ("adg", "auc", "mae")], 300, 1)
    [system] = systems_of({"bestseller-mean": {"rates": True}}, ["known"])
    [(_, model)] = train_all([system], scene.selected, 1, 1)
    looks.add(system, model)
    for measure in ("adg", "auc", "mae"):
        draws = looks.uniform[measure][0]
        truth = looks.truth(measure, np.ones((1, complete.shape[0]))).values[0]
        assert abs(draws.mean() - truth) < 4 * draws.std() / np.sqrt(len(draws)), measure


def bias_over_draws(scene, measures, draws, chances=None):
    """Bias of the trained systems, by measure and estimator."""
    redraw = Redraw(scene, measures, draws, 1, chances)
    liked = scene.truth.select(scene.truth.relevant)
    for model in trained(scene):
        counts = rank_counts(model, liked, seen=scene.selected.train)
        redraw.add({measure: ranking_gains(counts, measure) for measure in measures})
    return pd.DataFrame(redraw.rows()).set_index(["measure", "estimator"])


def test_known_chances_give_the_truth_on_average(complete):
    scene = scene_of(complete)
    rows = bias_over_draws(scene, ["adg", "atop", "recall@10"], 600)
    for measure in ("adg", "atop", "recall@10"):
        row = rows.loc[measure, "ips"]
        assert row.low < 0 < row.high, row
        # snips is a ratio: its bias falls with the number of pairs, here some hundred.
        assert abs(rows.loc[measure, "snips"].bias) < 0.02
    assert rows.loc["recall@10", "naive"].bias > 0.1


def test_wrong_chances_are_noticed(complete):
    """hα in place of hα/(1 − (1 − h)α): the planted mistake."""
    scene = scene_of(complete)
    alpha = scene.selected.chances.alpha[scene.truth.items[scene.truth.relevant]]
    wrong = scene.selected.share * alpha
    assert not np.allclose(wrong, held_out_chance(alpha, scene.selected.share), rtol=0.05)
    ips = bias_over_draws(scene, ["adg"], 300, chances=wrong).loc["adg", "ips"]
    assert not ips.low < 0 < ips.high


def test_under_random_selection_naive_and_snips_agree(complete):
    entry = SMALL | {
        "mechanisms": {"popularity_exponent": [0], "positivity": [0], "correlation": [0]},
        "price": None,
        "measures": ["adg", "atop", "auc"],
        "estimators": ["naive", "snips(known)"],
        "seeds": 1,
    }
    found = experiment.run_simulated("tiny", complete, entry, 5, 1).estimates
    wide = found.pivot(index=["measure", "system"], columns="estimator", values="estimate")
    np.testing.assert_allclose(wide["naive"], wide["snips(known)"], rtol=1e-12)


def test_every_estimator_has_its_row(frames):
    orders = frames.orders
    expected = experiment.estimators_of(SMALL, ["known", "popularity", "naive-bayes", "logistic"])
    found = orders.groupby(["popularity_exponent", "seed"]).size()
    assert (found == len(expected)).all()
    assert len(found) == 4
    assert orders["tau"].between(-1, 1).all()
    shares = orders[["right", "wrong", "undecided"]].sum(axis=1)
    np.testing.assert_allclose(shares, 1)
    errors = orders["measure"].isin(["rmse", "mae"])
    assert (orders["systems"][errors] == 4).all()
    assert (orders["systems"][~errors] == 8).all()


def test_truth_is_the_same_for_all_estimators_of_a_measure(frames):
    spread = frames.estimates.groupby(["popularity_exponent", "seed", "measure", "system"])["truth"]
    assert (spread.max() == spread.min()).all()


def test_summary_averages_over_seeds(frames):
    rows = frames.orders.groupby(["popularity_exponent", "measure", "estimator"])["tau"].mean()
    mine = frames.summary.set_index(["popularity_exponent", "measure", "estimator"])
    pd.testing.assert_series_equal(mine["tau"].sort_index(), rows.sort_index(), check_names=False)
    assert (mine["tau_low"] <= mine["tau"]).all()
    assert (mine["tau"] <= mine["tau_high"]).all()


def test_single_systems_have_values_places_and_differences(frames):
    """Against the estimates of each seed, which know nothing of samples."""
    rows = frames.systems
    keys = ["popularity_exponent", "measure", "system"]
    truth = frames.estimates[frames.estimates["estimator"] == "naive"]
    by_seed = truth.groupby([*keys, "seed"])["truth"].first()
    mine = rows[(rows["kind"] == "value") & (rows["estimator"] == "truth")]
    expected = by_seed.groupby(keys).mean()
    found = mine.set_index(keys)["mean"]
    pd.testing.assert_series_equal(
        found.sort_index(), expected.sort_index(), check_names=False, rtol=1e-12
    )
    placed = rows[(rows["kind"] == "place") & (rows["measure"] == "adg")]
    assert {"truth", "naive", "snips(known)"} <= set(placed["estimator"])
    ranks = by_seed.groupby([*keys[:2], "seed"]).rank() - 1
    place = (ranks / 7).groupby(keys).mean()
    first = placed[placed["estimator"] == "truth"].set_index(keys)["mean"]
    pd.testing.assert_series_equal(
        first.sort_index(), place.loc[first.sort_index().index], check_names=False
    )
    assert ((placed["low"] <= placed["mean"]) & (placed["mean"] <= placed["high"])).all()
    less = rows[rows["kind"] == "difference"].set_index(keys)
    assert set(less["against"]) == {"observed-only lambda=0.1"}
    for (exponent, measure, system), row in less.iterrows():
        other = expected[exponent, measure, row["against"]]
        assert row["mean"] == pytest.approx(expected[exponent, measure, system] - other)


def test_intervals_of_differences_are_paired(complete):
    """Samples of users are those of both systems: closer than independent ones would be."""
    entry = SMALL | {
        "price": None,
        "gamma": None,
        "measures": ["adg", "rmse"],
        "estimators": ["naive"],
    }
    found = experiment.run_simulated("tiny", complete, entry, 5, 1).systems
    mine = (found["popularity_exponent"] == 0.8) & (found["measure"] == "rmse")
    rows = found[mine].assign(width=found["high"] - found["low"])
    width = rows.set_index(["kind", "system"])["width"]
    value, difference = width["value"], width["difference"]
    apart = np.hypot(value["mf-ips-known"], value["observed-only lambda=0.1"])
    assert 0 < difference["mf-ips-known"] < 0.8 * apart


def test_a_rise_is_against_what_the_naive_mean_has_and_more(frames):
    rows = frames.summary.set_index(["popularity_exponent", "measure", "estimator"])
    for (exponent, measure, _), row in rows.iterrows():
        before = rows.loc[exponent, measure, "naive"]["tau"]
        assert row["rise"] == pytest.approx(row["tau"] - 1.4 * before)
    one = rows.xs("naive", level="estimator")
    # Of the naive mean itself that is −0.4 τ, with 0.4 of the width of its interval.
    inside = (one["tau_low"] > -1) & (one["tau_high"] < 1)
    widths = (one["rise_high"] - one["rise_low"]) / (one["tau_high"] - one["tau_low"])
    np.testing.assert_allclose(widths[inside], 0.4)


def test_price_rows(frames):
    uses = {"own choice", "test alone", "propensities", "both"}
    assert set(frames.price["use"]) == uses
    assert set(frames.price["n"]) == {0, 1, 5}
    assert frames.price["tau"].between(-1, 1).all()


def test_random_ratings_do_not_test_on_the_truth_itself(complete):
    """At 16 of 60 items more than a quarter of the truth would judge itself."""
    found = collect_complete(complete, scene_of(complete), [1, 15, 16, 50], 1)
    assert set(found.samples) == set(found.liked) == {1, 15}


def test_gamma_classes_hold_every_pair(frames):
    """Eight systems have 28 pairs; without a difference in truth a pair is left out."""
    sums = frames.gamma.groupby(["popularity_exponent", "seed", "around"])[["pairs", "right"]].sum()
    assert sums["pairs"].between(25, 28).all()
    assert (sums["right"] <= sums["pairs"]).all()
    naive = frames.gamma[frames.gamma["around"] == "naive"]
    needed = naive.groupby("popularity_exponent")["needed"].mean()
    # Without popularity and with one α for all liked items, equal weights are right.
    assert needed[0] == pytest.approx(1)
    assert needed[0.8] > 1.5


def test_pairs_of_systems_are_in_the_class_of_their_gamma(complete):
    scene = scene_of(complete)
    looks = Looks(scene, [parse("adg")], 0, 1)
    for system, model in train_all(systems_of(SYSTEMS, ["known"]), scene.selected, 1, 1):
        looks.add(system, model)
    truths = {"adg": looks.truth("adg", np.ones((1, complete.shape[0])))}
    gammas = flips(np.stack(looks.gains["adg"]), np.ones(len(scene.selected.liked.items)))[1]
    edges = [1, *np.quantile(gammas, [0.25, 0.5, 0.75])]
    found = [row for row in rows(looks, truths, ["adg"], edges) if row["around"] == "naive"]
    differ = signs(truths["adg"].values) != 0
    expected = [
        int((differ & (gammas >= low) & (gammas < high)).sum())
        for low, high in pairwise([*edges, np.inf])
    ]
    assert min(expected) > 0
    assert [row["pairs"] for row in found] == expected


def test_threads_change_nothing(complete, frames):
    again = experiment.run_simulated("tiny", complete, SMALL, 5, 2)
    for part in FRAMES:
        pd.testing.assert_frame_equal(getattr(frames, part), getattr(again, part), check_exact=True)


def test_config_has_enough_systems_and_corners():
    entry = CONFIG["trust"]
    systems = systems_of(entry["systems"], ["known"])
    assert len(systems) >= N_SYSTEMS
    assert len({system.name for system in systems}) == len(systems)
    assert len(systems_of(entry["systems"], [])) >= N_SYSTEMS
    families = {models.about(system.module).family for system in systems}
    assert {"bestseller lists", "observed ratings", "pairs of items", "neighbours"} <= families
    assert {"ease", "item-knn", "user-knn", "bpr"} <= {system.module for system in systems}
    points = {(m.popularity_exponent, m.positivity) for m in experiment.mechanisms_of(entry)}
    assert {(0, 0), (0, 1), (0.8, 0), (0.8, 1)} <= points


def real_view(complete, nested):
    random = np.random.default_rng(0)
    liked = complete.relevant

    def entries(mask):
        user, item = np.nonzero(mask)
        values = complete.values[mask]
        time = np.full(len(user), -1, np.int64)
        return Entries(user.astype(np.int32), item.astype(np.int32), values, liked[mask], time)

    drawn = random.random(liked.shape) < 0.4
    rated = random.random(liked.shape) < 0.25
    ids = (np.arange(n) for n in liked.shape)
    rated = rated & drawn if nested else rated
    return View(*ids, entries(rated), entries(drawn), np.empty((liked.shape[1], 0), np.int32))


@pytest.mark.parametrize("halves", [False, True])
def test_real_data_run(complete, halves):
    entry = SMALL | {"measures": ["adg", "auc", "rmse"], "seeds": 2}
    view = real_view(complete, halves)
    found = experiment.run_observed(
        "real",
        view,
        {"halves": halves},
        (1, 5),
        entry,
        5,
        1,
        published=np.full(complete.shape, 0.2),
    )
    names = set(found.orders["estimator"])
    assert not any("known" in name or name.startswith("ips") for name in names)
    assert "snips(published)" in names
    less = found.systems[found.systems["kind"] == "difference"]
    assert set(less["system"]) == {"mf-ips-published"}
    # One published chance for all cells is no weight at all.
    assert less["mean"].abs().max() < 1e-5
    assert found.orders["attainable"].between(-1, 1).all()
    assert set(found.price["n"]) == {0, 1, 5}
    assert found.price["tau"].between(-1, 1).all()
    assert found.redraw.empty


def test_given_scores_are_a_system_like_any_other(complete, tmp_path):
    """A system, written down from exported folds and read back, stands where the system itself stands."""
    view, entry = real_view(complete, False), SMALL | {"measures": ["adg", "auc"]}
    for fold in range(entry["seeds"]):
        split = splits.split("selected", view, {"held_out": 0.3}, fold, 5)
        export_fold(view, split, tmp_path / str(fold), "trust")
        train = pd.read_parquet(tmp_path / str(fold) / "train.parquet")
        counts = train.groupby("item").size().rename("score").reset_index()
        scores = train[["user"]].drop_duplicates().merge(counts, how="cross")
        scores.attrs = train.attrs
        scores.to_parquet(tmp_path / f"{fold}.parquet")
    mine = {"module": models.GIVEN, "settings": {"file": f"{tmp_path}/{{fold}}.parquet"}}
    systems = {"bestseller-count": {}, "svd": {"settings": {"factors": 2}}, "mine": mine}
    arguments = ("real", view, {"held_out": 0.3}, (1, 5), entry | {"systems": systems}, 5, 1)
    estimates = experiment.run_observed(*arguments).estimates
    columns = ["estimate", "truth"]
    keys = ["seed", "measure", "estimator"]
    theirs, ours = (
        estimates[estimates["system"] == name].set_index(keys)[columns]
        for name in ("mine", "bestseller-count")
    )
    assert len(ours) >= 20
    np.testing.assert_allclose(theirs.loc[ours.index], ours, rtol=0, atol=1e-9)
    # Scores of one fold are not taken for another.
    (tmp_path / "0.parquet").replace(tmp_path / "1.parquet")
    (tmp_path / "0.parquet").write_bytes((tmp_path / "1.parquet").read_bytes())
    with pytest.raises(UserError, match="was made for fold"):
        experiment.run_observed(*arguments)


def test_collected_random_ratings_are_no_part_of_what_judges(complete):
    view = real_view(complete, False)
    scene = scenes.observed(view, {"held_out": 0.3}, 0, 1, (1, 5))
    found = collect_random(scene, [1, 3, 1000], 1)
    truth = scene.truth
    # Nobody has a thousand.
    assert list(found.samples) == [1, 3]
    assert set(found.liked[1]) <= set(found.liked[3])
    assert not set(found.liked[3]) & set(found.judging)
    for n, sample in found.samples.items():
        sizes = np.diff(sample.indptr)
        np.testing.assert_array_equal(sizes, np.minimum(n, np.diff(truth.indptr) // 2))
        mine = np.flatnonzero(truth.relevant)[found.liked[n]]
        cells = sample.users[sample.relevant] * truth.n_items + sample.items[sample.relevant]
        np.testing.assert_array_equal(truth.users[mine] * truth.n_items + truth.items[mine], cells)
    # Half of what a user has, rounded up, judges.
    users = truth.users[np.flatnonzero(truth.relevant)[found.judging]]
    assert (np.bincount(users, minlength=truth.n_users) <= -(-np.diff(truth.indptr) // 2)).all()


def test_price_of_all_random_ratings_is_the_truth_of_their_half(complete):
    """With every collected rating as the test set, the value is a plain weighted mean of gains."""
    scene = scenes.observed(real_view(complete, True), {"halves": True}, 0, 1, (1, 5))
    looks = Looks(scene, [parse("adg")], 0, 1)
    price = Price(looks, collect_random(scene, [5], 1), ["adg"])
    for system, model in train_all(systems_of(SYSTEMS, []), scene.selected, 1, 1):
        gains = looks.add(system, model)["adg"]
        price.add({"adg": gains})
        weights = scene.weights[scene.truth.relevant]
        for n, mine in ((5, price.collected.liked[5]), (None, price.collected.judging)):
            plain = (gains[mine] * weights[mine]).sum() / weights[mine].sum()
            found = price.sums["adg", n][-1].sum() / price.sizes[n].sum()
            assert found == pytest.approx(plain, rel=1e-12)


def test_gain_and_ratio_are_against_the_naive_mean(frames):
    keys = ["popularity_exponent", "measure"]
    naive = frames.summary[frames.summary["estimator"] == "naive"].set_index(keys)
    rows = frames.summary.set_index(keys)
    np.testing.assert_allclose(rows["gain"], rows["tau"] - naive["tau"].loc[rows.index])
    ratio = rows["absolute_bias"] / naive["absolute_bias"].loc[rows.index]
    np.testing.assert_allclose(rows["bias_ratio"], ratio)
    same = frames.summary["estimator"] == "naive"
    assert (frames.summary.loc[same, ["gain_low", "gain_high", "turned"]] == 0).all(axis=None)
    assert (frames.summary["bias_low"] <= frames.summary["bias"]).all()


def test_turned_counts_pairs_decided_both_ways():
    noise = np.random.default_rng(0).normal(0, 0.01, (3, 100))
    one = Values(np.arange(3), np.zeros(3), np.array([[1.0], [2], [3]]) + noise)
    other = Values(np.arange(3), np.zeros(3), np.array([[2.0], [1], [3]]) + noise)
    assert turned("adg", one, other) == pytest.approx(1 / 3)
    assert turned("adg", one, one) == 0
    # Errors: lower is better for both, so nothing changes.
    assert turned("mae", one, other) == pytest.approx(1 / 3)


def test_yahoo_r3_runs_from_files_of_its_format(tmp_path):
    """Tab-separated user, item and rating, as the dataset has them; random ratings for some users."""
    random = np.random.default_rng(3)
    entry = CONFIG["datasets"]["yahoo-r3"]
    folder = tmp_path / "data"
    folder.mkdir()
    taste = random.integers(1, 6, (80, 30))
    for role, users, share in (("ratings", 80, 0.4), ("random", 50, 0.3)):
        cells = np.argwhere(random.random((users, 30)) < share)
        lines = [f"{u + 1}\t{i + 1}\t{taste[u, i]}\n" for u, i in cells]
        (folder / entry["files"][role]).write_text("".join(lines))
    prepare("yahoo-r3", entry, folder, tmp_path / "out")
    view = make_view(tmp_path / "out", settings.view_settings(CONFIG, "yahoo-r3", "trust"))
    about = settings.trust_settings(CONFIG, "yahoo-r3")
    small = about["settings"] | {key: SMALL[key] for key in ("seeds", "samples", "systems")}
    found = trust.run("yahoo-r3", view, about | {"settings": small}, 1, 1)
    naive = found.summary[found.summary["estimator"] == "naive"]
    assert set(naive["measure"]) == set(CONFIG["trust"]["measures"])
    assert found.summary["attainable"].between(-1, 1).all()
    assert set(found.price["n"]) >= {0, 1, 2}


def test_truth_of_random_ratings_equals_a_plain_computation(complete):
    view = real_view(complete, True)
    scene = scenes.observed(view, {"halves": True, "held_out": 0.3}, 0, 1, (1, 5), spared=0.1)
    looks = Looks(scene, [parse("adg"), parse("auc")], 0, 1)
    [system] = systems_of({"svd": {"settings": {"factors": 3}}}, ["known"])
    [(_, model)] = train_all([system], scene.selected, 1, 1)
    looks.add(system, model)
    train, truth = scene.selected.train, scene.truth
    top = bottom = won = pairs = 0.0
    for user in range(truth.n_users):
        own = slice(truth.indptr[user], truth.indptr[user + 1])
        free = np.setdiff1d(np.arange(truth.n_items), train.items[train.users == user])
        every = model.predict(np.full(truth.n_items, user), np.arange(truth.n_items))
        w, liked, scores = scene.weights[own], truth.relevant[own], every[truth.items[own]]
        for weight, score in zip(w[liked], scores[liked], strict=True):
            above, tied = (every[free] > score).sum(), (every[free] == score).sum()
            top += weight * (1 / np.log2(np.arange(above, above + tied) + 2)).mean()
            bottom += weight
            versus = (score > scores[~liked]) + 0.5 * (score == scores[~liked])
            won += weight * (w[~liked] * versus).sum()
            pairs += weight * w[~liked].sum()
    times = user_samples(truth.n_users, 2, "x")
    assert len(set(scene.weights)) == 2
    assert looks.truth("adg", times).values[0] == pytest.approx(top / bottom, rel=1e-5)
    assert looks.truth("auc", times).values[0] == pytest.approx(won / pairs, rel=1e-5)


def test_random_ratings_suggest_the_gamma_that_was_planted():
    """Liked items of one half of the catalogue are rated four times as often as the others: Γ = 2."""
    random = np.random.default_rng(0)
    shape = (3000, 40)
    liked = random.random(shape) < 0.4
    matrix = scenes.CompleteMatrix(np.where(liked, 5.0, 2.0).astype(np.float32), liked)
    # So rarely that chances of being rated and held out are nearly proportional.
    alpha = np.where(np.arange(40) < 20, 0.08, 0.02)
    rated = random.random(shape) < alpha
    held_out = rated & (random.random(shape) < 0.3)
    selected = Selected(matrix.at(rated & ~held_out), matrix.at(held_out), 0.3)
    truth = matrix.at(random.random(shape) < 0.3)
    scene = scenes.Scene(selected, truth, np.ones(len(truth.items)), complete=False)
    naive = suggested_gamma(scene, weights_of(parse("adg"), selected))
    popular = suggested_gamma(scene, weights_of(parse("adg~snips(popularity)"), selected))
    assert naive == pytest.approx(2, rel=0.15)
    assert popular < 1.25


def test_data_without_any_truth_are_refused(complete):
    view = real_view(complete, False)
    empty = Entries(*(column[:0] for column in vars(view.random).values()))
    bare = View(view.user_ids, view.item_ids, view.ratings, empty, view.parents)
    with pytest.raises(UserError, match="ask for Γ"):
        scenes.observed(bare, {}, 0, 1, (1, 5))
