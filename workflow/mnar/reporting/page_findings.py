"""Findings: one sentence, one number, one small picture each, computed from the tables of a run."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from mnar.reporting import recording
from mnar.reporting.figure_format import Canvas
from mnar.reporting.page_parts import RESULTS, address, svg_address
from mnar.reporting.run_facts import PROJECT, recorded_files
from mnar.reporting.table_format import Table


@dataclass(frozen=True)
class Finding:
    """A statement whose words follow from its number."""

    # The question that it answers, as a reader would ask.
    question: str
    sentence: str
    number: str
    # What the number is, with its interval where it has one.
    about: str
    # yes, no or partly; empty where the question asks for something else.
    answer: str
    # The rest of the answer in ten words or so, for the top of the page.
    brief: str
    picture: Canvas
    # What the picture shows, for those who cannot see it.
    alt: str
    # The part of the page with the numbers.
    link: str

    @property
    def image(self) -> str:
        file = io.StringIO()
        self.picture.savefig(file, format="svg", metadata={"Date": None})
        return svg_address(file.getvalue())


class Numbers:
    """The tidy tables of the experiments on a page, and those recorded with the project."""

    def __init__(
        self, sections: list[tuple[str, str]], config: dict[str, Any], results: Path | None = None
    ):
        self.sections = sections
        self.config = config
        # The folder of the tables that this page shows.
        self.results = results or RESULTS
        # What was read from the record, as it was told.
        self.told_recorded: list[str] = []

    def table(self, experiment: str, name: str) -> pd.DataFrame:
        """Rows of all datasets that have the table; what this run made goes before what is recorded."""
        stems = {
            dataset: (self.results / experiment / dataset / f"{name}.csv", "")
            for one, dataset in self.sections
            if one == experiment
        }
        for dataset, path in self._recorded(experiment, f"{name}.csv").items():
            stems.setdefault(dataset, (path, recording.told(path.parents[2], experiment, dataset)))
        parts = [
            pd.read_csv(path).assign(dataset=dataset, recorded=recorded)
            for dataset, (path, recorded) in stems.items()
            if path.exists()
        ]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    def is_real(self, dataset: str) -> bool:
        return "generator" not in self.config["datasets"].get(dataset, {})

    def link(self, experiment: str, dataset: str, name: str) -> str:
        """The part of the page with the numbers, or the recorded file."""
        path = self._recorded(experiment, f"{name}.csv").get(dataset)
        if (experiment, dataset) in self.sections or path is None:
            return f"#{experiment}-{dataset}-{name}"
        return address(path, RESULTS)

    def recorded(self, rows: pd.DataFrame) -> str:
        """Which of the datasets were not run here, when they were, and at which commit; else nothing."""
        there = rows.loc[rows["recorded"] != ""].drop_duplicates("dataset")
        if there.empty:
            return ""
        groups = there.groupby("recorded", sort=False)["dataset"]
        text = "; ".join(f"{listed(list(names))}: {when}" for when, names in groups)
        self.told_recorded.append(f" ({text})")
        return self.told_recorded[-1]

    def _recorded(self, experiment: str, file: str) -> dict[str, Path]:
        """By dataset: the recorded file of that name."""
        return {
            path.parts[-2]: path
            for path in recorded_files()
            if path.name == file and path.parts[-3] == experiment
        }


def story(numbers: Numbers) -> dict[str, list[Any]]:
    """The answer, the findings and the advice that the experiments of a page give, in their order.

    `elsewhere` are texts with a file of the project each, which has what this run has not; `headline`
    is the dataset that the answer speaks of.
    """
    parts = ("answer", "headline", "elsewhere", "findings", "advice")
    found: dict[str, list[Any]] = {part: [] for part in parts}
    for experiment in dict.fromkeys(one for one, _ in numbers.sections):
        name = f"mnar.experiments.{experiment}.findings"
        if find_spec(name) is None:
            continue
        module = import_module(name)
        for part, told in found.items():
            tell: Callable[[Numbers], list[Any]] | None = getattr(module, part, None)
            told.extend(tell(numbers) if tell else [])
    found["elsewhere"] = [
        {"text": text, "file": file, "link": address(PROJECT / file, RESULTS)}
        for text, file in found["elsewhere"]
    ]
    found["recorded"] = numbers.told_recorded
    return found


def printed(experiment: str) -> dict[str, Table]:
    """Tables of a paper that no run can give, by title."""
    name = f"mnar.experiments.{experiment}.printed"
    return import_module(name).printed() if find_spec(name) else {}


def listed(words: list[str]) -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
