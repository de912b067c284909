"""Random changes of the config: a wrong number, name or key never passes, and there is no traceback."""

import copy
import datetime

import yaml
from helpers.running import ROOT

from fuzz.refused import refused
from mnar import analyses
from mnar.config import checking, settings
from mnar.reporting.outline import check_studies
from mnar.simulations.generators import grid_settings

CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), 10**400)
ANYTHING = (
    *(None, True, False, 0, -1, 1, 2.5, 10**12, 1e-300, "", "x", "../../x", "{x}", "1e-4", "\0"),
    *(
        [],
        {},
        [None],
        [[]],
        {"x": None},
        {1: 2},
        [1, 1],
        "é",
        datetime.date(2015, 1, 1),
        "x" * 10**4,
    ),
)
# Here a mapping has keys of the user's own.
OPEN = {"datasets", "views", "methods", "studies", "sha256", "weights"}


def cases(folder):
    def case(chance):
        config = copy.deepcopy(CONFIG)
        change = chance.choice([_number, _unknown, _replaced, _replaced, _left_out])
        must_be_refused = change(config, chance)

        def check():
            checking.check(config)
            analyses.check(config["analyses"])
            grid_settings.check(config["synthetic_grid"])
            check_studies(config)

        if refused(check):
            return "refused"
        assert not must_be_refused, must_be_refused
        _resolve(config)
        return "passed"

    return case


def _leaves(value, path=()):
    """Every mapping and list of the config, with the keys that lead to it."""
    yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list):
            yield from _leaves(part, (*path, key))


def _picked(config, chance, kind=(dict, list)):
    return chance.choice([(p, v) for p, v in _leaves(config) if isinstance(v, kind) and v])


def _number(config, chance):
    """Not a number, in the place of one."""
    numbers = [
        (value, key, path)
        for path, value in _leaves(config)
        for key, part in (value.items() if isinstance(value, dict) else enumerate(value))
        if isinstance(part, int | float) and not isinstance(part, bool)
    ]
    value, key, path = chance.choice(numbers)
    value[key] = chance.choice(NO_NUMBERS)
    return f"a number that is none passed at {(*path, key)}"


def _unknown(config, chance):
    """A key with a letter too many."""
    path, value = _picked(config, chance, dict)
    key = chance.choice(list(value))
    at = chance.randrange(len(str(key)) + 1)
    wrong = f"{str(key)[:at]}q{str(key)[at:]}"
    value[wrong] = value.pop(key)
    own = (path[-1:] and path[-1] in OPEN) or "views" in path[-1:] or "instead" in path[-1:]
    return None if own else f"the unknown key {wrong!r} passed at {path}"


def _replaced(config, chance):
    _, value = _picked(config, chance)
    key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    value[key] = chance.choice(ANYTHING)


def _left_out(config, chance):
    _, value = _picked(config, chance)
    del value[chance.choice(list(value) if isinstance(value, dict) else range(len(value)))]


def _resolve(config):
    """What jobs ask of a config that passed."""
    for study, entry in config["studies"].items():
        settings.study_settings(config, study)
        for dataset in config["datasets"]:
            settings.batches(config, study, dataset)
            settings.view_settings(config, dataset, entry["view"])
            for method in settings.methods(config, study, dataset):
                settings.method_settings(config, study, dataset, method)
    for dataset in config["datasets"]:
        settings.has(config, dataset)
        if "selected" in config["protocols"]:
            settings.trust_settings(config, dataset)
