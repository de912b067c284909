"""Writing files so that a half-written one is never seen, and reading arrays without pickle."""

import csv
import json
import os
import secrets
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mnar.core.errors import UserError

_NAME = "written_as"


@contextmanager
def atomic(path: str | Path, *, shared: bool = False) -> Iterator[Path]:
    """A temporary path beside `path`: renamed to it when the block ends well, else removed.

    A process that is killed leaves its temporary file; the next one to write the same path takes its
    place. Where several may write it at once (`shared`), each has a temporary file of its own.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    owner = f"{os.getpid()}-{secrets.token_hex(4)}." if shared else ""
    temporary = path.with_name(f".{path.stem}.{owner}partial{path.suffix}")
    try:
        temporary.unlink(missing_ok=True)
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | Path) -> Any:
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table of plain values; the columns are there even where there are no rows."""
    with atomic(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def write_arrays(path: str | Path, arrays: Mapping[str, Any], *, named: bool = False) -> None:
    """An .npz of plain arrays; the same arrays give the same bytes.

    A file that is `named` says what it is, so that one in the place of another is noticed.
    """
    if named:
        arrays = {_NAME: np.array(_name(path)), **arrays}
    with atomic(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def read_arrays(path: str | Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz; one that is cut short or another one's ends with a sentence that says so."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (BadZipFile, zlib.error, EOFError, ValueError, AttributeError) as error:
        raise UserError(
            f"{path} is damaged or cut short ({error}); delete it and run again, it will be made anew."
        ) from error
    name = str(arrays.pop(_NAME, _name(path)))
    if name != _name(path):
        raise UserError(
            f"{path} is not what its name says, it was written as {name}; "
            "delete it and run again, it will be made anew."
        )
    return arrays


def _name(path: str | Path) -> str:
    """The folders and the file that say what is in it: dataset, view, protocol; not where it lies."""
    return "/".join(Path(path).absolute().parts[-3:])
