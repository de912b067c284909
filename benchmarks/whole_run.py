"""Where the time of the last `make` went: parse, start, compile, and the jobs by rule.

Reads the benchmark files that Snakemake wrote, and memory and CPU seconds from the jobs' logs; what
neither shows (parsing, the start of a job) is measured here.
"""

import csv
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from contest import ROOT

from mnar.core.script import used

LOGS = Path("logs") / "benchmarks"
# What a rule mostly does; those not named train or score.
KINDS = {
    "read": ("download", "prepare", "view", "split", "generate", "complete"),
    "compile": ("compile",),
    "write": ("show", "tabulate", "page"),
}
STARTS = 5


def measure(folder: Path) -> list[dict]:
    """Rows of (kind, what, jobs, seconds, cpu_seconds, peak_mb) of the run in a folder."""
    start = start_of_a_job()
    rules = jobs_by_rule(folder / LOGS)
    if not rules:
        raise SystemExit(f"{LOGS} is empty: run `make` first")
    rows = [{"kind": "parse", "what": "read config and rules", **_row(1, parse(), 0, 0)}]
    jobs = sum(len(found) for found in rules.values())
    rows.append({"kind": "start", "what": "Python and imports", **_row(jobs, jobs * start, 0, 0)})
    for rule, found in sorted(rules.items()):
        seconds = sum(max(float(job["s"]) - start, 0) for job in found)
        cpu = sum(job["cpu_seconds"] for job in found)
        peak = max(job["peak_mb"] for job in found)
        rows.append({"kind": kind_of(rule), "what": rule, **_row(len(found), seconds, cpu, peak)})
    return rows


def jobs_by_rule(logs: Path) -> dict[str, list[dict]]:
    """The facts of all jobs; the first folder or the file is named after the rule, the next one of
    training after the study.

    Of a job whose log does not say what it used, memory and CPU seconds are 0.
    """
    found = defaultdict(list)
    for file in sorted(logs.rglob("*.tsv")):
        rule, *rest = file.relative_to(logs).with_suffix("").parts
        rule = f"{rule} {rest[0]}" if rule == "train" else rule
        peak_mb, cpu_seconds = used(logs.parent / file.relative_to(logs).with_suffix(".log")) or (
            0,
            0,
        )
        with file.open(newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                found[rule].append({**row, "peak_mb": peak_mb, "cpu_seconds": cpu_seconds})
    return found


def kind_of(rule: str) -> str:
    for kind, starts in KINDS.items():
        if rule.startswith(starts):
            return kind
    return "kernel"


def parse() -> float:
    """Seconds that Snakemake needs before the first job, less the start of Python."""
    snakemake = Path(sys.executable).with_name("snakemake")
    return timed([snakemake, "-n", "--quiet"])


def start_of_a_job() -> float:
    """Seconds until a training script has imported what it needs."""
    modules = ("tuning.scores", "tuning.fold_search", "measures.atop", "models.mf_adg")
    imports = "; ".join(f"import mnar.{module}" for module in modules)
    return median(timed([sys.executable, "-c", imports]) for _ in range(STARTS))


def timed(command: list) -> float:
    start = time.perf_counter()
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def _row(jobs: int, seconds: float, cpu: float, peak: float) -> dict:
    return {"jobs": jobs, "seconds": seconds, "cpu_seconds": cpu, "peak_mb": peak}
