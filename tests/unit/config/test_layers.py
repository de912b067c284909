"""Which of several entries wins: the general one, the study's, the dataset's."""

import pytest

from mnar.config import paths, settings


@pytest.fixture
def config():
    return {
        "seed": 1,
        "search": {"beyond_edges": 2},
        "views": {"v": {"min_user": 5, "relevant": 4}},
        "protocols": {"four-folds": {"folds": 4, "test": 0.2}, "probe": {"folds": 2}},
        "datasets": {
            "plain": {"quick": True},
            "large": {},
            "own": {
                "views": {"v": {"min_user": 20}},
                "protocols": {"four-folds": {"folds": 6}},
                "methods": {"m": {"grid": {"lambda": [7]}}},
            },
            "other": {"instead": {"four-folds": "probe"}, "generator": {"users": 3}},
        },
        "methods": {
            "m": {
                "module": "svd",
                "settings": {"factors": 4, "sweeps": 3},
                "grid": {"lambda": [1, 2]},
                "select_by": "atop",
                "quick": {"grid": {"lambda": [1]}},
            },
            "n": {"module": "svd", "select_by": "atop"},
        },
        "studies": {
            "s": {"view": "v", "protocol": "four-folds", "methods": ["m", "n"], "sets": ["test"]},
            "searching": {
                "view": "v",
                "protocol": "four-folds",
                "methods": ["m"],
                "sets": ["complete"],
                "select_by": "rmse",
                "search": {"m": {"settings": {"factors": 8}, "grid": {"lambda": [5, 6]}}},
            },
        },
    }


def test_a_datasets_own_recipe_wins(config):
    assert settings.view_settings(config, "own", "v")["min_user"] == 20
    assert settings.view_settings(config, "own", "v")["relevant"] == 4
    assert settings.view_settings(config, "plain", "v")["min_user"] == 5


def test_a_datasets_own_protocol_settings_win(config):
    assert settings.protocol_settings(config, "own", "four-folds") == {"folds": 6, "test": 0.2}
    assert settings.protocol_settings(config, "plain", "four-folds") == {"folds": 4, "test": 0.2}
    assert settings.folds(config, "s", "own") == 6


def test_a_studys_rule_of_choice_holds_for_all_its_methods(config):
    found = settings.method_settings(config, "searching", "large", "m")
    assert found["select_by"] == "rmse"
    assert settings.method_settings(config, "s", "large", "m")["select_by"] == "atop"


@pytest.mark.parametrize("dataset", ["large", "plain"])
def test_a_studys_own_search_wins(config, dataset):
    found = settings.method_settings(config, "searching", dataset, "m")
    assert found["grid"] == {"lambda": [5, 6]}
    assert found["settings"] == {"factors": 8, "sweeps": 3}


def test_a_quick_search_is_for_quick_datasets(config):
    assert settings.method_settings(config, "s", "plain", "m")["grid"] == {"lambda": [1]}
    assert settings.method_settings(config, "s", "large", "m")["grid"] == {"lambda": [1, 2]}
    assert settings.method_settings(config, "s", "own", "m")["grid"] == {"lambda": [7]}


def test_every_fold_is_trained(config):
    assert settings.batches(config, "s", "plain") == ["0-3"]
    assert settings.batches(config, "s", "large") == ["0-0", "1-1", "2-2", "3-3"]
    assert len(settings.batches(config, "s", "own")) == 6


def test_a_dataset_may_have_another_protocol_instead(config):
    assert settings.protocol_of(config, "s", "other") == "probe"
    assert settings.protocol_of(config, "s", "plain") == "four-folds"
    assert settings.folds(config, "s", "other") == 2
    files = paths.study_files(config, "s", "other")
    assert files == {
        "view": "results/views/other/v.npz",
        "splits": "results/splits/other/v/probe.npz",
    }


def test_complete_ratings_are_taken_where_they_are_generated(config):
    assert "complete" not in paths.study_files(config, "searching", "plain")
    found = paths.study_files(config, "searching", "other")
    assert found["complete"] == "results/complete/other/v.npz"


def test_score_files_are_those_of_all_folds(config):
    found = paths.score_files(config, "s", "large", "m")
    assert found == [f"results/scores/s/large/m/{fold}-{fold}.csv" for fold in range(4)]


def test_jobs_are_given_what_they_read(config):
    study = config["studies"]["s"]
    study |= {"estimators": ["adg~naive"], "catalogues": ["v"], "datasets": ["plain"]}
    assert settings.trained_settings(config, "s") == {"sets": ["test"]}
    analysed = {"sets": ["test"], "estimators": ["adg~naive"], "catalogues": ["v"]}
    assert settings.study_settings(config, "s") == analysed
    config["datasets"]["plain"] |= {"scale": [1, 5], "relevant": 4, "download": {"url": "u"}}
    read = {"scale": [1, 5], "download": {"url": "u"}}
    assert settings.reading_settings(config, "plain") == read
    assert settings.download_settings(config, "plain") == {"download": {"url": "u"}}


def test_trust_takes_the_measures_of_its_parts_too():
    part = {"measures": ["adg", "mae"], "price": {"measures": ["atop"]}, "gamma": {"edges": [1, 2]}}
    assert settings.trust_measures(part) == ["adg", "atop"]
    assert settings.trust_measures({"seeds": 1}) == []
