"""Keep what a run on all placed datasets found, or compare a run with it: python -m mnar record

After `make reproduction`, docs/reproduction/ holds tables, figures, claims and record.json. `--expect`
says how long such a run takes, `--targets` what it makes, `--check` compares the results that are there
with the record, and `--files` lists the recorded files. PART is an experiment, or an experiment and a
dataset, such as steck2010/movielens-1m: only that is made, kept or compared.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mnar.config.file import read_file
from mnar.core.errors import UserError
from mnar.data.locations import missing_message
from mnar.reporting import crate, recording
from mnar.reporting.outline import outline, page_sections
from mnar.reporting.run_facts import PLACED, versions

PAGE = PLACED


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="mnar record", description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="", help="a part only")
    parser.add_argument("--folder", type=Path, default=Path("docs/reproduction"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--expect", action="store_true", help="say how long the run takes")
    what.add_argument("--targets", action="store_true", help="list what the run makes")
    what.add_argument("--check", action="store_true", help="compare results/ with the record")
    what.add_argument("--files", action="store_true", help="list the recorded files")
    given = parser.parse_args(arguments)
    try:
        if given.expect:
            return _expect(given.folder, given.part)
        if given.check:
            return _check(given.folder, given.part)
        if given.files:
            print("\n".join(recording.outputs_of(recording.load(given.folder), given.part)))
            return 0
        config = read_file("config.yaml")
        parts = _parts(config, given.part)
        if given.targets:
            print("\n".join(dict.fromkeys(file for files in parts.values() for file in files)))
            return 0
        return _keep(given.folder, parts, config, whole=not given.part)
    except UserError as error:
        print(error, file=sys.stderr)
        return 1


def _parts(config: dict[str, Any], part: str) -> dict[str, list[str]]:
    """The files of each part whose data are here; the claims come with the whole run alone."""

    def missing(dataset: str) -> str | None:
        entry = config["datasets"][dataset]
        generated = "generator" in entry
        return None if generated else missing_message(dataset, entry, Path("data") / dataset)

    sections = page_sections(config, PAGE, missing)
    parts = {
        f"{experiment}/{dataset}": [
            *outline(experiment).outputs(experiment, dataset),
            f"results/data/{dataset}/summary.json",
        ]
        for experiment, dataset in sections
    }
    found = {name: files for name, files in parts.items() if recording.is_part(name, part)}
    if not found:
        raise UserError(f"There is no part {part!r}. Parts with files here: {', '.join(parts)}.")
    if not part:
        mine = {file for files in parts.values() for file in files}
        found["claims"] = [name for name in crate.inputs(PAGE, sections) if name not in mine]
    return found


def _keep(folder: Path, parts: dict[str, list[str]], config: dict[str, Any], *, whole: bool) -> int:
    absent = [name for files in parts.values() for name in files if not Path(name).exists()]
    if absent:
        raise UserError(
            f"{absent[0]} and {len(absent) - 1} other files are not there: the run has not ended. "
            "Run `make reproduction`."
        )
    record = recording.keep(parts, folder, config, versions(), whole=whole)
    kept = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".json"]
    size = sum(path.stat().st_size for path in kept)
    print(f"{len(kept)} files ({size / 1e6:.1f} MB) and record.json are in {folder}.")
    if any(record["parts"][name]["changed"] for name in parts):
        print(
            "Files of the project differ from the commit that the record names: commit, and run again."
        )
    return 0


def _expect(folder: Path, part: str) -> int:
    recorded = (folder / recording.RECORD).exists() and recording.load(folder)["parts"]
    parts = {n: about for n, about in (recorded or {}).items() if recording.is_part(n, part)}
    if not parts:
        print(
            "No earlier run is recorded, so the time is unknown; all of it takes hours on two cores."
        )
        return 0
    seconds = sum(about["time"]["cpu_seconds"] for about in parts.values())
    cores = os.cpu_count() or 1
    print(
        f"The {len(parts)} recorded parts took {seconds / 60:.0f} CPU minutes: "
        f"about {seconds / 60 / cores:.0f} minutes on the {cores} cores here. "
        "Stop it when you like; the same command goes on from there."
    )
    return 0


def _check(folder: Path, part: str) -> int:
    record = recording.load(folder)
    compared, found = recording.differences(record, part)
    for line in found:
        print(line)
    commits = {about["commit"] for about in recording.parts_of(record, part).values()}
    print(
        f"{compared} recorded files compared, {len(found)} not the same "
        f"(commit {', '.join(sorted(map(str, commits)))})."
    )
    return 1 if found else 0
