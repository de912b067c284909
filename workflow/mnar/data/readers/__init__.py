"""Readers of file formats, one file each, found by `kind` in a dataset's `format`.

A reader is a module with

    ROLES = {…}: the roles of its files, and whether a dataset must name a file for each
    SETTINGS = (…): what it understands in `format`, beside `kind`
    rows(files, settings, bad) -> Iterator[tuple[str, polars.DataFrame]]

which yields pieces of the tables "interactions" and "random", with the columns user, item, rating
(Float32), timestamp (Int64, null where there is none) and, where the source has an official split,
part (UInt8, see mnar.data.parts). `files` gives the sources of each role, `settings` is the `format`
in the config, and `bad` takes the lines that cannot be read. Optional are `items(files, settings, bad)`,
the catalogue, `parts(files, bad)`, pairs (user, item, part) to be marked in the interactions, and
`has(roles, format, catalogue)`, what the files hold besides ratings.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from mnar.core.errors import UserError


class Format(NamedTuple):
    """What a dataset's entry may say to a reader."""

    ROLES: dict[str, bool]
    SETTINGS: tuple[str, ...]


def names() -> list[str]:
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def load(kind: str) -> ModuleType:
    return import_module(module_name(kind))


def module_name(kind: str) -> str:
    return f"mnar.data.readers.{_file_of(kind).stem}"


def format_of(kind: str) -> Format:
    """The roles of a reader's files and the settings that it knows."""
    reader = load(kind)
    try:
        return Format(reader.ROLES, reader.SETTINGS)
    except AttributeError as error:
        raise UserError(f"The reader {reader.__file__} must have ROLES and SETTINGS.") from error


def _file_of(kind: str) -> Path:
    if kind not in names():
        raise UserError(f"Unknown format kind {kind!r}; known are {', '.join(names())}.")
    return Path(__file__).with_name(f"{kind.replace('-', '_')}.py")
