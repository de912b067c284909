"""Templates of given scores: one study never reads what was trained for another one."""

import copy

import pytest
from helpers.configs import project_config

from mnar.config import checking
from mnar.core.errors import UserError

PLAIN = "scores/{dataset}/{fold}.csv"


def checked(methods, systems=None):
    """The config with methods of given scores: name -> (template, studies, datasets or none)."""
    config = copy.deepcopy(project_config())
    for name, (template, studies, *datasets) in methods.items():
        config["methods"][name] = {"scores": template} | (
            {"datasets": datasets[0]} if datasets else {}
        )
        for study in studies:
            listed = config["studies"][study]["methods"]
            config["studies"][study]["methods"] = [*listed, name]
    config["trust"]["systems"] |= systems or {}
    checking.check(config)


FINE = {
    "one study": ({"a": (PLAIN, ["lim2015"]), "b": (PLAIN, ["lim2015"])}, {}),
    "the study in the path": (
        {"a": ("{study}/{dataset}/{fold}.csv", ["lim2015", "steck2010"])},
        {"mine": {"scores": "{study}/{dataset}/{fold}.csv", "datasets": ["coat"]}},
    ),
    "other datasets": (
        {"a": (PLAIN, ["lim2015"], ["movielens-small"]), "b": (PLAIN, ["steck2010"], ["coat"])},
        {},
    ),
    "other files": (
        {"a": (PLAIN, ["lim2015"]), "b": ("more/{dataset}/{fold}.csv", ["steck2010"])},
        {},
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_files_of_one_study_each_are_fine(name):
    checked(*FINE[name])


LEAKS = {
    "one method": (
        {"a": (PLAIN, ["lim2015", "steck2010"])},
        {},
        "methods.a.scores: scores/{dataset}/{fold}.csv is read by the studies lim2015 and steck2010;",
    ),
    "two methods": (
        {"a": (PLAIN, ["lim2015"]), "b": (PLAIN, ["steck2010"])},
        {},
        "lim2015 and steck2010 (methods.b);",
    ),
    "spelt in another way": (
        {"a": (PLAIN, ["lim2015"]), "b": (f"./{PLAIN}", ["steck2010"])},
        {},
        "lim2015 and steck2010 (methods.b);",
    ),
    "the name of a study written out": (
        {"a": ("{study}/{dataset}/{fold}.csv", ["lim2015"])},
        {"mine": {"scores": "lim2015/{dataset}/{fold}.csv", "datasets": ["coat"]}},
        "lim2015 and trust (trust.systems.mine);",
    ),
    "experiment trust": (
        {"a": (PLAIN, ["lim2015"])},
        {"mine": {"scores": PLAIN, "datasets": ["coat"]}},
        "lim2015 and trust (trust.systems.mine);",
    ),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_file_of_two_studies_is_refused(name):
    methods, systems, words = LEAKS[name]
    with pytest.raises(UserError, match="would hold what another one tests") as error:
        checked(methods, systems)
    assert words in str(error.value)
