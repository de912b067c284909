"""Tables of pradel2012 on made-up scores: optima, rules and differences over the same users."""

import numpy as np
import pandas as pd
import pytest
from helpers.rated_view import made_view

from mnar.experiments.pradel2012 import (
    BINARY,
    METHOD,
    MODELS,
    differences,
    figures,
    interval_rule,
    tables,
)
from mnar.experiments.pradel2012.all_models import Grid, set_of
from mnar.experiments.pradel2012.cells import difference_row
from mnar.measures import UserValues
from mnar.reporting.results import Results
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import REFINED, SearchedFold

STUDY = {
    "view": "pradel2012",
    "protocol": "strong",
    "candidates": ["unseen"],
    "average": "user",
    "sets": ["validation", "random"],
    "measures": ["auc", "auc_aman"],
    "methods": ["pradel-allrank"],
}


POINTS = [{"missing_weight": w, "lambda": p} for w in (0, 0.01, 1) for p in (0.1, 1)]
# Values of λ that only refining tries.
HALFWAY = (0.3,)


def made_results(
    tmp_path,
    value,
    searches=(POINTS, POINTS),
    method=METHOD,
    measures=("auc", "auc_aman"),
    edge=None,
):
    """Score files of two runs on a small grid: value(point, set, measure, user), edge(run, point)."""
    view = made_view()
    outcomes = {}
    for run, points in enumerate(searches):
        outcome = SearchedFold(points, 0)
        for number, point in enumerate(points):
            outcome.edges[number] = edge(run, point) if edge else []
            if point.get("lambda") in HALFWAY:
                outcome.steps[number] = REFINED
            for name, names in (("validation", measures), ("random", ["auc"])):
                outcome.scores[number, "unseen", name] = {
                    m: UserValues(
                        np.array([value(point, name, m, user) for user in range(view.shape[0])]),
                        np.ones(view.shape[0]),
                    )
                    for m in names
                }
        outcomes[run] = outcome
    folder = tmp_path / "results" / "scores" / "pradel2012" / "made" / method
    folder.mkdir(parents=True)
    runs.write_scores(folder / "0-1.csv", outcomes)
    runs.write_user_values(folder / "0-1.npz", outcomes, "all")
    path = tmp_path / "results" / "views" / "made" / "pradel2012.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    view.save(path)
    files = [str(folder / "0-1.csv"), str(folder / "0-1.npz"), str(path)]
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


def test_a_setting_is_the_same_in_all_runs_whatever_its_number(tmp_path):
    """One run went beyond an edge of λ: its points have other numbers, and more than those."""

    def value(point, name, measure, user):
        return 0.1 + 0.5 * point["missing_weight"] + 0.1 * point["lambda"] + 0.001 * user

    beyond = [{"missing_weight": w, "lambda": p} for w in (1, 0.01, 0) for p in (0.01, 1, 0.1)]
    found = [
        Grid(made_results(tmp_path / name, value, searches), "pradel-allrank")
        for name, searches in (("same", (POINTS, POINTS)), ("other", (POINTS, beyond)))
    ]
    pd.testing.assert_frame_equal(found[0].points, found[1].points)
    pd.testing.assert_frame_equal(found[0].means, found[1].means)
    samples = [grid.samples("auc", list(grid.points.index)) for grid in found]
    assert np.array_equal(*samples)
    values = [grid.user_values("auc", 3) for grid in found]
    assert np.array_equal(values[0], values[1])


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


def ruled(tmp_path):
    """AUC, AUC_AMAN and AUC_rand have their optima at w_m 0, 1 and 0.01; users differ by more."""
    peaks = {("validation", "auc"): 0, ("validation", "auc_aman"): 1, ("random", "auc"): 0.01}

    def value(point, name, measure, user):
        right = point["missing_weight"] == peaks[name, measure]
        # A little noise, so that differences have an interval.
        noise = 0.001 * ((7 * user + len(str(point["missing_weight"]))) % 5)
        return 0.2 + 0.2 * right + 0.1 * (point["lambda"] == 1) + 0.01 * user + noise

    return made_results(tmp_path, value)


def test_a_rule_loses_to_the_best_model(tmp_path):
    results = ruled(tmp_path)
    results.config["studies"]["pradel2012"] = {**STUDY, "methods": [METHOD]}
    grid = Grid(results, "pradel-allrank")
    chosen = {rule: interval_rule._chosen_by(grid, rule) for rule in ("interval", "auc")}
    rows = pd.DataFrame(interval_rule._judged(grid, results, "auc_rand", chosen)).set_index("rule")
    # AUC prefers w_m = 0, the interval rule takes the middle of 0.01 (for 0) and 1.
    assert rows.loc["auc", "missing_weight"] == 0
    assert rows.loc["auc", "loss"] == pytest.approx(20, abs=0.3)
    assert rows.loc["auc", "loss_low"] <= rows.loc["auc", "loss"] <= rows.loc["auc", "loss_high"]
    assert (rows["loss"] >= -1e-9).all()
    assert rows.loc["interval", "gain"] == 0
    gain = rows.loc["interval", "mean"] - rows.loc["auc", "mean"]
    assert rows.loc["auc", "gain"] == pytest.approx(gain)


def test_published_numbers_of_table_1_are_of_the_same_weight_and_penalty(tmp_path, monkeypatch):
    points = [{"missing_weight": w, "lambda": p} for w in (0, 0.001, 0.1, 0.5) for p in (0.01, 0.1)]
    results = made_results(tmp_path, lambda point, *_: 0.5 + point["lambda"], (points, points))
    columns = ["w_m", "lambda", "auc_aman", "auc_rand"]
    others = [(weight, 7, 1, 2) for weight in (0, 0.001, 0.1, 0.5)]
    models = [(w, p, 10 + n, 20 + n) for n, (w, p) in enumerate(MODELS)]
    paper = pd.DataFrame([*others, *models], columns=columns)
    monkeypatch.setattr(Results, "published", lambda results, name: paper)
    tidy = tables.table1(results).tidy
    tidy = tidy[tidy["kind"] == "model"].set_index("measure")
    assert tidy.loc["auc_aman", "published"].tolist() == [10, 11, 12, 13]
    assert tidy.loc["auc_rand", "published"].tolist() == [20, 21, 22, 23]


def test_models_are_compared_in_the_same_samples(tmp_path):
    results = ruled(tmp_path)
    grid = Grid(results, "pradel-allrank")
    # λ = 1 against λ = 0.1 at the same weight: ten points for every user.
    row = difference_row(grid, results, "auc", 1, 0)
    assert [row[name] for name in ("mean", "low", "high")] == pytest.approx([10] * 3, abs=1e-3)


def test_auc_rand_is_taken_on_random_ratings(tmp_path):
    grid = Grid(ruled(tmp_path), "pradel-allrank")
    assert set_of("auc_rand") == ("random", "auc")
    assert set_of("auc") == ("validation", "auc")
    assert grid.weight_of(grid.best("auc_rand")) == 0.01
    # The samples of a measure lie around its mean: both are of the same set.
    for measure in ("auc", "auc_rand", "auc_aman"):
        point = grid.best(measure)
        drawn = grid.samples(measure, [point]).mean()
        assert drawn == pytest.approx(grid.means.loc[point, measure], abs=1)


def test_refined_points_are_in_no_sweep(tmp_path):
    """They lie around one weight only, which would be searched more finely than the others."""
    points = [*POINTS, {"missing_weight": 1, "lambda": 0.3}]

    def value(point, name, measure, user):
        return 0.2 + 0.5 * (point["lambda"] in HALFWAY) + 0.1 * (point["lambda"] == 1)

    grid = Grid(made_results(tmp_path, value, (points, points)), METHOD)
    assert grid.penalties == [0.1, 1]
    assert grid.points.loc[grid.best("auc"), "lambda"] == 1


MEASURES = ("auc", "auc_aman", "atop", "recall@10", "head_10", "head_20", "head_50")


def at_an_edge(tmp_path, edges):
    """AUC is best at λ = 1 of every weight; the other measures, and random ratings, at λ = 0.1."""

    def value(point, name, measure, user):
        right = (point["lambda"] == 1) == (measure == "auc" and name == "validation")
        peak = {"auc": 0.01, "auc_aman": 1}.get(measure, 0)
        return 0.2 + 0.2 * right + 0.1 * (point["missing_weight"] == peak) + 0.01 * user

    made = [
        made_results(tmp_path / m, value, method=m, measures=MEASURES, edge=edges)
        for m in (METHOD, BINARY)
    ]
    study = STUDY | {"methods": [METHOD, BINARY]}
    files = [str(file) for one in made for file in one._files]
    return Results("made", files, {"studies": {"pradel2012": study}})


def test_choices_at_an_edge_are_marked_where_the_number_stands(tmp_path):
    """Of one run only λ = 1 is at an edge, and w_m = 1 as well: a curve against w_m has no such edge."""

    def edges(run, point):
        at = ["lambda"] if run == 0 and point["lambda"] == 1 else []
        return [*at, "missing_weight"] if point["missing_weight"] == 1 else at

    results = at_an_edge(tmp_path, edges)
    grid = Grid(results, METHOD)
    (both,) = [p for p in grid.points.index if grid.name_of(p) == "w_m 1, λ 1"]
    assert (grid.edge_of(both), grid.edge_in_sweep(both)) == ("lambda missing_weight", "lambda")
    second = tables.table2(results)
    columns = second.shown.set_index("λ")
    assert columns.loc["1", "AUC"].endswith("†")
    others = second.shown.drop(columns="AUC").to_numpy().astype(str)
    assert not np.char.endswith(others, "†").any()
    assert "(AUC: λ at w_m 0, 0.01, 1)" in second.notes[-1]
    titles = [name for name in tables.table3(results).shown if "†" in name]
    assert titles == ["best for AUC (w_m 0.01, λ 1) †", "best for AUC-AMAN (w_m 1, λ 0.1) †"]
    optima = tables.optima(results).shown.set_index("measure")[["best w_m", "λ"]]
    assert optima.loc["AUC"].tolist() == ["0.01", "1 †"]
    assert optima.loc["AUC-AMAN"].tolist() == ["1 †", "0.1"]
    assert optima.loc["AUC-rand"].tolist() == ["0.01", "0.1"]
    binary = tables.values_vs_binary(results).shown.set_index("percent")
    for column in ("rating values", "binary ratings"):
        assert binary.loc["AUC", column].endswith("†")
        assert not binary.loc["AUC-rand", column].endswith("†")
    rule = tables.interval_rule(results).shown.set_index("chosen by")["w_m"]
    assert rule["AUC"].endswith("†")
    assert not rule["Recall@10"].endswith("†")


def test_curves_have_rings_where_lambda_is_at_an_edge(tmp_path):
    results = at_an_edge(tmp_path, lambda run, point: ["lambda"] if point["lambda"] == 1 else [])
    figure = figures.figure3(results)
    sweep = figure.data[figure.data["kind"] == "sweep"].set_index("measure")["edge"]
    assert set(sweep["auc"]) == {"lambda"}
    assert set(sweep["recall@10"]) == {""}
    assert figure.caption.endswith("Rings: other settings at an edge of their search.")
    rings = [line for line in figure.canvas.axes[0].lines if line.get_markerfacecolor() == "none"]
    assert [len(ring.get_xdata()) for ring in rings] == [3, 0]
    plain = at_an_edge(tmp_path / "plain", lambda run, point: [])
    assert "Rings" not in figures.figure3(plain).caption
    assert not any("†" in note for note in tables.table2(plain).notes)
