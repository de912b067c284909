"""Whatever is compared or swept gets the same search; a config where it does not is refused."""

from itertools import combinations
from typing import Any

from mnar.config.limits import one_of
from mnar.config.settings import method_settings, methods, settings_of_methods
from mnar.core.errors import UserError

Config = dict[str, Any]


def check(config: Config, study: str) -> None:
    """A swept parameter is in some grid, and rivals are searched alike on each of their datasets."""
    entry, key = config["studies"][study], f"studies.{study}"
    datasets = _datasets_of(config, study)
    for group in entry.get("rivals", []):
        for method in group:
            one_of(method, config["methods"], f"{key}.rivals", "method")
        for dataset in datasets:
            lacking = {*entry["methods"]} - {*methods(config, study, dataset)}
            _check_rivals(config, study, dataset, [m for m in group if m not in lacking])
    # Of any method: a study that leaves out those that are swept has an empty figure, no mistake.
    asked = [method_settings(config, study, d, m) for d in datasets for m in config["methods"]]
    known = {name for search in asked for name in search["grid"]}
    for parameter in entry.get("sweeps", []) if datasets else []:
        one_of(parameter, known, f"{key}.sweeps", "grid parameter")


def _check_rivals(config: Config, study: str, dataset: str, group: list[str]) -> None:
    asked = settings_of_methods(config, study, dataset, group)
    for one, other in combinations(group, 2):
        found = _difference(asked[one], asked[other])
        if found:
            raise UserError(
                f"studies.{study}.rivals (dataset {dataset}): {one} and {other} are compared, but not "
                f"searched alike: {found}; give both the same."
            )


def _difference(one: Config, other: Config) -> str | None:
    """A parameter that two methods both search, or both have fixed, but not at the same values."""
    for kind in ("grid", "settings"):
        for name in sorted(one[kind].keys() & other[kind].keys()):
            if one[kind][name] != other[kind][name]:
                return f"{name} is {one[kind][name]} and {other[kind][name]}"
    if one["refine"] != other["refine"]:
        return f"refine is {one['refine']} and {other['refine']}"
    return None


def _datasets_of(config: Config, study: str) -> list[str]:
    """The datasets that experiments name for a study; a study has its experiment's name in front."""
    entries = [
        entry
        for name, entry in config["experiments"].items()
        if study == name or study.startswith(f"{name}-")
    ]
    kinds = ("datasets", "paper_datasets", "stand_ins")
    named = [dataset for entry in entries for kind in kinds for dataset in entry[kind]]
    return [dataset for dataset in dict.fromkeys(named) if dataset in config["datasets"]]
