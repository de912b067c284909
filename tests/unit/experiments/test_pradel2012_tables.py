"""Tables of pradel2012 on made-up scores: optima, rules and differences over the same users."""

import numpy as np
import pandas as pd
import pytest
from helpers.rated_view import made_view

from mnar.experiments.pradel2012 import METHOD, differences, interval_rule
from mnar.experiments.pradel2012.all_models import Grid, set_of
from mnar.experiments.pradel2012.cells import difference_row
from mnar.measures import UserValues
from mnar.reporting.results import Results
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import SearchedFold

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


def made_results(tmp_path, value, searches=(POINTS, POINTS)):
    """Score files of two runs on a small grid: value(weight, penalty, set, measure, user)."""
    view = made_view()
    outcomes = {}
    for run, points in enumerate(searches):
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
    path = tmp_path / "results" / "views" / "made" / "pradel2012.npz"
    path.parent.mkdir(parents=True)
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
