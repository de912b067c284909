"""The config is checked as a whole: the message names the key, what was found, what is known."""

import copy
import re
from pathlib import Path

import pytest
import yaml

from mnar.config import settings
from mnar.core.errors import UserError

ROOT = Path(__file__).parents[3]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def changed(path, value):
    config = copy.deepcopy(CONFIG)
    place = config
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return config


def test_the_config_of_the_project_is_good():
    settings.check(CONFIG)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["sede"], 1, "config: unknown key 'sede'; known are"),
        (["seed"], "ten", 'seed: expected integer, found "ten"'),
        (["datasets", "synthetic", "relevent"], 4, "datasets.synthetic: unknown key 'relevent'"),
        (["datasets", "synthetic", "scale"], [1, "five"], "datasets.synthetic.scale.1: expected"),
        (["studies", "lim2015", "view"], "lim", "studies.lim2015.view: unknown view 'lim'; known"),
        (["studies", "lim2015", "protocol"], "fold", "studies.lim2015.protocol: unknown protocol"),
        (["studies", "lim2015", "methods"], ["mf"], "studies.lim2015.methods: unknown method 'mf'"),
        (["studies", "lim2015", "chosen_measures"], ["adgg"], "studies.lim2015.measures: "),
        (["experiments", "lim2015", "datasets"], ["x"], "unknown dataset 'x'; known are"),
        (["methods", "new-method"], {}, "methods.new-method: unknown method 'new-method'; known"),
        (["protocols", "six-folds"], {"folds": 6}, "protocols: unknown protocol 'six-folds'"),
        (["methods", "mf-adg", "select_by"], "map@3", "select_by of mf-adg: unknown measure"),
        (
            ["methods", "svd", "grid", "factors"],
            [5, -1],
            "methods.svd.grid.factors: expected a whole",
        ),
        (["methods", "svd", "quick", "grid", "factors"], [2.5], "methods.svd.quick.grid.factors: "),
        (["methods", "mf-auc", "settings", "iterations"], True, "methods.mf-auc.settings.iteratio"),
        (
            ["studies", "lim2015", "search", "dense-svd", "grid", "lambda"],
            ["much"],
            "studies.lim2015.search.dense-svd.grid.lambda: expected a number from 0 up, found 'much'",
        ),
        (
            ["datasets", "movielens-small", "methods", "pradel-allrank", "settings"],
            {"factors": 0},
            "datasets.movielens-small.methods.pradel-allrank.settings.factors: ",
        ),
    ],
)
def test_what_is_wrong_is_named(path, value, message):
    with pytest.raises(UserError, match=re.escape(message)):
        settings.check(changed(path, value))


def test_folds_of_quick_data_share_a_job():
    assert settings.batches(CONFIG, "lim2015", "synthetic") == ["0-3"]
    assert settings.batches(CONFIG, "lim2015", "movielens-1m") == ["0-0", "1-1", "2-2", "3-3"]


def test_quick_datasets_take_the_quick_grid():
    quick = settings.method_settings(CONFIG, "lim2015", "synthetic", "mf-adg")
    full = settings.method_settings(CONFIG, "lim2015", "movielens-1m", "mf-adg")
    assert quick["grid"] == CONFIG["methods"]["mf-adg"]["quick"]["grid"]
    assert full["grid"] == CONFIG["methods"]["mf-adg"]["grid"]
    assert quick["settings"] == full["settings"]


def test_a_dataset_adds_its_recipe_to_a_view():
    view = settings.view_settings(CONFIG, "movielens-10m", "lim2015")
    assert view["top_items"] == 5000
    assert view["keep"] == "relevant"
    assert view["dataset_relevant"] == 4


def test_what_a_study_says_of_a_search_goes_first():
    given = {
        "datasets": {
            "small": {"quick": True},
            "large": {},
            "odd": {"methods": {"m": {"quick": True}}},
        },
        "methods": {
            "m": {
                "settings": {"factors": 50},
                "grid": {"lambda": [1, 2]},
                "refine": 1,
                "quick": {"settings": {"factors": 5}, "grid": {"lambda": [1]}, "refine": 0},
                "select_by": "atop",
            }
        },
        "studies": {
            "plain": {},
            "own": {
                "search": {"m": {"grid": {"lambda": [7]}, "quick": {"settings": {"sweeps": 3}}}}
            },
        },
    }

    def found(study, dataset):
        asked = settings.method_settings(given, study, dataset, "m")
        return asked["settings"], asked["grid"]["lambda"], asked["refine"]

    assert found("plain", "large") == ({"factors": 50}, [1, 2], 1)
    assert found("plain", "small") == ({"factors": 5}, [1], 0)
    assert found("plain", "odd") == ({"factors": 5}, [1], 0)
    assert found("own", "large") == ({"factors": 50}, [7], 1)
    assert found("own", "small") == ({"factors": 5, "sweeps": 3}, [7], 0)


def test_a_dataset_may_have_another_protocol_and_large_ones_a_fold_a_job():
    given = {
        "datasets": {"small": {"quick": True}, "netflix": {"instead": {"last-five": "probe"}}},
        "protocols": {"last-five": {"folds": 7}, "probe": {"folds": 2}},
        "studies": {"s": {"protocol": "last-five"}},
    }
    assert settings.protocol_of(given, "s", "small") == "last-five"
    assert settings.protocol_of(given, "s", "netflix") == "probe"
    assert settings.batches(given, "s", "small") == ["0-6"]
    assert settings.batches(given, "s", "netflix") == ["0-0", "1-1"]
