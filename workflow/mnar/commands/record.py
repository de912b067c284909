"""Keep what a run on all placed datasets found, or compare a run with it: python -m mnar record

After `make reproduction`, docs/reproduction/ holds tables, figures, claims and record.json. `--expect`
says how long such a run takes, `--check` compares the results that are there with the record, and
`--files` lists the recorded files. PART is an experiment, or an experiment and a dataset.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from mnar.core.errors import UserError
from mnar.data.locations import missing_message
from mnar.reporting import crate, recording
from mnar.reporting.outline import page_sections
from mnar.reporting.run_facts import versions

PAGE = "placed"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="mnar record", description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="", help="for --check and --files: a part only")
    parser.add_argument("--folder", type=Path, default=Path("docs/reproduction"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--expect", action="store_true", help="say how long the run takes")
    what.add_argument("--check", action="store_true", help="compare results/ with the record")
    what.add_argument("--files", action="store_true", help="list the recorded files")
    given = parser.parse_args(arguments)
    try:
        if given.expect:
            return _expect(given.folder)
        if given.check:
            return _check(given.folder, given.part)
        if given.files:
            print("\n".join(recording.outputs_of(recording.load(given.folder), given.part)))
            return 0
        return _keep(given.folder)
    except UserError as error:
        print(error, file=sys.stderr)
        return 1


def _keep(folder: Path) -> int:
    config = yaml.safe_load(Path("config.yaml").read_text(encoding="utf-8"))

    def missing(dataset: str) -> str | None:
        entry = config["datasets"][dataset]
        generated = "generator" in entry
        return None if generated else missing_message(dataset, entry, Path("data") / dataset)

    made = crate.inputs(PAGE, page_sections(config, PAGE, missing))
    absent = [name for name in made if not Path(name).exists()]
    if absent:
        raise UserError(
            f"{absent[0]} and {len(absent) - 1} other files are not there: the run has not ended. "
            "Run `make reproduction`."
        )
    record = recording.keep(made, folder, config, versions())
    kept = sum(
        (folder / Path(name).relative_to("results")).stat().st_size for name in record["kept"]
    )
    print(f"{len(record['kept'])} files ({kept / 1e6:.1f} MB) and record.json are in {folder}.")
    if record["changed"]:
        print(
            "Files of the project differ from the commit that the record names: commit, and run again."
        )
    return 0


def _expect(folder: Path) -> int:
    if not (folder / recording.RECORD).exists():
        print("No earlier run is recorded, so the time is unknown; it takes hours on two cores.")
        return 0
    record = recording.load(folder)
    seconds = sum(part["cpu_seconds"] for part in record["time"].values())
    cores = os.cpu_count() or 1
    print(
        f"The recorded run of {record['date']} took {seconds / 60:.0f} CPU minutes: "
        f"about {seconds / 60 / cores:.0f} minutes on the {cores} cores here. "
        "Stop it when you like; the same command goes on from there."
    )
    return 0


def _check(folder: Path, part: str) -> int:
    record = recording.load(folder)
    compared, found = recording.differences(record, part)
    for line in found:
        print(line)
    print(
        f"{compared} recorded files compared, {len(found)} not the same (commit {record['commit']})."
    )
    return 1 if found else 0
