"""Whatever is compared or swept gets the same search; a config where it does not is refused."""

from typing import Any

from mnar import models
from mnar.config import rivals
from mnar.config.limits import one_of
from mnar.config.settings import method_settings, methods
from mnar.core.errors import UserError

Config = dict[str, Any]


def check(config: Config, study: str) -> None:
    """A swept parameter is in some grid, and rivals are searched alike on each of their datasets."""
    entry, key = config["studies"][study], f"studies.{study}"
    datasets = _datasets_of(config, study)
    for group in rivals.groups(entry):
        for method in (*group.methods, *group.against):
            one_of(method, config["methods"], f"{key}.rivals", "method")
        for dataset in group.datasets:
            one_of(dataset, config["datasets"], f"{key}.rivals", "dataset")
    for dataset in datasets:
        _check_rivals(config, study, dataset)
    # Of any method: a study that leaves out those that are swept has an empty figure, no mistake.
    asked = [method_settings(config, study, d, m) for d in datasets for m in config["methods"]]
    known = {name for search in asked for name in search["grid"]}
    for parameter in entry.get("sweeps", []) if datasets else []:
        one_of(parameter, known, f"{key}.sweeps", "grid parameter")


def _check_rivals(config: Config, study: str, dataset: str) -> None:
    there = methods(config, study, dataset)
    for pair, unlike in rivals.pairs(config["studies"][study], dataset).items():
        # In the order of the study, so that the message is the same each time.
        both = [method for method in there if method in pair]
        if len(both) < 2:
            continue
        one, other = (method_settings(config, study, dataset, method) for method in both)
        found = _difference(one, other, unlike)
        if found:
            raise UserError(
                f"studies.{study}.rivals (dataset {dataset}): {both[0]} and {both[1]} are compared, "
                f"but not searched alike: {found}; give both the same."
            )


def _difference(one: Config, other: Config, unlike: frozenset[str]) -> str | None:
    """A parameter that both know, and that they do not search over, or fix at, the same values."""
    names = {
        name for search in (one, other) for kind in ("grid", "settings") for name in search[kind]
    }
    for name in sorted(names - unlike):
        searched = name in one["grid"] or name in other["grid"]
        sides = [_values(search, name, searched) for search in (one, other)]
        if None not in sides and sides[0] != sides[1]:
            return f"{name} is {sides[0]} and {sides[1]}"
    if one["refine"] != other["refine"] and "refine" not in unlike:
        return f"refine is {one['refine']} and {other['refine']}"
    return None


def _values(search: Config, name: str, searched: bool) -> Any:
    """What a method tries of a parameter: its grid, else its setting; against a search its default."""
    if name in search["grid"]:
        values = search["grid"][name]
        return values if len(values) > 1 else values[0]
    setting = models.about(search["module"]).known.get(name) if searched else None
    usual = None if setting is None or setting.required else setting.default
    return search["settings"].get(name, usual)


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
