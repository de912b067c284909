"""Tables of kddcup2011 on made-up scores, and the numbers of its dataset profile."""

import json
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from mnar.config import settings
from mnar.experiments.kddcup2011 import BLEND, ONE_MOMENT, TRACK1, TRACK2, figures, tables
from mnar.experiments.kddcup2011.anchors import PAPER, anchor
from mnar.experiments.kddcup2011.data_tables import published_share
from mnar.experiments.kddcup2011.differences import skewness_and_error
from mnar.experiments.kddcup2011.factor_sweep import factor_sweep
from mnar.experiments.kddcup2011.statements import (
    Profile,
    change_points,
    difference_of_shares,
    local_maxima,
)
from mnar.experiments.kddcup2011.track_means import Means
from mnar.experiments.kddcup2011.track_scores import best_on_validation
from mnar.matrices.view import Entries, View
from mnar.measures import UserValues
from mnar.reporting.figure_format import write_figure
from mnar.reporting.outline import outline
from mnar.reporting.published_numbers import read_published
from mnar.reporting.results import Results
from mnar.splits import TEST, TRAIN, VALIDATION, Split, save_splits
from mnar.tuning.fold_search import SearchedFold
from mnar.tuning.scores import write_scores, write_user_values

DATASET = "made-up"
USERS = 40
FOLDS = 2
STUDIES = {
    TRACK1: {"measures": ["rmse"], "average": "pair", "methods": ["observed-only", "mf-biased"]},
    TRACK2: {
        "measures": ["track2_error"],
        "average": "user",
        "methods": ["observed-only", "allrank-binary-factors"],
    },
    ONE_MOMENT: {"measures": ["rmse"], "average": "pair", "methods": ["mf-biased", "mf-temporal"]},
}
# Test values of each method's points: the first point is the one chosen.
POINTS = {
    (TRACK1, "observed-only"): {"{}": 1.2},
    (TRACK1, "mf-biased"): {'{"factors": 10}': 1.0, '{"factors": 5}': 1.1, '{"factors": 2}': 1.2},
    (ONE_MOMENT, "mf-biased"): {'{"factors": 10}': 1.5},
    (TRACK1, BLEND): {'{"observed-only": 0.25, "mf-biased": 0.75}': 0.98},
    (TRACK2, "observed-only"): {"{}": 0.4},
    (TRACK2, "allrank-binary-factors"): {
        '{"factors": 10}': 0.2,
        '{"factors": 5}': 0.3,
        '{"factors": 2}': 0.4,
    },
    (TRACK2, BLEND): {'{"observed-only": 0.1, "allrank-binary-factors": 0.9}': 0.15},
}


# Where the first fold's choice is at an edge: the best of each track, and one method at one moment.
AT_EDGE = {
    (TRACK1, "mf-biased"): 0,
    (TRACK2, "allrank-binary-factors"): 1,
    (ONE_MOMENT, "mf-biased"): 0,
}


def outcome(study, method, points, fold):
    found = SearchedFold([json.loads(text) for text in points], 0)
    if fold == 0 and (study, method) in AT_EDGE:
        found.edges[AT_EDGE[study, method]] = ["lambda"]
    found.swept = list(range(len(points)))
    for point, value in enumerate(points.values()):
        for name in ("validation", "test"):
            noise = 0.01 * np.sin(np.arange(USERS) + fold)
            values = value + noise - noise.mean()
            if study != TRACK2:
                total = UserValues(values**2, np.ones(USERS), pooled=True, rooted=True)
                scores = {"rmse": total}
            else:
                scores = {"track2_error": UserValues(values, np.ones(USERS))}
            found.scores[point, "unseen", name] = scores
    return found


@pytest.fixture
def results(tmp_path):
    files = []
    for (study, method), points in POINTS.items():
        stem = tmp_path / "scores" / study / DATASET / method / "0-1"
        stem.parent.mkdir(parents=True)
        outcomes = {fold: outcome(study, method, points, fold) for fold in range(FOLDS)}
        write_scores(stem.with_suffix(".csv"), outcomes)
        write_user_values(stem.with_suffix(".npz"), outcomes, "swept")
        files += [stem.with_suffix(ending) for ending in (".csv", ".npz")]
    files += write_dataset(tmp_path)
    common = {"candidates": ["unseen"], "sets": ["validation", "test"], "sweeps": ["factors"]}
    config = {
        "studies": {name: {**common, **study} for name, study in STUDIES.items()},
        "methods": {
            method: {"select_by": study["measures"][0]}
            for study in STUDIES.values()
            for method in study["methods"]
        },
    }
    for study, protocol in ((TRACK1, "track1"), (ONE_MOMENT, "global-time")):
        config["studies"][study] |= {"select_by": "rmse", "protocol": protocol}
    config["studies"][TRACK2]["select_by"] = "track2_error"
    return Results(DATASET, [str(file) for file in files], config)


def write_dataset(folder):
    """Ten ratings of each user, the last six test in Track 1; a view, splits, tables, summary."""
    number = 10 * USERS
    user, item = np.divmod(np.arange(number, dtype=np.int32), 10)
    item = item.astype(np.int32)
    rating = ((user + 2 * item) % 5 + 1).astype(np.float32)
    time = (604800 * item).astype(np.int64)
    entries = Entries(user, item, rating, rating >= 4, time)
    none = Entries(*(column[:0] for column in vars(entries).values()))
    view = View(np.arange(USERS), np.arange(12), entries, none, np.zeros((12, 0), np.int32))
    roles = np.choose((item >= 3).astype(int) + (item >= 4), [TRAIN, VALIDATION, TEST])
    roles = roles.astype(np.uint8)
    track2 = Split(
        np.full(number, TRAIN, np.uint8),
        np.zeros(0, bool),
        np.array([0, 0, 0], np.int32),
        np.array([10, 11, 10], np.int32),
        np.full(3, TEST, np.uint8),
    )
    paths = {name: folder / "splits" / DATASET / "kddcup2011" / f"{name}.npz" for name in PAPER}
    save_splits(paths["track1"], [Split(roles, np.zeros(0, bool))] * FOLDS)
    save_splits(paths["track2"], [track2] * FOLDS)
    paths["global-time"] = paths["track1"].with_name("global-time.npz")
    save_splits(paths["global-time"], [Split(roles, np.zeros(0, bool))])
    # The first rating of each user is held out.
    paths["four-folds"] = paths["track1"].with_name("four-folds.npz")
    chance = np.where(item == 0, TEST, TRAIN).astype(np.uint8)
    save_splits(paths["four-folds"], [Split(chance, np.zeros(0, bool))] * FOLDS)
    saved = folder / "views" / DATASET / "kddcup2011.npz"
    view.save(saved)
    data = folder / "data" / DATASET
    data.mkdir(parents=True)
    frame = pl.DataFrame({"user": user, "item": item, "rating": rating, "timestamp": time})
    frame.write_parquet(data / "interactions.parquet")
    pl.DataFrame({"item": np.arange(12, dtype=np.int32)}).write_parquet(data / "items.parquet")
    (data / "summary.json").write_text("{}")
    names = ("interactions.parquet", "items.parquet", "summary.json")
    return [*paths.values(), saved, *(data / name for name in names)]


def test_table1_counts_every_part(results):
    sizes = tables.table1(results).tidy.set_index(["method", "measure"])["mean"]
    assert sizes["track1"].to_dict() == {
        "users": USERS,
        "items": 12,
        "train": 3 * USERS,
        "validation": USERS,
        "test": 6 * USERS,
    }
    # The drawn items belong to the test of Track 2.
    assert sizes["track2", "test"] == 3


def test_track1_has_the_share_of_variance_that_is_explained(results):
    tidy = tables.track1(results).tidy.set_index(["method", "measure"])
    rating = results.view("kddcup2011").ratings.rating.reshape(USERS, 10)[:, 4:]
    rmse = tidy.loc[("mf-biased", "rmse"), "mean"]
    expected = 1 - rmse**2 / rating.var(dtype=np.float64)
    assert tidy.loc[("mf-biased", "r2"), "mean"] == pytest.approx(expected)
    assert rmse == pytest.approx(1.0, abs=1e-3)


def test_track2_compares_with_observed_only_over_users(results):
    table = tables.track2(results)
    tidy = table.tidy.set_index("method")
    allrank = tidy.loc["allrank-binary-factors"]
    assert allrank["gain"] == pytest.approx(-0.2, abs=1e-6)
    assert allrank["relative"] == pytest.approx(-50, abs=1e-3)
    assert allrank["gain_low"] <= allrank["gain"] <= allrank["gain_high"] < 0
    assert np.isnan(tidy.loc["observed-only", "gain"])
    assert tidy.loc[BLEND, "mean"] == pytest.approx(0.15)
    assert "–" in table.shown.iloc[0].tolist()


def test_blend_is_set_against_the_best_single_method(results):
    tidy = tables.blend(results).tidy
    errors = tidy[tidy["measure"] == "track2_error"].set_index("method")
    assert list(errors.index) == ["allrank-binary-factors", BLEND]
    assert errors.loc[BLEND, "relative"] == pytest.approx(-25, abs=1e-3)
    weights = tidy[tidy["measure"] == "track2_error weight"].set_index("method")["mean"]
    assert weights.to_dict() == {"observed-only": 0.1, "allrank-binary-factors": 0.9}


def test_steps_are_relative_changes_of_both_measures(results):
    tidy = tables.steps(results).tidy.set_index(["step", "measure"])["mean"]
    assert tidy["5 to 10 factors", "rmse"] == pytest.approx(100 * (1.0 / 1.1 - 1), abs=0.01)
    assert tidy["5 to 10 factors", "track2_error"] == pytest.approx(-100 / 3, abs=0.01)
    assert tidy["blend", "rmse"] == pytest.approx(-2, abs=0.01)


def test_factors_are_relative_to_the_fewest(results):
    data = factor_sweep(results).set_index(["measure", "factors"])
    assert data.loc[("track2_error", 2), "relative"] == 0
    assert data.loc[("track2_error", 10), "relative"] == pytest.approx(-50, abs=0.01)
    assert data.loc[("rmse", 10), "n"] == FOLDS


def test_profile_speaks_of_validation_activity_and_tail(results):
    tidy = tables.profile(results).tidy.set_index(["method", "measure"])
    low = "share of ratings below the middle"
    rating = results.view("kddcup2011").ratings.rating.reshape(USERS, 10)
    assert tidy.loc[("validation", low), "mean"] == pytest.approx((rating[:, 6:] < 3).mean())
    assert tidy.loc[("train", low), "mean"] == pytest.approx((rating[:, :6] < 3).mean())
    gap = tidy.loc[("validation − train", low)]
    assert gap["low"] < gap["mean"] < gap["high"]
    shares = tidy.xs("share of ratings", level="measure")["mean"]
    assert shares[["head", "middle", "tail"]].sum() == pytest.approx(1)
    assert Profile(results).catalogue == 12


def test_both_tracks_are_in_the_tables_of_settings(results):
    chosen = tables.chosen(results)
    assert set(chosen.tidy["track"]) == {"1", "2", "1, one moment"}
    assert len(tables.grid(results).tidy) == 7
    # The page lists every choice at an edge from this table.
    at_edge = chosen.tidy[chosen.tidy["edge"] != ""]
    assert at_edge["study"].tolist() == [TRACK1, ONE_MOMENT]


def test_a_study_that_a_dataset_does_not_have_is_left_out_of_the_choices(results):
    results._files = [file for file in results._files if ONE_MOMENT not in file.parts]
    assert set(tables.chosen(results).tidy["track"]) == {"1", "2"}


def test_choices_at_an_edge_are_marked_in_the_tables_of_both_tracks(results):
    blend = tables.blend(results)
    assert blend.shown["method"].tolist()[::2] == [
        "mf-biased † (best single)",
        "allrank-binary-factors (best single)",
    ]
    assert any("mf-biased: lambda in 1 of 2 folds" in note for note in blend.notes)
    moment = tables.one_moment(results)
    cells = moment.shown.iloc[0].tolist()
    assert [text.endswith("†") for text in cells] == [False, True, True]
    assert "mf-biased under global-time: lambda in 1 of 2 folds" in moment.notes[-1]
    steps = tables.steps(results)
    shown = steps.shown.set_index(["step", "measure"])[["before", "after"]]
    marks = {key: [text.endswith("†") for text in row] for key, row in shown.T.items()}
    assert marks == {
        ("2 to 5 factors", "RMSE"): [False, False],
        ("2 to 5 factors", "Track 2 error"): [False, True],
        ("5 to 10 factors", "RMSE"): [False, True],
        ("5 to 10 factors", "Track 2 error"): [True, False],
        ("blend", "RMSE"): [True, False],
        ("blend", "Track 2 error"): [False, False],
    }
    assert "allrank-binary-factors, 5 to 10 factors: lambda" in steps.notes[-1]


def test_every_promised_table_can_be_made(results):
    for name in outline("kddcup2011").tables:
        tidy = getattr(tables, name)(results).tidy
        needed = {"dataset", "method", "measure", "mean"}
        assert needed <= set(tidy.columns), name


def test_leaks_tell_who_rates_later_than_what_is_held_out(results):
    table = tables.leaks(results)
    found = table.tidy.pivot(index="method", columns="measure", values="mean")
    # All users rate in the same weeks, the held-out ratings of Track 1 after training.
    assert found.loc["track1"].tolist() == [0, 0, 0, 0]
    leaky = found.loc["four-folds"]
    assert leaky[["by_anyone", "by_user", "later_training"]].tolist() == [1, 1, 1]
    # Each item has its week, so that nobody rates one again.
    assert leaky["by_item"] == 0
    assert table.shown.set_index("protocol").loc["four-folds", "the user rated later"] == "100.0%"


def test_one_moment_stands_beside_track_1_for_methods_that_both_have(results):
    table = tables.one_moment(results)
    assert table.shown["method"].tolist() == ["mf-biased"]
    found = table.tidy.set_index("protocol")["mean"]
    assert found["track1"] == pytest.approx(1.0, abs=0.01)
    assert found["global-time"] == pytest.approx(1.5, abs=0.01)
    assert "240 ratings of 40 users; 0 of 40 users came later" in table.notes[1]


def test_published_numbers_stand_beside_the_papers_datasets_only(results):
    results.dataset = "yahoo-music"
    assert anchor(results, "track1", "rmse", "best") == 21
    assert np.isnan(anchor(results, "track2", "error_percent", "best"))
    assert published_share(results, "track", "share of items") == pytest.approx(0.8115)
    assert np.isnan(published_share(results, "track", "share of validation ratings"))


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([0] * 6 + [5] * 5 + [4] * 7, [6, 11]),
        ([0] * 4 + [1] * 4 + [9] * 4, [8, 4]),
        ([1, 2], []),
    ],
)
def test_change_points_are_where_the_level_jumps(series, expected):
    assert change_points(np.array(series, float), 2) == expected


def test_change_points_are_the_best_of_all_cuts():
    series = np.random.default_rng(8).standard_normal(14)

    def cost(*cuts):
        ends = [0, *cuts, len(series)]
        return sum(((s := series[a:b]) - s.mean()) @ (s - s.mean()) for a, b in pairwise(ends))

    every = [(a, b) for a in range(1, 13) for b in range(a + 1, 14)]
    best = min(every, key=lambda cuts: cost(*cuts))
    assert tuple(sorted(change_points(series, 2))) == best


def test_local_maxima_include_the_ends():
    values = np.arange(0, 110, 10.0)
    counts = np.array([9, 1, 2, 8, 1, 9, 2, 7, 3, 8, 4])
    assert local_maxima(values, counts).tolist() == [0, 30, 50, 70, 90]


def test_interval_of_a_difference_of_shares_is_that_of_a_bootstrap():
    random = np.random.default_rng(9)
    first, second = random.integers(4, 5, 500), random.integers(5, 60, 500)
    low = [random.binomial(first, 0.2).astype(float), random.binomial(second, 0.3).astype(float)]
    columns = (low[0], first.astype(float), low[1], second.astype(float))
    one, other, margin = difference_of_shares(*columns)
    samples = random.multinomial(500, np.full(500, 1 / 500), size=4000)
    sums = [samples @ column for column in columns]
    spread = (sums[0] / sums[1] - sums[2] / sums[3]).std()
    assert one == pytest.approx(low[0].sum() / first.sum())
    assert other == pytest.approx(low[1].sum() / second.sum())
    assert margin == pytest.approx(1.96 * spread, rel=0.08)


def test_figures_and_methods_that_need_what_a_dataset_lacks_are_left_out():
    plan = outline("kddcup2011")
    lacking = {name: plan.missing(name, []) for name in plan.figures}
    assert {name for name, missing in lacking.items() if missing} == {
        "figure1",
        "figure3",
        "figure6",
    }
    assert plan.missing("figure1", ["timestamps"]) is None
    assert plan.missing("figure6", ["timestamps"]) == "item-types"
    config = {
        "datasets": {"flat": {"generator": {}}, "deep": {"generator": {"taxonomy": 0.8}}},
        "studies": {"s": {"protocol": "track1", "methods": ["mf-biased", "mf-taxonomy"]}},
        "methods": {"mf-biased": {}, "mf-taxonomy": {"needs": "taxonomy"}},
    }
    assert settings.methods(config, "s", "flat") == ["mf-biased"]
    assert settings.methods(config, "s", "deep") == ["mf-biased", "mf-taxonomy"]


def test_arithmetic_of_the_published_sizes():
    """Section 2.2 and Table 1: the parts add up, with four and six ratings a user."""
    sizes = read_published("kddcup2011", "datasets").set_index("task")
    parts = sizes[["train", "validation", "test"]].sum(axis=1)
    assert parts["track1"] == 262_810_175
    assert parts["track2"] == 62_551_438
    assert sizes.loc["track1", "validation"] == 4 * sizes.loc["track1", "users"]
    assert sizes.loc["track1", "test"] == 6 * sizes.loc["track1", "users"]
    assert sizes.loc["track2", "test"] == 6 * 101_172


def test_arithmetic_of_the_published_results():
    """Section 5: the explained variance on both datasets, and the RMSE on a scale of 1 to 5."""
    anchors = read_published("kddcup2011", "anchors").set_index(["quantity", "condition"])
    best, variance = anchors.loc[("rmse", "best"), "value"], 1084.5
    assert 100 * (1 - best**2 / variance) == pytest.approx(59.3, abs=0.05)
    netflix_variance, unexplained = 1.276, 0.732
    assert 1 - unexplained / netflix_variance == pytest.approx(0.426, abs=5e-4)
    assert best / 25 == pytest.approx(0.84)


def test_differences_are_those_of_the_tables(results):
    tidy = tables.differences(results).tidy
    change = tidy[tidy["fact"] == "blend, change in %"].set_index("measure")
    assert change.loc["rmse", "mean"] == pytest.approx(-2, abs=0.01)
    assert change.loc["track2_error", "mean"] == pytest.approx(-25, abs=0.01)
    assert change.loc["track2_error", "minus"] == "allrank-binary-factors"
    between = tidy[tidy["fact"] == "blend, error − RMSE in %"].iloc[0]
    assert between["mean"] == pytest.approx(-23, abs=0.02)
    # All methods vary alike over users, so a paired difference hardly varies.
    assert between["high"] - between["low"] < 0.5
    # The methods are so far apart that their order is the same on all halves.
    halves = tidy[tidy["fact"] == "the best three in one order on both halves"]
    assert halves["mean"].tolist() == [1, 1]


def test_more_factors_are_compared_over_users(results):
    """From a quarter of the largest number on, at the values of users that were kept of each."""
    tidy = tables.differences(results).tidy.set_index(["fact", "method"])
    rows = tidy.loc["more factors, change in %"]
    assert rows["mean"].to_dict() == {
        "mf-biased": pytest.approx(-100 / 6, abs=0.01),
        "allrank-binary-factors": pytest.approx(-50, abs=0.01),
    }
    assert (rows["at"] == "2 to 10 factors").all()
    # A t-distribution over two folds would reach farther by much.
    assert ((rows["high"] - rows["low"]).between(1e-6, 1)).all()
    gap = tidy.loc[("more factors, error − RMSE in %", "allrank-binary-factors")]
    assert gap["mean"] == pytest.approx(-50 + 100 / 6, abs=0.02)


def test_the_median_step_has_an_interval(results):
    tidy = tables.differences(results).tidy.set_index("fact")
    steps = tables.steps(results).tidy
    medians = steps["mean"].abs().groupby(steps["measure"]).median()
    found = tidy.loc["median step in %"].set_index("measure")["mean"]
    assert found.to_dict() == pytest.approx(medians.to_dict(), abs=1e-3)
    assert found["rmse"] == pytest.approx(100 * (1 - 1.1 / 1.2), abs=0.01)
    gap = tidy.loc["median step, error − RMSE in %"]
    assert gap["mean"] == pytest.approx(found["track2_error"] - found["rmse"])
    assert gap["low"] < gap["mean"] < gap["high"]


def test_a_number_of_factors_that_one_fold_tried_is_no_step(results):
    """Its mean is over other folds than its neighbour's."""
    scores = results.scores(TRACK1)
    lost = (scores["setting.factors"] == 2) & (scores["fold"] == 1)
    results._scores[TRACK1] = scores[~lost]
    steps = tables.steps(results).tidy
    tried = steps[steps["method"] == "mf-biased"]["step"]
    assert tried.tolist() == ["5 to 10 factors"]
    assert set(Means(results).along(TRACK1, "mf-biased", "factors")) == {5, 10}


def test_skewness_has_the_error_of_its_bootstrap():
    values = np.random.default_rng(1).gamma(3.0, size=800)
    skewness, error = skewness_and_error(values)
    assert skewness == pytest.approx(stats.skew(values))
    random = np.random.default_rng(2)
    samples = [stats.skew(values[random.integers(800, size=800)]) for _ in range(400)]
    assert error == pytest.approx(np.std(samples), rel=0.2)
    assert skewness_and_error(np.ones(3)) == (0.0, 0.0)


def test_the_best_single_method_is_chosen_on_validation(tmp_path):
    """The best on test is another, so a blend set against it would gain something else."""
    values = {"first": (1.0, 1.4), "second": (1.2, 1.1), "third": (1.3, 1.5)}
    files = []
    for method, parts in values.items():
        found = SearchedFold([{}], 0)
        for name, value in zip(("validation", "test"), parts, strict=True):
            scores = UserValues(np.full(USERS, value**2), np.ones(USERS), pooled=True, rooted=True)
            found.scores[0, "unseen", name] = {"rmse": scores}
        stem = tmp_path / "scores" / TRACK1 / DATASET / method / "0-0"
        stem.parent.mkdir(parents=True)
        write_scores(stem.with_suffix(".csv"), {0: found})
        files.append(str(stem.with_suffix(".csv")))
    entry = {"candidates": ["unseen"], "average": "pair", "methods": list(values)}
    results = Results(DATASET, files, {"studies": {TRACK1: entry}, "methods": {}})
    assert best_on_validation(results, TRACK1, "rmse") == "first"
    # The same rule where the claims compare.
    means = SimpleNamespace(results=results)
    assert Means.best(means, TRACK1) == "first"
    assert Means.best(means, TRACK1, ("second", "third")) == "second"


@pytest.mark.parametrize("kind", ["a$\\frac{ b$", "_", "7"])
def test_types_of_a_catalogue_are_drawn_as_text(tmp_path, monkeypatch, kind):
    """They come from a data file: a formula that cannot be read would end the job."""
    shares = pl.DataFrame({"type": [kind] * 2, "from": [1, 10], "to": [10, 99], "share": [0.5, 1]})
    monkeypatch.setattr(figures, "Profile", lambda _: SimpleNamespace(types_by_activity=shares))
    figure = figures.figure6(SimpleNamespace(dataset="d"))
    write_figure(figure, tmp_path / "figure6")
    shown = figure.canvas.axes[0].get_legend().get_texts()[-1].get_text()
    assert shown.replace("\\$", "$").strip() == kind
