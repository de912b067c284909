"""Scores on disk, and the settings that are taken from them again."""

import numpy as np
import pandas as pd
import pytest

from mnar.core.seeds import seed_of
from mnar.measures import UserValues
from mnar.tuning.chosen_models import choices, chosen_settings
from mnar.tuning.chosen_study import ChosenStudy
from mnar.tuning.fold_search import SearchedFold
from mnar.tuning.scores import read_user_values, write_scores, write_user_values

POINTS = [{"lambda": 1}, {"lambda": 2}, {"lambda": 3}]


@pytest.fixture
def stem(tmp_path):
    """Two folds that chose the second and the first of three points."""
    outcomes = {}
    for fold, chosen in ((0, 1), (1, 0)):
        outcome = SearchedFold(POINTS, chosen)
        outcome.steps = {0: "grid", 1: "grid", 2: "beyond"}
        outcome.edges = {0: ["lambda"], 1: [], 2: ["lambda"]}
        for point in range(len(POINTS)):
            for name in ("validation", "test"):
                weight = np.array([1.0, 3.0, 0.0])
                values = UserValues(np.array([0.1, 0.9, 0]) * weight, weight, left_out=1)
                outcome.scores[point, "all", name] = {"adg": values}
        outcomes[fold] = outcome
    write_scores(tmp_path / "0-1.csv", outcomes)
    write_user_values(tmp_path / "0-1.npz", outcomes, "chosen")
    return tmp_path / "0-1"


def test_both_means_stand_in_their_columns(stem):
    rows = pd.read_csv(stem.with_suffix(".csv"))
    assert len(rows) == 2 * 2 * len(POINTS)
    assert rows["user_mean"].to_numpy() == pytest.approx(0.5)
    assert rows["pair_mean"].to_numpy() == pytest.approx((0.1 + 3 * 0.9) / 4)
    assert set(rows["users"]) == {2}
    assert set(rows["left_out"]) == {1}


def test_edges_and_steps_are_kept_of_every_point(stem):
    rows = pd.read_csv(stem.with_suffix(".csv"), keep_default_na=False)
    edges = rows.groupby(["fold", "point"])["edge"].unique().map(list)
    assert edges[0].tolist() == edges[1].tolist() == [["lambda"], [""], ["lambda"]]
    steps = rows.groupby(["fold", "point"])["step"].unique().map(list)
    assert steps[0].tolist() == [["grid"], ["grid"], ["beyond"]]


def test_a_model_is_trained_again_at_what_was_chosen(stem):
    path = stem.with_suffix(".csv")
    assert chosen_settings([path]) == {0: {"lambda": 2}, 1: {"lambda": 1}}
    found = choices({"module": "svd", "settings": {"factors": 4}}, [path])
    assert {fold: choice.settings for fold, choice in found.items()} == {
        0: {"factors": 4, "lambda": 2},
        1: {"factors": 4, "lambda": 1},
    }


def test_values_of_users_are_those_of_the_chosen_point(stem):
    found = read_user_values([stem.with_suffix(".npz")])
    assert set(found) == {(fold, "all", name) for fold in (0, 1) for name in ("validation", "test")}
    assert found[0, "all", "test"].points.tolist() == [1]
    part = found[0, "all", "test"]
    assert part.users.tolist() == [0, 1]
    assert part.values("adg").mean("user") == pytest.approx(0.5)


def test_values_of_users_are_kept_of_the_best_at_each_swept_value(stem, tmp_path):
    """The chosen point is first: whoever names no point gets its values."""
    outcome = SearchedFold(POINTS, 1, swept=[0, 1])
    for point in range(len(POINTS)):
        values = UserValues(np.array([0.1 * (point + 1)]), np.ones(1))
        outcome.scores[point, "all", "test"] = {"adg": values}
    kept = {}
    for which in ("chosen", "swept", "all"):
        write_user_values(tmp_path / "0-0.npz", {0: outcome}, which)
        kept[which] = read_user_values([tmp_path / "0-0.npz"])[0, "all", "test"]
    assert {which: part.points.tolist() for which, part in kept.items()} == {
        "chosen": [1],
        "swept": [1, 0],
        "all": [0, 1, 2],
    }
    assert kept["swept"].values("adg").mean() == pytest.approx(0.2)
    assert kept["swept"].values("adg", 0).mean() == pytest.approx(0.1)


def test_an_analysis_trains_with_the_seed_of_the_search():
    """As workflow/scripts/train.py takes it: of dataset, study and fold."""
    study = ChosenStudy("s", "d", {}, None, "", 3, {}, {}, 7, 1)
    assert [study.fold_seed(fold) for fold in range(3)] == [
        seed_of(7, "d", "s", fold) for fold in range(3)
    ]
    assert len({study.fold_seed(fold) for fold in range(3)}) == 3
