"""Where the files of each stage lie below results/, and which of them a job needs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mnar.config import given, settings
from mnar.core.errors import UserError

Config = dict[str, Any]


def is_generated(config: Config, dataset: str) -> bool:
    """Whether a dataset comes from the generator, so that its complete truth is known."""
    return "generator" in config["datasets"][dataset]


def view_file(dataset: str, view: str) -> str:
    return f"results/views/{dataset}/{view}.npz"


def study_files(config: Config, study: str, dataset: str) -> dict[str, str]:
    """View, splits and, where a study scores them and the dataset has them, the complete ratings."""
    entry = config["studies"][study]
    view, protocol = entry["view"], settings.protocol_of(config, study, dataset)
    files = {
        "view": view_file(dataset, view),
        "splits": f"results/splits/{dataset}/{view}/{protocol}.npz",
    }
    if "complete" in entry["sets"] and is_generated(config, dataset):
        files["complete"] = f"results/complete/{dataset}/{view}.npz"
    return files


def training_files(
    config: Config, study: str, dataset: str, method: str, folds: str
) -> dict[str, Any]:
    """What a method is trained and scored on in some folds ("0-3")."""
    first, last = map(int, folds.split("-"))
    entries = [config["methods"][method]]
    given_scores = _given(entries, study, dataset, range(first, last + 1))
    return {**study_files(config, study, dataset), "given": given_scores}


def _given(entries: list[Config], study: str, dataset: str, folds: range) -> list[str]:
    """Files of scores, which lie where the workflow runs, whatever prefix results have."""
    # Imported here: jobs that only ask where files lie do without it.
    from snakemake.exceptions import WorkflowError
    from snakemake.io import local

    try:
        files = [file for one in entries for file in given.files(one, study, dataset, folds)]
    except UserError as error:
        raise WorkflowError(str(error)) from None
    return [local(file) for file in files]


def check_given(config: Config, experiment: str, studies: Iterable[str], dataset: str) -> None:
    """An error where scores that an experiment needs are missing.

    Asked of each file to show: Snakemake drops the error of a job deeper down if what it makes is there.
    """
    for study in studies:
        entries = [config["methods"][name] for name in settings.methods(config, study, dataset)]
        _given(entries, study, dataset, range(settings.folds(config, study, dataset)))
    if experiment == "trust":
        trusted_files(config, dataset, Path())


def score_files(
    config: Config, study: str, dataset: str, method: str, ending: str = "csv"
) -> list[str]:
    """The score files of one method, for all folds."""
    batches = settings.batches(config, study, dataset)
    return [f"results/scores/{study}/{dataset}/{method}/{folds}.{ending}" for folds in batches]


def analysed_files(config: Config, study: str, dataset: str, methods: list[str]) -> dict[str, Any]:
    """View, splits, the scores that tell the chosen settings, and views with other catalogues."""
    catalogues = config["studies"][study].get("catalogues", [])
    numbers = range(settings.folds(config, study, dataset))
    return {
        "given scores": _given([config["methods"][m] for m in methods], study, dataset, numbers),
        **study_files(config, study, dataset),
        **{method: score_files(config, study, dataset, method) for method in methods},
        **{name: view_file(dataset, name) for name in catalogues},
    }


def simulated_files(config: Config, dataset: str) -> dict[str, str]:
    """The view that keeps all ratings and, of generated datasets, the truth."""
    files = {"view": view_file(dataset, "theorems")}
    if is_generated(config, dataset):
        files["truth"] = f"results/data/{dataset}/truth.npz"
    return files


def trusted_files(config: Config, dataset: str, folder: Path) -> dict[str, Any]:
    """The view of all ratings, given scores and, where they are published, propensities in `folder`.

    None where complete ratings are generated.
    """
    if is_generated(config, dataset):
        return {}
    taken = settings.trust_systems(config, dataset)
    systems = [entry for name, entry in config["trust"]["systems"].items() if name in taken]
    numbers = range(config["trust"]["seeds"])
    files: dict[str, Any] = {"view": view_file(dataset, "trust")}
    files["given"] = _given(systems, "trust", dataset, numbers)
    if name := config["datasets"][dataset]["files"].get("propensities"):
        files["propensities"] = str(folder / name)
    return files


def audited_splits(config: Config, dataset: str, view: str, studies: Iterable[str]) -> list[str]:
    """Every split of a view whose leaks through time can be looked for; none without times."""
    if "timestamps" not in settings.has(config, dataset):
        return []
    run = [study for study in studies if settings.methods(config, study, dataset)]
    own = [settings.protocol_of(config, study, dataset) for study in run]
    known = dict.fromkeys([*settings.protocols(config, dataset), *own])
    return [f"results/splits/{dataset}/{view}/{protocol}.npz" for protocol in known]


def across_files(config: Config, experiment: str, table: str) -> list[str]:
    """A table on every dataset of a paper's own, with the checksums beside it."""
    datasets = config["experiments"][experiment]["paper_datasets"]
    folders = [f"results/{experiment}/{dataset}" for dataset in datasets]
    return [f"{folder}/{file}" for folder in folders for file in (f"{table}.csv", "checksums.json")]


def scored_files(config: Config, study: str, dataset: str) -> list[str]:
    """The view of a study and the score files of all its methods."""
    files = [view_file(dataset, config["studies"][study]["view"])]
    for method in settings.methods(config, study, dataset):
        for ending in ("csv", "npz"):
            files += score_files(config, study, dataset, method, ending)
    return files
