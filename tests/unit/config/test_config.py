"""The config is checked as a whole: the message names the key, the value found, and the known ones."""

import copy
import re
from pathlib import Path

import pytest
from helpers.configs import project_config

from mnar.config import checking, paths, settings
from mnar.core.errors import UserError

ROOT = Path(__file__).parents[3]
CONFIG = project_config()


def changed(path, value):
    config = copy.deepcopy(CONFIG)
    inner = config
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return config


def test_the_config_of_the_project_is_good():
    checking.check(CONFIG)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["sede"], 1, "config: unknown key 'sede'; did you mean 'seed'? Known are"),
        (["seed"], "ten", 'seed: expected integer, found "ten"'),
        (["datasets", "synthetic", "relevent"], 4, "datasets.synthetic: unknown key 'relevent'"),
        (["datasets", "synthetic", "scale"], [1, "five"], "datasets.synthetic.scale.1: expected"),
        (["studies", "lim2015", "view"], "lim", "studies.lim2015.view: unknown view 'lim'; "),
        (["studies", "lim2015", "protocol"], "fold", "studies.lim2015.protocol: unknown protocol"),
        (
            ["studies", "lim2015", "methods"],
            ["mf"],
            "studies.lim2015.methods: unknown method 'mf'; ",
        ),
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
        checking.check(changed(path, value))


def test_a_union_of_grids_is_refused():
    """It would give r_m = 2 more settings of the others than r_m = 0."""
    union = [
        {"missing_weight": [0, 0.1], "imputed": [2], "lambda": [0.1, 0.2]},
        {"missing_weight": [0.1], "imputed": [0], "lambda": [0.1]},
    ]
    where = ["methods", "allrank-regression"]
    for path in ([*where, "grid"], [*where, "quick", "grid"]):
        with pytest.raises(
            UserError, match=r"grid: expected object, .* would be searched unequally"
        ):
            checking.check(changed(path, union))
    with pytest.raises(UserError, match=r"synthetic_grid.objectives.allrank.grid: expected object"):
        checking.check(changed(["synthetic_grid", "objectives", "allrank", "grid"], union))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["methods", "mf-adg", "grid"], {"lambda": [0.1], "rate": [0.1]}, "mf-adg .* lambda is"),
        (["methods", "mf-adg-c1", "quick"], {"grid": {"lambda": [0.1], "rate": [0.1]}}, "lambda"),
        (
            ["methods", "mf-auc", "settings", "iterations"],
            10,
            "lim2015.* iterations is 10 and 1000",
        ),
        (["methods", "dense-svd", "refine"], 0, "steck2010.*dense-svd .* refine is 1 and 0"),
        (
            ["datasets", "movielens-1m", "methods", "pradel-allrank", "settings", "factors"],
            20,
            "pradel2012.rivals .dataset movielens-1m.: .* factors is 20 and 10; give both the same",
        ),
    ],
)
def test_rivals_that_are_not_searched_alike_are_refused(path, value, message):
    with pytest.raises(UserError, match=message):
        checking.check(changed(path, value))


def test_a_rival_that_cannot_be_trained_may_be_searched_otherwise():
    """Without a taxonomy there is no mf-taxonomy to compare mf-biased with."""
    grid = {"factors": [3], "lambda": [0.1]}
    for dataset in ("movielens-1m", "synthetic-taxonomy"):
        own = {**CONFIG["datasets"][dataset].get("methods", {}), "mf-biased": {"grid": grid}}
        altered = changed(["datasets", dataset, "methods"], own)
        if dataset == "movielens-1m":
            checking.check(altered)
        else:
            with pytest.raises(UserError, match=r"mf-biased and mf-taxonomy are compared, but not"):
                checking.check(altered)


def test_a_sweep_needs_a_parameter_of_some_grid():
    with pytest.raises(
        UserError,
        match=r"lim2015.sweeps: unknown grid parameter 'mising_weight'; did you mean 'missing_weight'",
    ):
        checking.check(changed(["studies", "lim2015", "sweeps"], ["mising_weight"]))


def test_folds_of_quick_data_share_a_job():
    assert settings.batches(CONFIG, "lim2015", "synthetic") == ["0-3"]
    assert settings.batches(CONFIG, "lim2015", "movielens-1m") == ["0-0", "1-1", "2-2", "3-3"]


def test_quick_datasets_take_the_quick_grid():
    quick = settings.method_settings(CONFIG, "lim2015", "synthetic", "mf-adg")
    full = settings.method_settings(CONFIG, "lim2015", "movielens-1m", "mf-adg")
    assert quick["grid"] == CONFIG["methods"]["mf-adg"]["quick"]["grid"]
    assert full["grid"] == CONFIG["methods"]["mf-adg"]["grid"]
    assert quick["settings"] == full["settings"]
    assert quick["beyond_edges"] == full["beyond_edges"] == CONFIG["search"]["beyond_edges"] > 0


def test_a_dataset_adds_its_recipe_to_a_view():
    view = settings.view_settings(CONFIG, "movielens-10m", "lim2015")
    assert view["top_items"] == 5000
    assert view["keep"] == "relevant"
    assert view["dataset_relevant"] == 4


def test_what_a_study_says_of_a_search_goes_first():
    given = {
        "search": {"beyond_edges": 3, "converged": 0.01},
        "datasets": {
            "small": {"quick": True},
            "large": {},
            "odd": {"methods": {"m": {"quick": True}}},
        },
        "methods": {
            "m": {
                "module": "observed-only",
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
        # One bound for all methods that sweep until they have converged.
        assert asked["settings"].pop("converged") == 0.01
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


def test_a_dataset_may_leave_out_methods_or_lack_what_a_protocol_needs():
    timed = {"user": 1, "item": 2, "rating": 3, "timestamp": 4}
    given = {
        "datasets": {
            "all": {"files": {"ratings": "r"}, "format": {"columns": timed}},
            "large": {
                "files": {"ratings": "r"},
                "format": {"columns": timed},
                "without": {"s": ["svd"]},
            },
            "untimed": {
                "files": {"ratings": "r"},
                "format": {"columns": {"user": 1, "item": 2, "rating": 3}},
            },
        },
        "protocols": {"track1": {"folds": 1}, "global-time": {"folds": 1}, "probe": {"folds": 1}},
        "methods": {"svd": {}, "ease": {}, "mf-temporal": {}},
        "studies": {
            "s": {"protocol": "track1", "methods": ["svd", "ease", "mf-temporal"]},
            "timed": {"protocol": "global-time", "methods": ["svd", "ease"]},
        },
    }
    assert settings.methods(given, "s", "all") == ["svd", "ease", "mf-temporal"]
    assert settings.methods(given, "s", "large") == ["ease", "mf-temporal"]
    assert settings.methods(given, "s", "untimed") == ["svd", "ease"]
    assert settings.methods(given, "timed", "large") == ["svd", "ease"]
    assert settings.methods(given, "timed", "untimed") == []
    given["studies"]["timed"]["datasets"] = ["all"]
    assert settings.methods(given, "timed", "large") == []
    assert settings.methods(given, "timed", "all") == ["svd", "ease"]
    assert settings.protocols(given, "all") == ["track1"]
    # Leaks are looked for in every split that can be made, and in those of the studies that run.
    splits = [f"results/splits/all/v/{name}.npz" for name in ("track1", "global-time")]
    assert paths.audited_splits(given, "all", "v", ["s", "timed"]) == splits
    assert paths.audited_splits(given, "all", "v", ["s"]) == splits[:1]
    assert paths.audited_splits(given, "untimed", "v", ["s"]) == []


def test_a_study_may_leave_out_the_methods_that_its_figures_sweep():
    checking.check(changed(["studies", "lim2015", "methods"], ["mf-auc", "mf-adg", "svd"]))
