"""What the jobs of a finished run needed, from its logs: python tests/cluster/needs.py [FOLDER ...]

First by rule: memory declared against the peak used; declared should be 1.2 to 3 times the peak. A
rule outside of that is marked, and the exit code is 1. Then by experiment: jobs, CPU seconds, memory
and disk. A shared job counts for every experiment that needs it.
"""

import ast
import csv
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from mnar.core.script import used
from mnar.reporting.outline import outline

LEAST, MOST = 1.2, 3.0
# Folders of results/ that hold one study, one dataset, or one experiment each.
STUDIES = ("scores", "analyses", "models")


@dataclass
class Job:
    name: str
    rule: str
    wildcards: dict[str, str]
    declared_mb: float
    peak_mb: float
    cpu_seconds: float

    @property
    def ratio(self) -> float:
        return self.declared_mb / self.peak_mb


def jobs_of(folder: Path) -> Iterator[Job]:
    """Every job of a run; Snakemake samples memory, what the log of the job says is exact."""
    benchmarks = folder / "logs/benchmarks"
    for file in sorted(benchmarks.rglob("*.tsv")):
        with file.open(encoding="utf-8", newline="") as stream:
            row = list(csv.DictReader(stream, delimiter="\t"))[-1]
        name = file.relative_to(benchmarks).with_suffix("")
        peak_mb, cpu_seconds = used(folder / "logs" / f"{name}.log") or (
            float(row["max_rss"]),
            float(row["cpu_time"]),
        )
        resources = ast.literal_eval(row["resources"])
        yield Job(
            str(name),
            row["rule_name"],
            ast.literal_eval(row["wildcards"]),
            float(resources["mem_mb"]),
            peak_mb,
            cpu_seconds,
        )


def print_memory(jobs: Iterable[Job]) -> bool:
    """The table of memory by rule; True if every job has what it should."""
    by_rule = defaultdict(list)
    for job in jobs:
        by_rule[job.rule].append(job)
    print("| rule | jobs | peak MB | declared MB | declared / peak | |\n|---|---|---|---|---|---|")
    good = True
    for rule, its in sorted(by_rule.items()):
        wrong = [job for job in its if not LEAST <= job.ratio <= MOST]
        good &= not wrong
        columns = [
            _range([job.peak_mb for job in its]),
            _range([job.declared_mb for job in its]),
            _range([job.ratio for job in its], ".1f"),
            f"**{len(wrong)} outside**: {wrong[0].name}" if wrong else "",
        ]
        print(f"| {rule} | {len(its)} | {' | '.join(columns)} |")
    return good


def print_experiments(folder: Path, jobs: list[Job]) -> None:
    config = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    print("\n| experiment | jobs | CPU seconds | peak MB | disk MB |\n|---|---|---|---|---|")
    sizes = {
        str(path.relative_to(folder / "results")): path.stat().st_size / 1e6
        for path in (folder / "results").rglob("*")
        if path.is_file()
    }
    for experiment in [*config["experiments"], None]:
        its = [job for job in jobs if not experiment or _needs(config, experiment, job)]
        files = [name for name in sizes if not experiment or _holds(config, experiment, name)]
        facts = [
            experiment or "all of them",
            len(its),
            f"{sum(job.cpu_seconds for job in its):.0f}",
            f"{max((job.peak_mb for job in its), default=0):.0f}",
            f"{sum(sizes[name] for name in files):.1f}",
        ]
        print("| " + " | ".join(map(str, facts)) + " |")


def _needs(config: dict, experiment: str, job: Job) -> bool:
    studies = outline(experiment).studies
    words = job.wildcards
    if "study" in words:
        return words["study"] in studies
    if "view" in words:
        return words["view"] in _views(config, experiment)
    if job.rule == "simulate":
        return experiment == "theorems"
    if job.rule in ("generator_grid", "show_generator_grid"):
        return experiment == "pradel2012"
    own = re.match(r"show_([a-z]+\d*)$", job.rule)
    return own[1] == experiment if own else True


def _holds(config: dict, experiment: str, name: str) -> bool:
    kind, *rest = name.split("/")
    if kind in STUDIES and len(rest) > 1:
        return rest[0] in outline(experiment).studies
    if kind in ("views", "splits", "complete"):
        return Path(rest[1]).stem in _views(config, experiment)
    if kind == "simulations":
        return experiment == ("theorems" if len(rest) > 1 else "pradel2012")
    return kind == experiment or kind not in config["experiments"]


def _views(config: dict, experiment: str) -> set[str]:
    studies = outline(experiment).studies
    views = {config["studies"][study]["view"] for study in studies}
    for study in studies:
        views |= set(config["studies"][study].get("catalogues", []))
    return views | ({"theorems"} if experiment == "theorems" else set())


def _range(values: list[float], form: str = ".0f") -> str:
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} to {high}"


def main() -> int:
    folders = [Path(name) for name in sys.argv[1:]] or [Path()]
    good = True
    for folder in folders:
        jobs = list(jobs_of(folder))
        if not jobs:
            sys.exit(
                f"There are no benchmark files in {folder / 'logs/benchmarks'}: run something first."
            )
        good &= print_memory(jobs)
        print_experiments(folder, jobs)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
