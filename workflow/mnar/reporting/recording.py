"""What a finished run found, kept for readers who have not run it, with a record to check it by.

Tables (Markdown, CSV), figures (SVG) and claims are copied. The record holds checksums of inputs and of
all outputs, the commit, the config's hash, versions, the machine, and the time of each part.
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

RECORD = "record.json"
KEPT = {".csv", ".md", ".svg"}
RESULTS = Path("results")


def keep(
    made: Iterable[str], folder: Path, config: Mapping[str, Any], versions: Mapping[str, str]
) -> dict[str, Any]:
    """Copy the results into `folder`, in place of those of an earlier record, and write the record."""
    files = sorted({*made} | {str(form) for name in made for form in _forms(Path(name))})
    check_listed(files)
    kept = [name for name in files if Path(name).suffix in KEPT]
    before = load(folder)["kept"] if (folder / RECORD).exists() else []
    for name in {*before} - {*kept}:
        _kept_path(folder, name).unlink(missing_ok=True)
    for name in kept:
        path = _kept_path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(name, path)
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        **commit(),
        "config": config_hash(config),
        "seed": config["seed"],
        "machine": machine(),
        "versions": dict(versions),
        "time": times(Path("logs/benchmarks")),
        "inputs": inputs(files),
        "outputs": {name: checksum(Path(name)) for name in files},
        "kept": kept,
    }
    with atomic(folder / RECORD) as path:
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return record


def load(folder: Path) -> dict[str, Any]:
    """The record in a folder."""
    path = folder / RECORD
    if not path.exists():
        raise UserError(f"{path} is not there: nothing was recorded. Run `make reproduction`.")
    return json.loads(path.read_text(encoding="utf-8"))


def differences(record: Mapping[str, Any], part: str = "") -> tuple[int, list[str]]:
    """How many recorded outputs of a part were compared, and a line for each that is not the same."""
    names = outputs_of(record, part)
    found = []
    for name in names:
        path = Path(name)
        if not path.exists():
            found.append(f"{name}: not there")
        elif checksum(path) != record["outputs"][name]:
            found.append(f"{name}: other content than recorded")
    return len(names), found


def outputs_of(record: Mapping[str, Any], part: str) -> list[str]:
    """The recorded outputs below results/<part>; all of them where no part is named."""
    names = [name for name in record["outputs"] if name.startswith(f"{RESULTS}/{part}")]
    if not names:
        parts = sorted({"/".join(Path(name).parts[1:3]) for name in record["outputs"]})
        raise UserError(f"Nothing recorded begins with {part!r}. Parts are: {', '.join(parts)}.")
    return names


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


def times(folder: Path) -> dict[str, dict[str, float]]:
    """Jobs, seconds and CPU seconds of each stage, and of each study and dataset of training."""
    parts: dict[str, dict[str, float]] = {}
    for file in sorted(folder.rglob("*.tsv")):
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        names = file.relative_to(folder).parts
        part = "/".join(names[: 3 if names[0] == "train" else 1]).removesuffix(".tsv")
        total = parts.setdefault(part, {"jobs": 0, "seconds": 0.0, "cpu_seconds": 0.0})
        for row in rows:
            total["jobs"] += 1
            total["seconds"] = round(total["seconds"] + _number(row["s"]), 2)
            total["cpu_seconds"] = round(total["cpu_seconds"] + _number(row["cpu_time"]), 2)
    return parts


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
