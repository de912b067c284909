"""The config as a whole, checked at parse time: every name is known, every setting fits its method.

Analyses and the grid of generators check their own sections: they stand below this room.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from mnar import estimators, measures, models, splits
from mnar.config import equal_search, given, limits, settings
from mnar.config.limits import one_of
from mnar.config.schema import check_form
from mnar.core.declared import Share, text_hint
from mnar.core.errors import UserError
from mnar.data.entry import check_entry
from mnar.data.synthetic import Settings
from mnar.tuning import choice as selection

Config = dict[str, Any]

EXPERIMENTS = Path(__file__).parents[1] / "experiments"


def check(config: Config) -> None:
    """Stop with one sentence that names the key, the value found and the known ones."""
    check_form(config)
    for name, method in config["methods"].items():
        module = models.module_in(method, name)
        limits.check_module(module, f"methods.{name}")
        limits.check(module, method, f"methods.{name}")
        given.check(config, name)
    for name, entry in config["protocols"].items():
        one_of(name, splits.names(), "protocols", "protocol")
        _check_protocol(name, entry, f"protocols.{name}", whole=True)
        _check_shares(name, entry, f"protocols.{name}")
    for name in config["datasets"]:
        _check_dataset(config, name)
    for name in config["studies"]:
        _check_study(config, name)
    _check_theorems(config["theorems"])
    _check_trust(config, config["trust"])
    for name, experiment in config["experiments"].items():
        papers = [folder.parent.name for folder in EXPERIMENTS.glob("*/rules.smk")]
        one_of(name, papers, "experiments", "experiment")
        for kind in ("datasets", "paper_datasets", "stand_ins"):
            for dataset in experiment[kind]:
                one_of(dataset, config["datasets"], f"experiments.{name}.{kind}", "dataset")


def _check_dataset(config: Config, name: str) -> None:
    dataset, key = config["datasets"][name], f"datasets.{name}"
    if "generator" in dataset:
        for other in ("files", "format", "download"):
            if other in dataset:
                raise UserError(f"{key}: it has both `generator` and `{other}`; keep one of them.")
        check_generator(dataset["generator"], f"{key}.generator")
    else:
        check_entry(name, dataset)
    for kind, known in (("views", config["views"]), ("protocols", config["protocols"])):
        for other in dataset.get(kind, {}):
            one_of(other, known, f"{key}.{kind}", kind[:-1])
    for protocol, entry in dataset.get("protocols", {}).items():
        _check_protocol(protocol, entry, f"{key}.protocols.{protocol}")
        whole = settings.protocol_settings(config, name, protocol)
        _check_shares(protocol, whole, f"{key}.protocols.{protocol}")
    for method, entry in dataset.get("methods", {}).items():
        one_of(method, config["methods"], f"{key}.methods", "method")
        module = models.module_in(config["methods"][method], method)
        limits.check(module, entry, f"{key}.methods.{method}")
    for study, left_out in dataset.get("without", {}).items():
        one_of(study, config["studies"], f"{key}.without", "study")
        for method in left_out:
            one_of(method, config["methods"], f"{key}.without.{study}", "method")
    for pair in dataset.get("instead", {}).items():
        for protocol in pair:
            one_of(protocol, config["protocols"], f"{key}.instead", "protocol")


def _check_study(config: Config, name: str) -> None:
    study, key = config["studies"][name], f"studies.{name}"
    for dataset in study.get("datasets", []):
        one_of(dataset, config["datasets"], f"{key}.datasets", "dataset")
    one_of(study["view"], config["views"], f"{key}.view", "view")
    one_of(study["protocol"], config["protocols"], f"{key}.protocol", "protocol")
    for view in study.get("catalogues", []):
        one_of(view, config["views"], f"{key}.catalogues", "view")
    for measure in [*study["measures"], *study.get("chosen_measures", [])]:
        _checked_measure(measure, f"{key}.measures")
    for estimator in study.get("estimators", []):
        _checked(estimators.estimator_names.check_in_study, estimator, f"{key}.estimators")
    for part, chosen in study.get("set_measures", {}).items():
        one_of(part, study["sets"], f"{key}.set_measures", "set")
        for measure in chosen:
            _checked_measure(measure, f"{key}.set_measures.{part}")
    for method, entry in study.get("search", {}).items():
        one_of(method, config["methods"], f"{key}.search", "method")
        module = models.module_in(config["methods"][method], method)
        limits.check(module, entry, f"{key}.search.{method}")
    for method in study["methods"]:
        one_of(method, config["methods"], f"{key}.methods", "method")
        _check_fold_in(config, name, method)
        for dataset in config["datasets"]:
            asked = settings.method_settings(config, name, dataset, method)
            where = f"methods.{method} (study {name}, dataset {dataset})"
            limits.check_search(asked["module"], asked["settings"], asked["grid"], where)
            if any(len(values) > 1 for values in asked["grid"].values()):
                _check_selection(config, name, method, asked)
    equal_search.check(config, name)


def _check_selection(config: Config, study: str, method: str, asked: Config) -> None:
    """Settings are chosen on validation, by a measure of the study; the interval rule needs an interval."""
    entry, select_by = config["studies"][study], asked["select_by"]
    key = f"studies.{study}: select_by of {method}"
    if select_by is None:
        raise UserError(
            f"{key}: it is missing, and there is more than one setting to choose from; give a "
            f"measure of the study ({', '.join(entry['measures'])})."
        )
    for measure in selection.needed(select_by):
        one_of(measure, entry["measures"], key, "measure")
    if "validation" not in entry["sets"] or not splits.validates(entry["protocol"]):
        raise UserError(
            f"studies.{study}: {method} has several settings to choose from, and the study has no "
            "validation set; add `validation` to its sets under a protocol that has one, or give the "
            "method one setting."
        )
    chosen_from = entry.get("set_measures", {}).get("validation", entry["measures"])
    for measure in selection.needed(select_by):
        one_of(measure, chosen_from, f"studies.{study}.set_measures.validation", "measure")
    if select_by == selection.INTERVAL:
        one_of(selection.WEIGHT, asked["grid"], key, "grid parameter")


def _check_fold_in(config: Config, study: str, method: str) -> None:
    """Users that were not trained on need a method that can fold them in."""
    protocol = config["studies"][study]["protocol"]
    module = models.module_in(config["methods"][method], method)
    if splits.folds_in(protocol) and not models.can(module, "fold_in"):
        raise UserError(
            f"studies.{study}.methods: {method} cannot fold in users, which protocol {protocol} "
            "needs; take it out of the study, or choose another protocol."
        )


def _check_protocol(protocol: str, entry: Config, key: str, whole: bool = False) -> None:
    known = splits.settings_of(protocol)
    for name, value in entry.items():
        one_of(name, known, key, "setting")
        if not known[name].accepts(value):
            raise UserError(
                f"{key}.{name}: expected {known[name].expected}, found {value!r}{text_hint(value)}."
            )
    for setting in known.values():
        if whole and setting.required and setting.name not in entry:
            raise UserError(
                f"{key}: the setting {setting.name!r} ({setting.meaning}) is missing; give "
                f"{setting.expected}."
            )


def _check_shares(protocol: str, entry: Config, key: str) -> None:
    """The shares of a protocol are parts of one whole, and something must be left of it."""
    known = [one for one in splits.settings_of(protocol).values() if isinstance(one, Share)]
    given = {one.name: entry.get(one.name, one.default) for one in known}
    # As they are written: 0.7 + 0.1 + 0.2 is 1.
    if len(given) > 1 and sum(Fraction(str(share)) for share in given.values()) >= 1:
        shown = " and ".join(f"{name} {share:g}" for name, share in given.items())
        raise UserError(
            f"{key}: {shown} leave nothing for the rest; set shares that come to less than 1."
        )


def _check_theorems(theorems: Config) -> None:
    ranking = theorems["ranking"]
    one_of(ranking["method"], models.names(), "theorems.ranking.method", "method")
    limits.check_settings(ranking["method"], ranking["settings"], "theorems.ranking.settings")


def check_generator(given: Any, key: str) -> None:
    """Settings that the generator takes."""
    try:
        Settings.from_config(given)
    except UserError as error:
        raise UserError(f"{key}: {str(error).removeprefix('Synthetic dataset: ')}") from error


def _check_trust(config: Config, trust: Config) -> None:
    for method, entry in trust["systems"].items():
        key, module = f"trust.systems.{method}", entry.get("module", method)
        if "scores" in entry:
            given.check_system(entry, config["datasets"], key)
            continue
        if "datasets" in entry:
            raise UserError(f"{key}: 'datasets' is for scores from files; leave it out.")
        one_of(module, models.names(), key, "method")
        limits.check(module, entry, key)
        limits.check_search(module, entry.get("settings", {}), entry.get("grid", {}), key)
    for part, key in ((trust, "trust"), (trust["quick"], "trust.quick")):
        for measure in settings.trust_measures(part):
            _checked_measure(measure, f"{key}.measures")
        for scheme in part.get("estimators", []):
            _checked_estimator(scheme, trust["measures"], key)
        if "generator" in part:
            check_generator(part["generator"], f"{key}.generator")
    for low, high in pairwise(trust["gamma"]["edges"]):
        if high <= low:
            raise UserError(
                f"trust.gamma.edges: {high:g} comes after {low:g}; write them in rising order."
            )


def _checked_estimator(scheme: str, taken: Iterable[str], key: str) -> None:
    weighting = scheme.split("(")[0]
    one_of(weighting, estimators.estimator_names.FITS, f"{key}.estimators", "weighting")
    fits = estimators.estimator_names.FITS[weighting]
    fitting = [measure for measure in taken if estimators.estimator_names.kind_of(measure) in fits]
    if not fitting:
        raise UserError(
            f"{key}.estimators: {scheme!r} fits none of trust.measures; it fits {', '.join(fits)}."
        )
    try:
        estimators.estimator_names.parse(f"{fitting[0]}~{scheme}")
    except UserError as error:
        raise UserError(f"{key}.estimators: {error}") from error


def _checked_measure(name: str, key: str) -> None:
    _checked(estimators.estimator_names.check_measure if "~" in name else measures.check, name, key)


def _checked(check: Callable[[str], object], name: str, key: str) -> None:
    try:
        check(name)
    except UserError as error:
        raise UserError(f"{key}: {error}") from None
