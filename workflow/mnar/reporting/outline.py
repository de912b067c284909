"""What an experiment shows: its studies, tables and figures, by name and title."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from mnar.config import paths


@dataclass(frozen=True)
class Outline:
    title: str
    # Studies of the config whose runs are needed, for all their methods.
    studies: tuple[str, ...]
    # Name -> title, in the order of the page.
    tables: dict[str, str]
    figures: dict[str, str]
    # Further inputs; {dataset} is filled in.
    extras: tuple[str, ...] = ()
    # Tables that are also laid out across the paper's datasets.
    across: tuple[str, ...] = field(default=())
    # Further inputs for datasets whose complete truth is known.
    truth_extras: tuple[str, ...] = ()
    # Tables that belong to no dataset, made by rules of their own: name -> title.
    general: dict[str, str] = field(default_factory=dict)
    # Figure -> what a dataset must have (see mnar.config.settings.has), for figures that not all allow.
    needs: dict[str, str] = field(default_factory=dict)

    def missing(self, figure: str, has: Iterable[str]) -> str | None:
        """What a figure needs and a dataset does not have; None where it can be drawn."""
        needed = self.needs.get(figure)
        return needed if needed not in {None, *has} else None

    def inputs(self, config: dict[str, Any], dataset: str) -> list[str]:
        """Everything that the tables and figures on a dataset are made from."""
        extras = self.extras + (self.truth_extras if paths.is_generated(config, dataset) else ())
        files = [extra.format(dataset=dataset) for extra in extras]
        for study in self.studies:
            files += paths.scored_files(config, study, dataset)
        return list(dict.fromkeys(files))

    def outputs(self, experiment: str, dataset: str) -> list[str]:
        """The files that a page is made from: tables, figures, and the data behind them."""
        stem = f"results/{experiment}/{dataset}"
        files = [f"{stem}/{name}.{end}" for name in self.tables for end in ("md", "csv")]
        files += [f"{stem}/{name}.{end}" for name in self.figures for end in ("svg", "txt", "csv")]
        return files


def outline(experiment: str) -> Outline:
    return import_module(f"mnar.experiments.{experiment}").OUTLINE


def page_sections(
    config: dict[str, Any], page: str, is_missing: Callable[[str], Any]
) -> list[tuple[str, str]]:
    """The (experiment, dataset) pairs that a page shows.

    `summary` shows the embedded datasets, `placed` all whose files are there, `paper` and the page of
    one experiment the papers' own.
    """
    pairs = []
    for experiment, entry in config["experiments"].items():
        datasets = []
        if page == "summary":
            datasets = entry["datasets"]
        elif page == "placed":
            known = [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
            datasets = [dataset for dataset in dict.fromkeys(known) if not is_missing(dataset)]
        elif page in ("paper", experiment):
            datasets = entry["paper_datasets"]
        pairs += [(experiment, dataset) for dataset in datasets]
    return pairs


def page_files(page: str, sections: list[tuple[str, str]]) -> list[str]:
    """All tables and figures of a page, and the data behind them, by which claims are judged."""
    files = []
    for experiment, dataset in sections:
        plan = outline(experiment)
        files += plan.outputs(experiment, dataset)
        names = [*plan.general, *(plan.across if page in ("paper", experiment) else ())]
        files += [f"results/{experiment}/{name}.{end}" for name in names for end in ("md", "csv")]
    return list(dict.fromkeys(files))
