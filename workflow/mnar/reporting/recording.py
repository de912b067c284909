"""What a finished run found, kept for readers who have not run it, with a record to check it by.

Tables (Markdown, CSV), leading figures (SVG with their captions and data) and claims are copied; nothing of
datasets that the default run makes, and no file that is LARGE. A part is an experiment on a dataset, or
the claims. The record holds for each part checksums of inputs and of all outputs, the commit, the config's
hash, versions, the machine, and the time it took.
"""

import csv
import hashlib
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnar.core.errors import UserError
from mnar.core.files import atomic, check_listed, read_json
from mnar.reporting.outline import outline

RECORD = "record.json"
KEPT = {".csv", ".md", ".svg", ".txt"}
# In bytes: estimates of single systems, which only checksums stand for.
LARGE = 500_000
RESULTS = Path("results")


def keep(
    parts: Mapping[str, Iterable[str]],
    folder: Path,
    config: Mapping[str, Any],
    versions: Mapping[str, str],
    *,
    whole: bool,
) -> dict[str, Any]:
    """Copy the results of each part into `folder`, and write the record.

    Parts that were recorded before stay, unless this is the whole run.
    """
    before = load(folder)["parts"] if (folder / RECORD).exists() else {}
    there = {name: part for name, part in before.items() if name not in parts and not whole}
    run = {
        "date": datetime.now(UTC).date().isoformat(),
        **commit(),
        "config": config_hash(config),
        "seed": config["seed"],
        "machine": machine(),
        "versions": dict(versions),
    }
    made = {name: run | _part(name, files, config) for name, files in parts.items()}
    record = {"parts": dict(sorted((there | made).items()))}
    for name in _kept(before) - _kept(record["parts"]):
        _kept_path(folder, name).unlink(missing_ok=True)
    for name in _kept(made):
        path = _kept_path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(name, path)
    with atomic(folder / RECORD) as path:
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return record


def _part(name: str, made: Iterable[str], config: Mapping[str, Any]) -> dict[str, Any]:
    files = sorted({*made} | {str(form) for one in made for form in _forms(Path(one))})
    check_listed(files)
    return {
        "time": times(Path("logs/benchmarks"), name, config),
        "inputs": inputs(files),
        "outputs": {one: checksum(Path(one)) for one in files},
        "kept": [one for one in files if _is_kept(Path(one), name, config)],
    }


def _is_kept(path: Path, part: str, config: Mapping[str, Any]) -> bool:
    """Whether a file is copied; all others have their checksums alone."""
    experiment, _, dataset = part.partition("/")
    if not dataset:
        return path.suffix in KEPT
    if path.suffix not in KEPT or path.stat().st_size > LARGE:
        return False
    plan = outline(experiment)
    folded = path.stem in plan.figures and path.stem not in plan.lead
    return not folded and dataset not in config["experiments"][experiment]["datasets"]


def _kept(parts: Mapping[str, Any]) -> set[str]:
    return {name for part in parts.values() for name in part["kept"]}


def load(folder: Path) -> dict[str, Any]:
    """The record in a folder."""
    path = folder / RECORD
    if not path.exists():
        raise UserError(f"{path} is not there: nothing was recorded. Run `make reproduction`.")
    return json.loads(path.read_text(encoding="utf-8"))


def told(folder: Path, experiment: str, dataset: str) -> str:
    """When a part was recorded, and at which commit."""
    part = load(folder)["parts"][f"{experiment}/{dataset}"]
    changed = " with changes" if part.get("changed") else ""
    return f"recorded on {part['date']}, commit {(part['commit'] or 'unknown')[:7]}{changed}"


def differences(record: Mapping[str, Any], part: str = "") -> tuple[int, list[str]]:
    """How many recorded outputs of a part were compared, and a line for each that is not the same."""
    outputs = outputs_of(record, part)
    found = []
    for name, known in outputs.items():
        path = Path(name)
        if not path.exists():
            found.append(f"{name}: not there")
        elif checksum(path) != known:
            found.append(f"{name}: other content than recorded")
    return len(outputs), found


def parts_of(record: Mapping[str, Any], part: str) -> dict[str, Any]:
    """A recorded part, or all of an experiment; all of them where none is named."""
    parts = {name: about for name, about in record["parts"].items() if is_part(name, part)}
    if not parts:
        known = ", ".join(record["parts"])
        raise UserError(f"Nothing is recorded of {part!r}. Parts are: {known}.")
    return parts


def is_part(name: str, asked: str) -> bool:
    """Whether a part is the one asked for, of the experiment asked for, or everything is."""
    return not asked or name == asked or name.startswith(f"{asked.removesuffix('/')}/")


def outputs_of(record: Mapping[str, Any], part: str) -> dict[str, str]:
    """The recorded outputs of a part, with their checksums."""
    parts = parts_of(record, part).values()
    return {name: known for about in parts for name, known in about["outputs"].items()}


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def config_hash(config: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()


def commit() -> dict[str, Any]:
    """The commit of the project, and whether files that it tracks were changed since."""

    def ask(*words: str) -> str:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    # The kept results themselves do not count: they are written after the commit that made them.
    changed = ask("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/reproduction")
    return {"commit": ask("rev-parse", "HEAD") or None, "changed": bool(changed)}


def machine() -> dict[str, Any]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 1e9, 1),
    }


def _processor() -> str:
    """The name of the processor, where the system tells."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8").splitlines() if about.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor()


def times(folder: Path, part: str, config: Mapping[str, Any]) -> dict[str, float]:
    """Jobs, seconds and CPU seconds of a part; jobs that several parts need count in each.

    A part without a dataset has the jobs of none.
    """
    experiment, _, dataset = part.partition("/")
    mine = {experiment, *(outline(experiment).studies if dataset else ())}
    total = {"jobs": 0, "seconds": 0.0, "cpu_seconds": 0.0}
    for file in sorted(folder.rglob("*.tsv")):
        words = {*file.relative_to(folder).with_suffix("").parts}
        # Jobs of no study and no experiment prepare, view and split the data.
        others = words & ({*config["studies"], *config["experiments"]} - mine)
        if (dataset not in words or others) if dataset else words & {*config["datasets"]}:
            continue
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                total["jobs"] += 1
                total["seconds"] += _number(row["s"])
                total["cpu_seconds"] += _number(row["cpu_time"])
    return {name: round(value, 2) for name, value in total.items()}


def _number(text: str) -> float:
    """Snakemake writes NA for jobs that end before it looks."""
    try:
        return float(text)
    except ValueError:
        return 0.0


def inputs(files: Iterable[str]) -> dict[str, dict[str, str]]:
    """The checksums of the files that each dataset was read from; generated data have none."""
    summaries = [Path(name) for name in files if name.endswith("/summary.json")]
    return {
        path.parent.name: {file["file"]: file["sha256"] for file in read_json(path)["files"]}
        for path in summaries
        if "files" in read_json(path)
    }


def _forms(path: Path) -> list[Path]:
    """The other endings of a table or figure that are there: tex, pdf, png."""
    if path.suffix not in {".md", ".svg"}:
        return []
    forms = [path.with_suffix(ending) for ending in (".tex", ".pdf", ".png")]
    return [form for form in forms if form.exists()]


def _kept_path(folder: Path, name: str) -> Path:
    return folder / Path(name).relative_to(RESULTS)
