"""Where the files of each stage lie below results/, and which of them a job needs."""

from typing import Any

from mnar.config import settings

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


def score_files(
    config: Config, study: str, dataset: str, method: str, ending: str = "csv"
) -> list[str]:
    """The score files of one method, for all folds."""
    batches = settings.batches(config, study, dataset)
    return [f"results/scores/{study}/{dataset}/{method}/{folds}.{ending}" for folds in batches]


def analysed_files(
    config: Config, study: str, dataset: str, methods: list[str]
) -> dict[str, str | list[str]]:
    """View, splits, the scores that tell the chosen settings, and views with other catalogues."""
    catalogues = config["studies"][study].get("catalogues", [])
    return {
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


def trusted_files(config: Config, dataset: str) -> dict[str, str]:
    """The view of all ratings; none where complete ratings are generated."""
    return {} if is_generated(config, dataset) else {"view": view_file(dataset, "trust")}


def scored_files(config: Config, study: str, dataset: str) -> list[str]:
    """The view of a study and the score files of all its methods."""
    files = [view_file(dataset, config["studies"][study]["view"])]
    for method in settings.methods(config, study, dataset):
        for ending in ("csv", "npz"):
            files += score_files(config, study, dataset, method, ending)
    return files
