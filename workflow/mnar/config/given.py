"""Entries of methods whose scores come from files: `my-model: {scores: "scores/{study}/…"}`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnar.core.errors import UserError
from mnar.data import has as data_has
from mnar.exchange.score_files import ENDINGS

Config = dict[str, Any]


def check(config: Config, method: str) -> None:
    """One sentence about a template that would mix up what belongs to different folds."""
    entry, key = config["methods"][method], f"methods.{method}"
    for dataset in entry.get("datasets", []):
        if dataset not in config["datasets"]:
            known = ", ".join(sorted(config["datasets"]))
            raise UserError(f"{key}.datasets: unknown dataset {dataset!r}; known are {known}.")
    if "scores" not in entry:
        return
    template = entry["scores"]
    for other in ("module", "grid", "refine", "quick"):
        if other in entry:
            raise UserError(f"{key}: scores from files are not trained; leave {other!r} out.")
    _check_template(template, key)
    readers = _readers(config)
    for mine in [reader for reader in readers if reader.key == key]:
        for theirs in readers:
            if mine.study != theirs.study and mine.shares_a_file_with(theirs):
                also = "" if theirs.key == key else f" ({theirs.key})"
                raise UserError(
                    f"{key}.scores: {mine.path} is read by the studies {mine.study} and "
                    f"{theirs.study}{also}; one study's training would hold what another one tests. Put "
                    "{study} into the path."
                )


@dataclass(frozen=True)
class _Reader:
    """A study that reads scores, and the path that it reads, with dataset and fold left open."""

    key: str
    study: str
    path: Path
    # None: any of them.
    datasets: frozenset[str] | None

    def shares_a_file_with(self, other: "_Reader") -> bool:
        if self.path != other.path:
            return False
        if self.datasets is None or other.datasets is None:
            return True
        return not self.datasets.isdisjoint(other.datasets)


def _readers(config: Config) -> list[_Reader]:
    """Every study that has given scores, experiment trust among them."""
    used = [
        (f"methods.{method}", name, config["methods"].get(method, {}))
        for name, study in config["studies"].items()
        for method in study["methods"]
    ]
    systems = config["trust"]["systems"].items()
    used += [(f"trust.systems.{name}", "trust", entry) for name, entry in systems]
    found = []
    for key, study, entry in used:
        if "scores" in entry:
            chosen = entry.get("datasets")
            path = Path(entry["scores"].replace("{study}", study))
            found.append(_Reader(key, study, path, None if chosen is None else frozenset(chosen)))
    return found


def check_system(entry: Config, datasets: Config, key: str) -> None:
    """The same for a system of the experiment trust, which needs training ratings that have a file."""
    for other in ("module", "settings", "grid", "rates"):
        if other in entry:
            raise UserError(f"{key}: scores from files are only ranked; leave {other!r} out.")
    _check_template(entry["scores"], key)
    if not entry.get("datasets"):
        raise UserError(f"{key}: scores fit some datasets only; name them under 'datasets'.")
    for name in entry["datasets"]:
        if name not in datasets:
            known = ", ".join(sorted(datasets))
            raise UserError(f"{key}.datasets: unknown dataset {name!r}; known are {known}.")
        if "complete" in data_has.has(datasets[name]):
            raise UserError(
                f"{key}.datasets: on {name!r} selection is simulated, so there are no training ratings to "
                "score; name datasets with random ratings."
            )


def _check_template(template: str, key: str) -> None:
    if Path(template).suffix not in ENDINGS:
        ends = ", ".join(ENDINGS)
        raise UserError(f"{key}.scores: {template} must end in one of {ends}.")
    for name in ("dataset", "fold"):
        if f"{{{name}}}" not in template:
            raise UserError(
                f"{key}.scores: {template} has no {{{name}}}; without it, one file would serve several "
                f"{name}s."
            )


def settings(entry: Config, study: str, dataset: str) -> Config:
    """The settings of a method whose scores are given; none for others."""
    if "scores" not in entry:
        return {}
    file = entry["scores"].replace("{study}", study).replace("{dataset}", dataset)
    return {"file": file}


def files(entry: Config, study: str, dataset: str, folds: range) -> list[str]:
    """The score files of some folds; a UserError where one is missing."""
    found = []
    for fold in folds if "scores" in entry else ():
        file = settings(entry, study, dataset)["file"].replace("{fold}", str(fold))
        if not Path(file).is_file():
            exported = f"results/export/{study}/{dataset}/{fold}/train.parquet"
            raise UserError(
                f"{file} is missing: train on the fold (snakemake -c1 {exported}) and write the scores "
                "there, or name the datasets that have scores under `datasets` of the method."
            )
        found.append(file)
    return found
