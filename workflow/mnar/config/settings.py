"""The configuration, handed out in the pieces that jobs need."""

from collections.abc import Iterable
from typing import Any

from mnar import measures, models, splits
from mnar.config import given
from mnar.data import has as data_has
from mnar.estimators import propensities

Config = dict[str, Any]

# What a dataset's files and summary are made from; the rest of an entry is for other jobs.
_READ = (
    "source",
    "licence",
    "files",
    "format",
    "scale",
    "catalogue",
    "bad_lines",
    "sha256",
    "download",
)


def reading_settings(config: Config, dataset: str) -> Config:
    """The part of a dataset's entry that reading its files needs."""
    entry = config["datasets"][dataset]
    return {key: entry[key] for key in _READ if key in entry}


def download_settings(config: Config, dataset: str) -> Config:
    """The part of a dataset's entry that fetching its file needs."""
    return {"download": config["datasets"][dataset]["download"]}


def view_settings(config: Config, dataset: str, view: str) -> Config:
    """The view, with the dataset's own recipe and rule of relevance."""
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


def protocols(config: Config, dataset: str) -> list[str]:
    """The protocols that any dataset like this one can be split by.

    One that needs times is not among them: where users come and go it may find nobody to test.
    """
    there = set(has(config, dataset)) - {"timestamps"}
    return [name for name in config["protocols"] if splits.needs(name) in (None, *there)]


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


def estimates_of(config: Config, study: str) -> list[str]:
    """All measures of a study, and the estimators that it asks for."""
    return [*measures_of(config, study), *config["studies"][study].get("estimators", [])]


def methods(config: Config, study: str, dataset: str) -> list[str]:
    """The methods of a study that can be trained on a dataset.

    Some need what not all have, as may the protocol; a study may be for some datasets only, and a
    dataset may be too large for some methods.
    """
    there = has(config, dataset)
    if splits.needs(protocol_of(config, study, dataset)) not in (None, *there):
        return []
    if dataset not in config["studies"][study].get("datasets", [dataset]):
        return []
    without = config["datasets"][dataset].get("without", {}).get(study, [])
    wanted = [method for method in config["studies"][study]["methods"] if method not in without]
    needs = {method: models.about_entry(method, config["methods"]).needs for method in wanted}
    only = {method: config["methods"][method].get("datasets", [dataset]) for method in wanted}
    return [
        method
        for method in wanted
        if (needs[method] is None or needs[method] in there) and dataset in only[method]
    ]


def has(config: Config, dataset: str) -> list[str]:
    """The data besides ratings that a dataset has, by its columns, files and generator."""
    return sorted(data_has.has(config["datasets"][dataset]))


def method_settings(config: Config, study: str, dataset: str, method: str) -> Config:
    """Module, fixed settings, grid and selection of a method; quick ones for datasets that ask.

    A study may search in its own way; its keys for a method go before the method's own. A
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
    module = models.module_in(entry, method)
    known = models.about(module).known
    return {
        "module": module,
        "settings": {name: config["search"][name] for name in ("converged",) if name in known}
        | {name: v for layer in layers for name, v in layer.get("settings", {}).items()}
        | given.settings(entry, study, dataset),
        **search,
        "beyond_edges": config["search"]["beyond_edges"],
        "select_by": config["studies"][study].get("select_by", entry.get("select_by")),
    }


def module_of(config: Config, method: str) -> str:
    """The library module (or the user's own file) that a method is made of."""
    return models.module_name(models.module_in(config["methods"][method], method))


def modules(config: Config, study: str, dataset: str) -> dict[str, str]:
    """The methods of a study that can be trained on a dataset, and the module that each names."""
    there = methods(config, study, dataset)
    return {method: models.module_in(config["methods"][method], method) for method in there}


def settings_of_methods(
    config: Config, study: str, dataset: str, methods: Iterable[str]
) -> dict[str, Config]:
    """`method_settings` of several methods, by method."""
    return {method: method_settings(config, study, dataset, method) for method in methods}


def trust_settings(config: Config, dataset: str) -> Config:
    """The settings of the experiment trust for a dataset; smaller ones for quick generated data."""
    entry = {key: value for key, value in config["trust"].items() if key != "quick"}
    entry["systems"] = trust_systems(config, dataset)
    about = config["datasets"][dataset]
    quick = about.get("quick", False) and "generator" in about
    return {
        "settings": entry | (config["trust"]["quick"] if quick else {}),
        "scale": about.get("scale"),
        "protocol": {"held_out": entry["held_out"]}
        | protocol_settings(config, dataset, "selected"),
        "has": has(config, dataset),
    }


def trust_systems(config: Config, dataset: str) -> Config:
    """The systems of the experiment trust; those whose scores are given on their datasets only."""
    found = {}
    for name, entry in config["trust"]["systems"].items():
        if "scores" not in entry:
            found[name] = entry
        elif dataset in entry["datasets"]:
            module = models.module_in(entry, name)
            found[name] = {"module": module, "settings": given.settings(entry, "trust", dataset)}
    return found


def trust_modules(config: Config, dataset: str) -> list[str]:
    """The library modules of all systems, measures and propensity models of the experiment."""
    systems = trust_systems(config, dataset).items()
    methods = {models.module_name(entry.get("module", name)) for name, entry in systems}
    taken = [*trust_measures(config["trust"]), *trust_measures(config["trust"]["quick"])]
    selected = splits.module_name("selected")
    return sorted({*methods, *measures.modules_of(taken), *propensities.modules(), selected})


def trust_measures(part: Config) -> list[str]:
    """The measures of the experiment, or of its quick form, that have a file; those of its parts, too."""
    sections = [part, part.get("price", {}), part.get("gamma", {})]
    named = {measure for section in sections for measure in section.get("measures", [])}
    return sorted(named - {"mae"})


def study_settings(config: Config, study: str) -> Config:
    """The part of a study that an analysis needs."""
    entry = config["studies"][study]
    ignored = ("datasets", "view", "protocol", "methods", "select_by", "search", "rivals")
    return {key: value for key, value in entry.items() if key not in ignored}


def trained_settings(config: Config, study: str) -> Config:
    """The part of a study that a training job needs."""
    entry = study_settings(config, study).items()
    return {key: value for key, value in entry if key not in ("estimators", "catalogues")}


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
