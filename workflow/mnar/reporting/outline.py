"""The outline of an experiment: its studies, tables and figures, by name and title."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from mnar import measures
from mnar.config import paths, settings
from mnar.core.errors import UserError
from mnar.core.names import suggestion
from mnar.reporting.charts import Chart
from mnar.reporting.run_facts import PAPER, PLACED, SUMMARY


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
    # A view of which every split is an input, where the dataset has times.
    audited_view: str | None = None
    # Tables that belong to no dataset, made by rules of their own: name -> title.
    general: dict[str, str] = field(default_factory=dict)
    # Figure -> data that a dataset must have (see mnar.config.settings.has); other figures fit all datasets.
    needs: dict[str, str] = field(default_factory=dict)
    # One sentence for each table and figure: what to look at.
    see: dict[str, str] = field(default_factory=dict)
    # Those that a page shows open; the others are folded.
    lead: tuple[str, ...] = ()
    # The figure that stands at the top of a page.
    headline: str | None = None
    # Figures that can be hovered, zoomed and filtered on the page.
    charts: dict[str, tuple[Chart, ...]] = field(default_factory=dict)
    # Files that a page names without showing them, by rules of their own: file -> what it shows.
    further: dict[str, str] = field(default_factory=dict)
    # Whether it compares ratings of different values: then data without ratings do not fit.
    compares_ratings: bool = False
    # What tells the truth: a dataset must have one of these (see mnar.config.settings.has).
    truth_from: tuple[str, ...] = ()
    # Figure -> what a dataset must have for it to differ from another one: else the page leaves it out.
    repeats_without: dict[str, str] = field(default_factory=dict)

    def on_page(self, has: Iterable[str]) -> dict[str, str]:
        """The figures that a page shows of a dataset: name -> title."""
        there = set(has)
        return {
            name: title
            for name, title in self.figures.items()
            if not self.missing(name, there) and self.repeats_without.get(name) in {None, *there}
        }

    def missing(self, figure: str, has: Iterable[str]) -> str | None:
        """The thing that a figure needs and a dataset lacks; None where it can be drawn."""
        needed = self.needs.get(figure)
        return needed if needed not in {None, *has} else None

    def inputs(self, config: dict[str, Any], dataset: str) -> list[str]:
        """Everything that the tables and figures on a dataset are made from."""
        extras = self.extras + (self.truth_extras if paths.is_generated(config, dataset) else ())
        files = [extra.format(dataset=dataset) for extra in extras]
        if self.audited_view:
            files += paths.audited_splits(config, dataset, self.audited_view, self.studies)
        for study in self.studies:
            files += paths.scored_files(config, study, dataset)
        return list(dict.fromkeys(files))

    def outputs(self, experiment: str, dataset: str) -> list[str]:
        """The files that a page is made from: tables, figures, the data behind them, and checksums."""
        stem = f"results/{experiment}/{dataset}"
        files = [f"{stem}/checksums.json"]
        files += [f"{stem}/{name}.{end}" for name in self.tables for end in ("md", "csv")]
        files += [f"{stem}/{name}.{end}" for name in self.figures for end in ("svg", "txt", "csv")]
        return files


def outline(experiment: str) -> Outline:
    return import_module(f"mnar.experiments.{experiment}").OUTLINE


def check_studies(config: dict[str, Any]) -> None:
    """Each experiment has its studies, and fits every dataset that one of its pages may show."""
    for name, entry in config["experiments"].items():
        for study in outline(name).studies:
            if study not in config["studies"]:
                known = suggestion(study, config["studies"])
                raise UserError(f"experiments.{name}: it needs the study {study!r}; {known}")
        for kind in ("datasets", "paper_datasets", "stand_ins"):
            for dataset in entry[kind]:
                check_fits(config, name, dataset, f"experiments.{name}.{kind}")


def check_fits(config: dict[str, Any], experiment: str, dataset: str, key: str) -> None:
    """A dataset has the ratings that an experiment compares, and says which are relevant."""
    if outline(experiment).compares_ratings and _all_alike(config["datasets"][dataset]):
        raise UserError(
            f"{key}: {experiment} compares ratings of different values, and the dataset {dataset!r} "
            "has no column of ratings; name `rating` under its `format.columns`, or take another "
            "experiment (lim2015 and theorems fit data without ratings)."
        )
    wanted = outline(experiment).truth_from
    if wanted and not {*wanted} & {*settings.has(config, dataset)}:
        raise UserError(
            f"{key}: {experiment} needs {' or '.join(wanted)} ratings, by which the truth is known, and "
            f"the dataset {dataset!r} has none; name them under its `files` or `format.columns`, or "
            "ask for Γ instead (docs/trust.md)."
        )
    for study in outline(experiment).studies:
        _check_relevant(config, study, dataset)


def fitting_inputs(config: dict[str, Any], experiment: str, dataset: str) -> list[str]:
    """Everything that an experiment on a dataset is made from, which need not be in its lists."""
    check_fits(config, experiment, dataset, f"results/{experiment}/{dataset}")
    plan = outline(experiment)
    paths.check_given(config, experiment, plan.studies, dataset)
    return plan.inputs(config, dataset)


def _check_relevant(config: dict[str, Any], study: str, dataset: str) -> None:
    """Where all ratings are alike, as plays without a count, all are relevant."""
    view = settings.view_settings(config, dataset, config["studies"][study]["view"])
    given = {"dataset": view["dataset_relevant"], "highest": view["scale"]}
    alike = _all_alike(config["datasets"][dataset])
    if view["relevant"] in given and given[view["relevant"]] is None and not alike:
        key = "relevant" if view["relevant"] == "dataset" else "scale"
        raise UserError(
            f"datasets.{dataset}: the study {study} asks which ratings are relevant, and the dataset "
            f"does not say; give `{key}`."
        )


def _all_alike(about: dict[str, Any]) -> bool:
    """Whether a dataset says who chose what, without a rating."""
    return "rating" not in about.get("format", {}).get("columns", {"rating": 0})


def shown_modules(config: dict[str, Any], experiment: str) -> list[str]:
    """The modules of a paper's tables and figures, and of the methods and measures in them."""
    names = [f"mnar.experiments.{experiment}.{part}" for part in ("tables", "figures")]
    for study in outline(experiment).studies:
        methods = config["studies"][study]["methods"]
        names += [settings.module_of(config, method) for method in methods]
        names += measures.modules_of(settings.measures_of(config, study))
    return names


def page_modules(experiments: Iterable[str]) -> list[str]:
    """The modules that a page loads by name: outlines, findings, and what papers print."""
    names = [f"mnar.experiments.{experiment}" for experiment in experiments]
    return [f"{name}{part}" for name in names for part in ("", ".findings", ".printed")]


def page_sections(
    config: dict[str, Any], page: str, is_missing: Callable[[str], Any]
) -> list[tuple[str, str]]:
    """The (experiment, dataset) pairs that a page shows.

    `summary` shows the embedded datasets, `placed` all whose files are there, `paper` and the page of
    one experiment the papers' own. Scores that one of them needs and that are missing stop the run.
    """
    pairs = []
    for experiment, entry in config["experiments"].items():
        datasets = []
        if page == SUMMARY:
            datasets = entry["datasets"]
        elif page == PLACED:
            known = [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
            datasets = [dataset for dataset in dict.fromkeys(known) if not is_missing(dataset)]
        elif page in (PAPER, experiment):
            datasets = entry["paper_datasets"]
        for dataset in datasets:
            paths.check_given(config, experiment, outline(experiment).studies, dataset)
        pairs += [(experiment, dataset) for dataset in datasets]
    return pairs


def page_files(page: str, sections: list[tuple[str, str]]) -> list[str]:
    """All tables and figures of a page, and the data behind them, by which claims are judged."""
    files = []
    for experiment, dataset in sections:
        plan = outline(experiment)
        files += plan.outputs(experiment, dataset)
        names = [*plan.general, *(plan.across if page in (PAPER, experiment) else ())]
        ends = ("md", "csv", "checksums.json")
        files += [f"results/{experiment}/{name}.{end}" for name in names for end in ends]
    return list(dict.fromkeys(files))
