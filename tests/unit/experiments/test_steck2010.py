"""Tables and figures of steck2010 on fabricated runs, where the right answer is known."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from mnar.core.files import write_arrays, write_csv
from mnar.experiments.steck2010 import (
    ALLRANK,
    ATOP_TUNED,
    BINARY,
    DENSE,
    LOGISTIC,
    STUDY,
    WEIGHTS,
    differences,
    figures,
    tables,
)
from mnar.experiments.steck2010.cells import spread
from mnar.experiments.steck2010.resampling import Resampling
from mnar.experiments.steck2010.table2 import setting_text
from mnar.experiments.steck2010.table3 import PUBLISHED
from mnar.experiments.steck2010.top_of_list import TopOfList, sampled, simulated
from mnar.experiments.steck2010.training_tables import weights_text
from mnar.measures import UserValues
from mnar.reporting.published_numbers import read_published
from mnar.reporting.results import Results
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import SearchedFold

USERS = 40


def study(method):
    return {"candidates": ["all"], "average": "pair", "view": "v", "methods": [method]}


def write_run(folder, name, method, points, atop, edge=()):
    """A run of two folds; atop[fold][point] is (xv, test), the same for all users."""
    where = folder / "scores" / name / "d" / method
    where.mkdir(parents=True)
    outcomes = {}
    for fold, values in enumerate(atop):
        best = int(np.argmax([xv for xv, _ in values]))
        outcome = SearchedFold(points, best)
        outcome.edges = {best: list(edge)}
        for point, pair in enumerate(values):
            for part, value in zip(("validation", "test"), pair, strict=True):
                # Twice as many pairs for odd users: the average over pairs must see them.
                weight = 1.0 + np.arange(USERS) % 2
                scores = {"atop": UserValues(value * weight, weight)}
                outcome.scores[point, "all", part] = scores
        outcomes[fold] = outcome
    runs.write_scores(where / "0-1.csv", outcomes)
    runs.write_user_values(where / "0-1.npz", outcomes, "all")
    return [str(where / f"0-1.{ending}") for ending in ("csv", "npz")]


def test_the_gain_of_weights_is_that_of_the_best_on_xv(tmp_path):
    points = [{"weights": levels} for levels in ({}, {"5": 2}, {"1": 0.5})]
    # The best on test is never the best on xv.
    atop = [
        [(0.80, 0.70), (0.85, 0.72), (0.70, 0.99)],
        [(0.80, 0.70), (0.79, 0.99), (0.81, 0.71)],
    ]
    files = write_run(tmp_path, WEIGHTS, "w", points, atop)
    results = Results("d", files, {"studies": {WEIGHTS: study("w")}, "methods": {"w": {}}})
    tidy = tables.weights(results).tidy.set_index("method")
    assert tidy.loc["w(r) = 1", "mean"] == pytest.approx(0.70)
    assert tidy.loc["gain", "mean"] == pytest.approx((0.02 + 0.01) / 2)
    # All users gain alike, so resampling them changes nothing.
    assert tidy.loc["gain", ["low", "high"]].tolist() == pytest.approx([0.015, 0.015], abs=1e-6)


def test_resampling_is_paired_over_users(tmp_path):
    names = ("first", "second")
    random = np.random.default_rng(1)
    base = random.random(USERS)
    files = []
    for number, name in enumerate(names):
        files += write_run(tmp_path, "s", name, [{}], [[(0.5, 0.5)]] * 2)
        path = tmp_path / "scores/s/d" / name / "0-1.npz"
        arrays = dict(np.load(path))
        for key in arrays:
            if key.endswith("test/totals"):
                weight = arrays[key.replace("totals", "weights")]
                arrays[key] = ((base + 0.1 * number) * weight)[None].astype(np.float32)
        write_arrays(path, arrays)
    config = {"studies": {"s": {**study("first"), "methods": list(names)}}, "methods": {}}
    resampling = Resampling(Results("d", files, config), "s")
    low, high = resampling.difference("second", "first", "atop")
    assert (low, high) == pytest.approx((0.1, 0.1), abs=1e-6)
    assert np.ptp(resampling.means("first", "atop")) > 0.05


def ranks_file(path, above, tied, candidates=200):
    """Ranks of one method in one fold, test set, both readings."""
    user = np.arange(len(above), dtype=np.int32) // 2
    arrays = {}
    for reading in ("all", "unseen"):
        for part in ("validation", "test"):
            where = f"v/0/{reading}/{part}"
            arrays[f"{where}/user"] = user
            arrays[f"{where}/n_candidates"] = np.full(len(above), candidates, np.int32)
            arrays[f"{where}/m/above"] = np.asarray(above, np.int32)
            arrays[f"{where}/m/tied"] = np.asarray(tied, np.int32)
    path.parent.mkdir(parents=True)
    write_arrays(path, arrays)


@pytest.fixture
def tops(tmp_path):
    random = np.random.default_rng(2)
    path = tmp_path / "analyses" / "steck2010" / "d" / "ranks.npz"
    ranks_file(path, random.integers(0, 150, 60) // 3, random.integers(1, 40, 60))
    config = {"studies": {"steck2010": {**study("m"), "catalogues": ["v"]}}, "methods": {"m": {}}}
    return TopOfList(Results("d", [str(path)], config))


def test_samples_really_drawn_agree_with_the_expectation(tops):
    for sample in (11, 101, 1001):
        for name, drawn in simulated(tops, "m", sample).items():
            assert drawn.expected == pytest.approx(tops.by_fold("m", name)[0], abs=1e-12)
            assert abs(drawn.mean - drawn.expected) <= 4 * drawn.sem + 1e-12, name


def test_topk_against_itself_has_no_difference(tops):
    low, high = tops.differences("m", "m", ["topk(0.02)", sampled(0.02, 101)])
    assert not low.any()
    assert not high.any()


def test_a_sample_flatters_the_very_top(tops):
    assert tops.by_fold("m", sampled(0.0, 101))[0] > tops.by_fold("m", "topk(0)")[0]
    assert tops.by_fold("m", sampled(None, 101)) == pytest.approx(tops.by_fold("m", "atop"))


# A config whose study has no method with scores.
NO_SCORES = {"studies": {"steck2010": {"methods": []}}}


def test_cost_without_a_method_that_diverged(tmp_path):
    rows = [(ALLRANK, 1, 2.0, 10), (ALLRANK, 2, 1.0, 10), (ATOP_TUNED, 1, 1.0, 5)]
    path = tmp_path / "analyses" / "steck2010" / "d" / "convergence.csv"
    path.parent.mkdir(parents=True)
    write_csv(path, ["method", "sweep", "objective", "operations"], rows)
    table = tables.cost(Results("d", [str(path)], NO_SCORES))
    assert table.shown["method"].tolist() == [ALLRANK, ATOP_TUNED]
    assert set(table.tidy["method"]) == {ALLRANK, ATOP_TUNED, "w_m > 0 over w_m = 0, a sweep"}


def test_a_method_without_ranks_has_no_numbers(tops):
    """Its model has diverged; the others keep theirs."""
    assert np.isnan(tops.by_fold("gone", "atop")).all()
    assert np.isnan(tops.difference("m", "gone", "topk(0)")).all()
    drawn = simulated(tops, "gone", 101)
    assert list(drawn) == list(simulated(tops, "m", 101))
    assert all(np.isnan(found.mean) for found in drawn.values())
    assert np.isfinite(tops.by_fold("m", "atop")).all()


def test_cost_counts_sweeps_until_the_objective_is_near(tmp_path):
    curves = {
        ALLRANK: ([200, 101, 100.4, 100.1, 100], 1040),
        ATOP_TUNED: ([300, 100, 100, 100, 100], 1000),
        BINARY: ([101, 100, 100, 100, 100], 10),
        LOGISTIC: ([-90, -99, -99.4, -99.6, -100], 500),
    }
    rows = [
        (method, sweep, value, work)
        for method, (values, work) in curves.items()
        for sweep, value in enumerate(values, start=1)
    ]
    path = tmp_path / "analyses" / "steck2010" / "d" / "convergence.csv"
    path.parent.mkdir(parents=True)
    write_csv(path, ["method", "sweep", "objective", "operations"], rows)
    tidy = tables.cost(Results("d", [str(path)], NO_SCORES)).tidy.set_index(["method", "measure"])[
        "mean"
    ]
    assert [tidy[m, "sweeps"] for m in curves] == [3, 2, 2, 4]
    assert tidy["w_m > 0 over w_m = 0, a sweep", "ratio"] == pytest.approx(1.04)
    assert tidy["logistic over least squares, to convergence", "ratio"] == 100
    assert tidy[ALLRANK, "objective_never_rises"] == 1


def test_fold_in_is_compared_on_the_same_seed(tmp_path):
    rows = [
        ("m", fold, "users", model, 10, value + 0.1 * fold)
        for fold in (0, 1)
        for model, value in (("trained", 0.8), ("folded in", 0.79))
    ]
    # Two users with five pairs each: the first loses 0.02, the second nothing.
    lost = {"trained": [0.0, 0.0], "folded in": [0.02, 0.0]}
    kept = {
        f"m/{fold}/users/{model}": (
            np.array([1, 3]),
            5 * (0.8 + 0.1 * fold - np.array(lost[model])),
        )
        for _, fold, _, model, _, _ in rows
    }
    arrays = {f"{stem}/users": users for stem, (users, _) in kept.items()}
    arrays |= {f"{stem}/totals": totals for stem, (_, totals) in kept.items()}
    arrays |= {f"{stem}/weights": np.array([5.0, 5.0]) for stem in kept}
    path = tmp_path / "analyses" / "steck2010" / "d" / "fold_in_loss.csv"
    path.parent.mkdir(parents=True)
    columns = ["method", "fold", "new", "model", "pairs", "atop"]
    write_csv(path, columns, rows)
    write_arrays(path.with_suffix(".npz"), arrays)
    files = [str(path), str(path.with_suffix(".npz"))]
    tidy = tables.fold_in(Results("d", files, NO_SCORES)).tidy.set_index("model")
    # Folds are averaged and users are drawn: the gap is from −0.02 to 0, though no seed differs.
    assert tidy.loc["gap", "low"] == pytest.approx(-0.02)
    assert tidy.loc["gap", "high"] == pytest.approx(0, abs=1e-12)
    assert tidy.loc["gap", "mean"] == pytest.approx(-0.01)
    assert tidy.loc["gap", "sd"] == pytest.approx(0, abs=1e-12)
    assert tidy.loc["trained", "sd"] == pytest.approx(np.std([0.8, 0.9], ddof=1))
    assert (tidy["pairs"] == 20).all()


def test_settings_are_shown_as_chosen():
    frame = pd.DataFrame({"measure": ["lambda"], "low": [0.05], "high": [0.05], "mean": [0.05]})
    assert setting_text(frame, "lambda") == "0.05"
    assert setting_text(frame.assign(high=0.08), "lambda") == "0.05 to 0.08"
    assert setting_text(frame, "imputed") == "–"
    assert weights_text(json.dumps({"weights": {}})) == "all 1"


def made_curve(tmp_path, atop):
    """AllRank at some (w_m, r_m), the same in two folds: (w_m, r_m) -> (xv, test)."""
    points = [{"missing_weight": w, "imputed": r} for w, r in atop]
    files = write_run(tmp_path, STUDY, ALLRANK, points, [list(atop.values())] * 2)
    files += write_run(tmp_path, STUDY, ATOP_TUNED, [{}], [[(0.6, 0.6)]] * 2)
    swept = ["missing_weight", "imputed"]
    entry = {**study(ALLRANK), "methods": [ALLRANK, ATOP_TUNED], "sweeps": swept}
    return Results("d", files, {"studies": {STUDY: entry}, "methods": {}})


def test_curves_over_imputed_ratings(tmp_path):
    atop = {
        (0, 1): (0.70, 0.70), (0.1, 1): (0.80, 0.84), (0, 2): (0.70, 0.70), (0.1, 2): (0.90, 0.86),
        (0, 4): (0.60, 0.61), (0.1, 4): (0.50, 0.40), (0, 5): (0.50, 0.55), (0.1, 5): (0.60, 0.57),
    }  # fmt: skip
    results = made_curve(tmp_path, atop)
    rows = pd.DataFrame(differences._over_imputed(results, mean=3.5)).set_index(["fact", "set"])
    assert rows.loc[("best r_m", "validation"), "mean"] == 2
    assert rows.loc[("range of r_m up to 2", "test"), "mean"] == pytest.approx(0.02, abs=1e-6)
    assert rows.loc[("r_m from the mean on − r_m 2", "test"), "mean"] == pytest.approx(
        0.61 - 0.86, abs=1e-6
    )
    assert rows.loc[("range of r_m from the mean on", "test"), "mean"] == pytest.approx(
        0.04, abs=1e-6
    )
    # The model without weight against the best with one, at the same r_m.
    ahead = rows.loc["w_m 0 − best w_m above 0"].set_index("at")["mean"]
    assert ahead.to_dict() == pytest.approx({4: 0.21, 5: -0.02}, abs=1e-6)
    # Against a model that was trained by itself.
    level = rows.loc["minus observed-only"].set_index("at")["mean"]
    assert level.to_dict() == pytest.approx({4: 0.01, 5: -0.03}, abs=1e-6)


def test_curves_over_weights(tmp_path):
    atop = {(0, 2): (0.7, 0.7), (0.01, 2): (0.8, 0.9), (0.1, 2): (0.9, 0.8), (1, 2): (0.6, 0.85)}
    rows = pd.DataFrame(differences._over_weights(made_curve(tmp_path, atop)))
    best = rows[rows["fact"] == "best w_m"].set_index("set")["mean"]
    assert best.to_dict() == {"validation": 0.1, "test": 0.01}
    rise = rows[rows["fact"] == "largest rise away from the best w_m"].iloc[0]
    assert rise[["mean", "low", "high"]].tolist() == pytest.approx([0.05] * 3, abs=1e-6)
    gains = rows[rows["fact"] == "w_m − w_m 0"].set_index("at")["mean"]
    assert gains.to_dict() == pytest.approx({0.01: 0.2, 0.1: 0.1, 1: 0.15}, abs=1e-6)
    halves = rows[rows["fact"] == "xv − test over w_m"].set_index("at")["mean"]
    assert halves.to_dict() == pytest.approx({0: 0, 0.01: -0.1, 0.1: 0.1, 1: -0.25}, abs=1e-6)


def test_values_that_were_not_searched_alike_are_no_curve(tmp_path):
    """r_m = 2 had two weights, r_m = 1 only one of them."""
    atop = {(0, 2): (0.7, 0.7), (0.1, 2): (0.9, 0.8), (0.1, 1): (0.6, 0.6)}
    results = made_curve(tmp_path, atop)
    with pytest.raises(ValueError, match="values of imputed were not searched alike"):
        differences.Curve(results, "imputed")
    results.config["studies"][STUDY]["sweeps"] = []
    with pytest.raises(ValueError, match="sweeps does not name missing_weight"):
        differences.Curve(results, "missing_weight")


def test_refined_points_are_no_part_of_a_curve(tmp_path):
    atop = {(0, 2): (0.7, 0.7), (0.1, 2): (0.8, 0.8), (0.05, 2): (0.9, 0.9)}
    results = made_curve(tmp_path, atop)
    scores = results.scores(STUDY)
    scores.loc[scores["setting.missing_weight"] == 0.05, "step"] = "refined"
    assert differences.Curve(results, "missing_weight").at.tolist() == [0, 0.1]


def test_the_best_of_all_settings_is_chosen_on_xv(tmp_path):
    # The best on test is another, and so are the first and the last that were tried.
    atop = {(0, 2): (0.7, 0.95), (0.1, 2): (0.9, 0.8), (1, 2): (0.6, 0.85)}
    found = differences._best_of_all(made_curve(tmp_path, atop), "atop")
    assert found[0] == pytest.approx(0.8, abs=1e-6)


def test_spread_is_the_deviation_over_seeds():
    found = spread([0.70, 0.72, 0.77])
    assert found["sd"] == pytest.approx(np.std([0.70, 0.72, 0.77], ddof=1))
    assert found["sem"] == pytest.approx(found["sd"] / np.sqrt(3))
    assert (found["n"], found["mean"]) == (3, pytest.approx(0.73))


@pytest.mark.parametrize("parameter", ["imputed", "missing_weight"])
def test_figures_1_and_2_tune_the_other_parameter_on_xv(tmp_path, monkeypatch, parameter):
    """At each value of one parameter another value of the other one is the best on test."""
    atop = {
        (0, 1): (0.70, 0.75), (0.1, 1): (0.80, 0.60), (1, 1): (0.75, 0.95),
        (0, 2): (0.50, 0.90), (0.1, 2): (0.60, 0.92), (1, 2): (0.90, 0.65),
    }  # fmt: skip
    results = made_curve(tmp_path, atop)
    results.config["methods"] = {ALLRANK: {"select_by": "atop"}, ATOP_TUNED: {"select_by": "atop"}}
    view = SimpleNamespace(ratings=SimpleNamespace(rating=np.array([3.0, 4.0])))
    view.facts = {"density": 0.1}
    monkeypatch.setattr(Results, "view", lambda *_: view)
    monkeypatch.setattr(figures, "_balancing_weight", lambda *_: 0.1)
    data = {"imputed": figures.figure1, "missing_weight": figures.figure2}[parameter](results).data
    position = {"missing_weight": 0, "imputed": 1}[parameter]
    for value in {key[position] for key in atop}:
        xv, test = max(pair for key, pair in atop.items() if key[position] == value)
        for name, expected in (("validation", xv), ("test", test)):
            here = (data["set"] == name) & (data[parameter] == value) & (data["measure"] == "atop")
            assert data.loc[here, "mean"].iloc[0] == pytest.approx(expected, abs=1e-6), value
    if parameter == "imputed":
        # λ is tuned on xv without missing ratings, too; there is one λ here.
        without = data.set_index(["imputed", "set"])["atop_without_missing"]
        assert without[1, "test"] == pytest.approx(0.75, abs=1e-6)
        assert without[2, "test"] == pytest.approx(0.90, abs=1e-6)


def test_the_plateau_without_missing_ratings_is_tuned_on_xv(tmp_path):
    points = [{"missing_weight": 0, "imputed": 2, "lambda": lam} for lam in (0.1, 1)]
    files = write_run(tmp_path, STUDY, ALLRANK, points, [[(0.7, 0.6), (0.6, 0.9)]] * 2)
    entry = {**study(ALLRANK), "sweeps": ["imputed"]}
    results = Results("d", files, {"studies": {STUDY: entry}, "methods": {}})
    assert figures._without_missing(results, pd.Series([2])) == pytest.approx([0.6], abs=1e-6)


def test_differences_over_users_are_paired_where_users_differ(tmp_path):
    """Users of very different values; the two sides differ by noise that is small beside it."""
    random = np.random.default_rng(7)
    base = random.random(USERS)
    noise = 0.01 * random.random(USERS)
    files = []
    for name, values in (("first", base + noise), ("second", base)):
        files += write_run(tmp_path, "s", name, [{}], [[(0.5, 0.5)]] * 2)
        path = tmp_path / "scores/s/d" / name / "0-1.npz"
        arrays = dict(np.load(path))
        for key in arrays:
            if key.endswith("test/totals"):
                weight = arrays[key.replace("totals", "weights")]
                arrays[key] = (values * weight)[None].astype(np.float32)
        write_arrays(path, arrays)
    config = {
        "studies": {"s": {**study("first"), "methods": ["first", "second"]}},
        "methods": {},
    }
    low, high = Resampling(Results("d", files, config), "s").difference("first", "second", "atop")
    weight = 1.0 + np.arange(USERS) % 2
    assert low < np.average(noise, weights=weight) < high
    assert high - low < 0.003


def test_published_differences_are_taken_as_ours(tmp_path, monkeypatch):
    files = []
    for method, test in ((ALLRANK, 0.93), (DENSE, 0.91)):
        files += write_run(tmp_path, STUDY, method, [{}], [[(0.5, test)]] * 2)
    paper = read_published("steck2010", "table2")
    monkeypatch.setattr(Results, "published", lambda results, name: paper)
    config = {"studies": {STUDY: {**study(ALLRANK), "methods": [ALLRANK, DENSE]}}, "methods": {}}
    [row] = tables.table2_differences(Results("d", files, config)).tidy.to_dict("records")
    assert (row["method"], row["minus"]) == (ALLRANK, DENSE)
    assert row["mean"] == pytest.approx(0.02)
    assert row["published"] == pytest.approx(0.933 - 0.915)
    assert row["difference"] == pytest.approx(0.002)


def test_the_published_topk_stands_beside_the_sampled_one():
    """The paper ranks among 1,000 others drawn at random (section 6.2)."""
    assert PUBLISHED == {
        "sampled_topk(0,1001)": "topk_0pct",
        "sampled_topk(0.002,1001)": "topk_0.2pct",
        "sampled_topk(0.02,1001)": "topk_2pct",
        "rmse": "rmse",
        "atop": "atop",
    }


def test_the_optimum_is_the_best_on_xv():
    rows = [("validation", 0.0, 0.7), ("validation", 0.1, 0.9), ("validation", 1.0, 0.8)]
    rows += [("test", 0.0, 0.95), ("test", 0.1, 0.6), ("test", 1.0, 0.7)]
    data = pd.DataFrame(rows, columns=["set", "missing_weight", "mean"])
    assert figures._optimum(data, "missing_weight") == 0.1


def test_figure_3_names_the_curves_whose_choice_is_at_an_edge(tmp_path, monkeypatch):
    names = (ALLRANK, ATOP_TUNED, "bestseller-mean", "bestseller-count-relevant")
    atop = [[(0.5, 0.5)], [(0.5, 0.5)]]
    edges = {ALLRANK: ["lambda"]}
    files = [
        file
        for name in names
        for file in write_run(tmp_path, STUDY, name, [{"lambda": 1}], atop, edges.get(name, ()))
    ]
    config = {"studies": {STUDY: {**study(ALLRANK), "methods": list(names)}}, "methods": {}}
    config["methods"] = {name: {"module": name} for name in names}
    config["methods"][ATOP_TUNED] = {"module": "observed-only"}
    tops = SimpleNamespace(
        differences=lambda first, second, measures: (0.0, 0.0),
        by_fold=lambda *_: np.array([0.4, 0.5]),
    )
    monkeypatch.setattr(figures, "top_of_list", lambda results: tops)
    figure = figures.figure3(Results("d", files, config))
    labels = [text.get_text() for text in figure.canvas.axes[0].get_legend().get_texts()]
    assert labels == [f"{ALLRANK} †", ATOP_TUNED, "bestseller-count-relevant", "bestseller-mean"]
    assert f"({ALLRANK}: lambda in 2 of 2 folds)" in figure.caption
