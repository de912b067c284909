"""Readers of file formats, one file each, found by `kind` in a dataset's `format`.

A reader is a module with

    ROLES: the roles of its files, and whether a dataset must name a file for each
    SETTINGS: what it understands in `format`, beside `kind`
    rows(files, settings, bad) -> Iterator[tuple[str, polars.DataFrame]]

which yields pieces of the tables "interactions" and "random", with the columns user, item, rating
(Float32), timestamp (Int64, null where there is none) and, where the source has an official split,
part (UInt8). `files` gives the sources of each role, `settings` is the `format` in the config, and
`bad` takes the lines that cannot be read. Optional are `items(files, settings, bad)`, the
catalogue, and `parts(files, bad)`, pairs (user, item, part) to be marked in the interactions.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from mnar.errors import UserError

TRAIN, VALIDATION, TEST = range(3)


def names() -> list[str]:
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def load(kind: str) -> ModuleType:
    if kind not in names():
        raise UserError(f"Unknown format kind {kind!r}; known are {', '.join(names())}.")
    return import_module(f"mnar.data.readers.{kind.replace('-', '_')}")
