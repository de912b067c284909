"""Whatever is compared stands among the rivals of its study, and rivals are searched alike."""

import copy
import re
from itertools import product

import pytest
from helpers.configs import project_config

from mnar.config import checking, equal_search, rivals, settings
from mnar.core.errors import UserError
from mnar.experiments import kddcup2011, lim2015, steck2010
from mnar.experiments.kddcup2011 import differences as of_kddcup2011
from mnar.experiments.lim2015 import differences as of_lim2015
from mnar.experiments.pradel2012 import METHOD
from mnar.experiments.steck2010 import differences as of_steck2010
from mnar.experiments.steck2010 import facts, top_differences

CONFIG = project_config()
IN_STECK2010 = {
    *facts.IN_ATOP,
    *of_steck2010.IN_RMSE,
    *top_differences.IN_TOPS,
    (steck2010.ALLRANK, steck2010.ATOP_TUNED),
}
# The pairs that differences.py of each experiment subtracts, or that a claim reads: by study.
COMPARED = {
    "lim2015": {
        tuple(lim2015.PAIR),
        *product(lim2015.PAIR, [of_lim2015.SVD]),
        (of_lim2015.ALLRANK, lim2015.PAIR[1]),
        (lim2015.PAIR[1], "mf-adg-c1"),
        (lim2015.PAIR[0], "bpr"),
    },
    "steck2010": IN_STECK2010,
    "steck2010-rel4": IN_STECK2010,
    "pradel2012": {(METHOD, "pradel-allrank-binary")},
    "kddcup2011-track1": {
        *of_kddcup2011.SYSTEMS[kddcup2011.TRACK1],
        *product(of_kddcup2011.FACTORISATIONS, of_kddcup2011.OTHER_KINDS),
        *kddcup2011.TAXONOMY_STEPS[kddcup2011.TRACK1].values(),
    },
    "kddcup2011-track2": {
        *of_kddcup2011.SYSTEMS[kddcup2011.TRACK2],
        *product(of_kddcup2011.ENTRIES, of_kddcup2011.PAIRWISE),
        *product(of_kddcup2011.ENTRIES, [kddcup2011.BASELINE]),
        (of_kddcup2011.BALANCED, of_kddcup2011.ALL_MISSING),
        *kddcup2011.TAXONOMY_STEPS[kddcup2011.TRACK2].values(),
    },
}


def changed(*path_and_value):
    *path, value = path_and_value
    config = copy.deepcopy(CONFIG)
    inner = config
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return config


def uncovered(config, study):
    """Compared pairs that are no rivals on some dataset, although both are searched there."""
    found = set()
    for dataset in equal_search._datasets_of(config, study):
        there = settings.methods(config, study, dataset)
        searched = settings.settings_of_methods(config, study, dataset, there)
        with_search = {method for method, search in searched.items() if search["grid"]}
        rival = rivals.pairs(config["studies"][study], dataset)
        compared = {frozenset(pair) for pair in COMPARED[study]}
        found |= {pair for pair in compared if pair <= with_search and pair not in rival}
    return found


@pytest.mark.parametrize("study", COMPARED)
def test_what_is_compared_stands_among_the_rivals(study):
    assert uncovered(CONFIG, study) == set()
    without = changed("studies", study, "rivals", [])
    assert uncovered(without, study)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        # One searches what the other has fixed: by a setting, or by the method's default.
        (
            ["methods", "mf-temporal", "quick", "grid", "factors"],
            [5, 10, 20],
            "kddcup2011-track1.rivals (dataset movielens-small): mf-biased-fixed and mf-temporal are "
            "compared, but not searched alike: factors is 20 and [5, 10, 20]",
        ),
        (
            ["methods", "bpr", "settings"],
            {"factors": 50, "iterations": 1000000},
            "initial_scale is",
        ),
        (
            ["methods", "mf-adg", "grid", "decay"],
            [True, False],
            "mf-auc and mf-adg are compared, but not searched alike: decay is False and [True, False]",
        ),
        (
            ["studies", "kddcup2011-track2", "search", "observed-only", "quick", "settings"],
            {"factors": 10},
            "observed-only and dense-svd are compared, but not searched alike: factors is 10 and 20",
        ),
        (
            [
                "studies",
                "kddcup2011-track2",
                "search",
                "allrank-binary-regression",
                "grid",
                "factors",
            ],
            [5, 50],
            "factors is 50 and [5, 50]",
        ),
    ],
)
def test_a_search_over_what_a_rival_has_fixed_is_refused(path, value, message):
    config = changed(*path, value)
    if message == "initial_scale is":
        # Fixed by both, by one only as its default: nobody searches it.
        checking.check(config)
        return
    with pytest.raises(UserError, match=re.escape(message)):
        checking.check(config)


def test_a_grid_goes_before_a_setting_of_its_own():
    """mf-taxonomy has 50 factors, and the study sweeps them for it as for mf-biased."""
    study, dataset = "kddcup2011-track1", "synthetic-taxonomy"
    search = settings.method_settings(CONFIG, study, dataset, "mf-taxonomy")
    assert "factors" in search["grid"]
    assert "factors" in search["settings"]
    checking.check(CONFIG)
    single = {"factors": [50], "lambda": [0.05, 0.1]}
    checking.check(changed("methods", "mf-temporal", "grid", single | {"moving_penalty": [30]}))


def test_an_exception_names_its_parameters_and_the_reason():
    where = ["studies", "lim2015", "rivals"]
    entry = {
        "methods": ["mf-auc", "mf-adg"],
        "against": ["svd"],
        "unlike": ["factors"],
        "why": "so",
    }
    groups = CONFIG["studies"]["lim2015"]["rivals"][:3]
    checking.check(changed(*where, [*groups, entry]))
    with pytest.raises(UserError, match=re.escape("mf-auc and svd are compared, but not searched")):
        checking.check(changed(*where, [*groups, entry | {"unlike": ["lambda"]}]))
    for key in ("unlike", "why"):
        lacking = {name: value for name, value in entry.items() if name != key}
        with pytest.raises(UserError, match=f"the key '{key}' is missing"):
            checking.check(changed(*where, [*groups, lacking]))
    with pytest.raises(UserError, match="unknown method 'svdd'"):
        checking.check(changed(*where, [*groups, entry | {"against": ["svdd"]}]))
    with pytest.raises(UserError, match="unknown dataset 'coatt'; did you mean 'coat'"):
        checking.check(changed(*where, [*groups, entry | {"datasets": ["coatt"]}]))


def test_an_exception_for_one_dataset_is_none_for_others():
    study = CONFIG["studies"]["kddcup2011-track2"]
    pair = frozenset(["allrank-regression", "mf-balanced"])
    assert rivals.pairs(study, "yahoo-music-2")[pair] == {"lambda"}
    assert rivals.pairs(study, "movielens-small")[pair] == set()
