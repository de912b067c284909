"""The configuration: checked as a whole at parse time, then handed out in the pieces jobs need."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from mnar import measures, models, splits
from mnar.config import limits
from mnar.core.errors import UserError
from mnar.data import has as data_has
from mnar.tuning import choice as selection

Config = dict[str, Any]

SCHEMA = Path(__file__).with_name("schema.json")


def check(config: Config) -> None:
    """Stop with one sentence that names the key, what was found and what is known."""
    _check_schema(config)
    for name, method in config["methods"].items():
        module = method.get("module", name)
        limits.check_module(module, f"methods.{name}")
        limits.check(module, method, f"methods.{name}")
    for name, dataset in config["datasets"].items():
        for kind, known in (("views", config["views"]), ("protocols", config["protocols"])):
            for key in dataset.get(kind, {}):
                _one_of(key, known, f"datasets.{name}.{kind}", kind[:-1])
        for protocol, entry in dataset.get("protocols", {}).items():
            _check_protocol(protocol, entry, f"datasets.{name}.protocols.{protocol}")
        for method, entry in dataset.get("methods", {}).items():
            _one_of(method, config["methods"], f"datasets.{name}.methods", "method")
            module = config["methods"][method].get("module", method)
            limits.check(module, entry, f"datasets.{name}.methods.{method}")
        for pair in dataset.get("instead", {}).items():
            for protocol in pair:
                _one_of(protocol, config["protocols"], f"datasets.{name}.instead", "protocol")
    for name, entry in config["protocols"].items():
        _one_of(name, splits.names(), "protocols", "protocol")
        _check_protocol(name, entry, f"protocols.{name}")
    for name, study in config["studies"].items():
        key = f"studies.{name}"
        _one_of(study["view"], config["views"], f"{key}.view", "view")
        _one_of(study["protocol"], config["protocols"], f"{key}.protocol", "protocol")
        for method in study["methods"]:
            _one_of(method, config["methods"], f"{key}.methods", "method")
            if config["methods"][method].get("grid"):
                _check_selection(config, name, method)
        for view in study.get("catalogues", []):
            _one_of(view, config["views"], f"{key}.catalogues", "view")
        for method, entry in study.get("search", {}).items():
            _one_of(method, config["methods"], f"{key}.search", "method")
            module = config["methods"][method].get("module", method)
            limits.check(module, entry, f"{key}.search.{method}")
        for measure in [*study["measures"], *study.get("chosen_measures", [])]:
            _checked_measure(measure, f"{key}.measures")
        for part, chosen in study.get("set_measures", {}).items():
            _one_of(part, study["sets"], f"{key}.set_measures", "set")
            for measure in chosen:
                _checked_measure(measure, f"{key}.set_measures.{part}")
    for study in config["studies"]:
        _check_searches(config, study)
    ranking = config["theorems"]["ranking"]
    _one_of(ranking["method"], models.names(), "theorems.ranking", "method")
    limits.check_settings(ranking["method"], ranking["settings"], "theorems.ranking.settings")
    for method, entry in config["trust"]["systems"].items():
        key = f"trust.systems.{method}"
        module = entry.get("module", method)
        _one_of(module, models.names(), key, "method")
        limits.check_search(module, entry.get("settings", {}), entry.get("grid", {}), key)
    for measure in set(config["trust"]["measures"]) - {"mae"}:
        _checked_measure(measure, "trust.measures")
    for name, experiment in config["experiments"].items():
        for kind in ("datasets", "paper_datasets"):
            for dataset in experiment.get(kind, []):
                _one_of(dataset, config["datasets"], f"experiments.{name}.{kind}", "dataset")


def _check_selection(config: Config, study: str, method: str) -> None:
    """What a method is chosen by must be measured, and the interval rule needs an interval."""
    entry = config["studies"][study]
    select_by = entry.get("select_by", config["methods"][method].get("select_by"))
    key = f"studies.{study}: select_by of {method}"
    for measure in selection.needed(select_by):
        _one_of(measure, entry["measures"], key, "measure")
    if select_by == selection.INTERVAL:
        _one_of(selection.WEIGHT, config["methods"][method]["grid"], key, "grid parameter")


def _check_searches(config: Config, study: str) -> None:
    """Settings of each method as they are resolved for each dataset: none may be missing."""
    for method in config["studies"][study]["methods"]:
        for dataset in config["datasets"]:
            asked = method_settings(config, study, dataset, method)
            key = f"methods.{method} (study {study}, dataset {dataset})"
            limits.check_search(asked["module"], asked["settings"], asked["grid"], key)


def _check_protocol(protocol: str, entry: Config, key: str) -> None:
    for setting in entry:
        _one_of(setting, ("folds", *splits.settings_of(protocol)), key, "setting")


def _one_of(found: str, known: Iterable[str], key: str, what: str) -> None:
    if found not in known:
        raise UserError(f"{key}: unknown {what} {found!r}; known are {', '.join(sorted(known))}.")


def _checked_measure(name: str, key: str) -> None:
    try:
        measures.check(name)
    except UserError as error:
        raise UserError(f"{key}: {error}") from None


def _check_schema(config: Config) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(_schema()).iter_errors(config))
    if error is None:
        return
    key = ".".join(str(part) for part in error.absolute_path) or "config"
    if error.validator == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        extra = sorted(set(error.instance) - set(known))
        message = f"unknown key {extra[0]!r}; known are {', '.join(known)}."
    elif error.validator == "type":
        message = f"expected {error.validator_value}, found {json.dumps(error.instance)[:80]}."
    else:
        message = f"{error.message}."
    raise UserError(f"{key}: {message}")


@cache
def _schema() -> Any:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def view_settings(config: Config, dataset: str, view: str) -> Config:
    """The view, with what the dataset says of it (its recipe, its own idea of relevant)."""
    entry = config["datasets"][dataset]
    return {
        "view": view,
        "dataset_relevant": entry.get("relevant"),
        "scale": entry.get("scale"),
        "seed": config["seed"],
        **config["views"][view],
        **entry.get("views", {}).get(view, {}),
    }


def protocol_settings(config: Config, dataset: str, protocol: str) -> Config:
    own = config["datasets"][dataset].get("protocols", {}).get(protocol, {})
    return {**config["protocols"][protocol], **own}


def protocol_of(config: Config, study: str, dataset: str) -> str:
    """The study's protocol, or the one that the dataset has instead of it."""
    protocol = config["studies"][study]["protocol"]
    return config["datasets"][dataset].get("instead", {}).get(protocol, protocol)


def folds(config: Config, study: str, dataset: str) -> int:
    return protocol_settings(config, dataset, protocol_of(config, study, dataset))["folds"]


def batches(config: Config, study: str, dataset: str) -> list[str]:
    """The folds of a study as the jobs take them: "0-3" is one job that trains folds 0 to 3.

    Small datasets train in less time than a job needs to start; the others fill all cores.
    """
    count = folds(config, study, dataset)
    if config["datasets"][dataset].get("quick"):
        return [f"0-{count - 1}"]
    return [f"{fold}-{fold}" for fold in range(count)]


def measures_of(config: Config, study: str) -> list[str]:
    """All measures that a study takes of any set."""
    entry = config["studies"][study]
    by_set = [name for names in entry.get("set_measures", {}).values() for name in names]
    return list(dict.fromkeys([*entry["measures"], *entry.get("chosen_measures", []), *by_set]))


def methods(config: Config, study: str, dataset: str) -> list[str]:
    """The methods of a study that can be trained on a dataset: some need what not all have."""
    there = has(config, dataset)
    wanted = config["studies"][study]["methods"]
    needs = {method: models.about_entry(method, config["methods"]).needs for method in wanted}
    return [method for method in wanted if needs[method] is None or needs[method] in there]


def has(config: Config, dataset: str) -> list[str]:
    """What a dataset has besides ratings, by its columns, files and generator."""
    return sorted(data_has.has(config["datasets"][dataset]))


def method_settings(config: Config, study: str, dataset: str, method: str) -> Config:
    """Module, fixed settings, grid and selection of a method; quick ones for datasets that ask.

    A study may search in its own way; what it says of a method goes before the method's own. A
    dataset may have settings or a grid of its own for a method, and take or leave its quick search.
    """
    entry = config["methods"][method]
    study_own = config["studies"][study].get("search", {}).get(method, {})
    dataset_own = config["datasets"][dataset].get("methods", {}).get(method, {})
    layers = [entry, study_own]
    if dataset_own.get("quick", config["datasets"][dataset].get("quick", False)):
        layers = [entry, entry.get("quick", {}), study_own, study_own.get("quick", {})]
    layers.append({key: dataset_own[key] for key in ("settings", "grid") if key in dataset_own})
    search: Config = {"grid": {}, "refine": 0}
    for layer in layers:
        search |= {key: layer[key] for key in search if key in layer}
    return {
        "module": entry.get("module", method),
        "settings": {name: v for layer in layers for name, v in layer.get("settings", {}).items()},
        **search,
        "select_by": config["studies"][study].get("select_by", entry.get("select_by")),
    }


def trust_settings(config: Config, dataset: str) -> Config:
    """What the experiment trust must know of a dataset; less of everything for quick generated ones."""
    entry = {key: value for key, value in config["trust"].items() if key != "quick"}
    about = config["datasets"][dataset]
    quick = about.get("quick", False) and "generator" in about
    return {
        "settings": entry | (config["trust"]["quick"] if quick else {}),
        "scale": about.get("scale"),
        "protocol": protocol_settings(config, dataset, "selected"),
        "has": has(config, dataset),
    }


def study_settings(config: Config, study: str) -> Config:
    """What a training job must know of its study."""
    entry = config["studies"][study]
    ignored = ("view", "protocol", "methods", "select_by")
    return {key: value for key, value in entry.items() if key not in ignored}


def shown_config(config: Config, studies: Iterable[str], dataset: str) -> Config:
    """The part of the config that a paper's tables and figures speak of."""
    entries = {study: config["studies"][study] for study in studies}
    methods = sorted({method for entry in entries.values() for method in entry["methods"]})
    return {
        "seed": config["seed"],
        "has": has(config, dataset),
        "generated": [name for name, entry in config["datasets"].items() if "generator" in entry],
        "studies": entries,
        "methods": {method: config["methods"][method] for method in methods},
    }
