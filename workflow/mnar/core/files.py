"""Files between jobs: never seen half written, and read only if every byte is unchanged.

Every kind carries its checksum inside, where other programs pass over it:

| kind     | where the checksum stands                                         |
|----------|-------------------------------------------------------------------|
| .json    | in the last key, `checksum`                                       |
| .csv     | in the name of an empty last column                               |
| .npz     | in bytes after the archive                                        |
| .parquet | in bytes between the last page and the footer                     |

Files for readers (tables, figures) stay plain: the job that writes them also writes a list of checksums.
"""

import csv
import hashlib
import io
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZipFile

import numpy as np

from mnar.core.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

_NAME = "written_as"
# A column of text of any length is two arrays: its bytes, and where its words end.
_BYTES, _ENDS = ".utf8", ".ends"
_CHECKSUM = "checksum"
_SEAL = b"sha256:"
_LIST = "checksums.json"
_SEAL_SIZE = len(_SEAL) + 32
# The last bytes of a Parquet file: the size of its footer, and its mark.
_PARQUET_END = 8


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


def _damaged(path: str | Path, why: str) -> UserError:
    return UserError(f"{path} is damaged or cut short ({why}); delete it and run again.")


def write_json(path: str | Path, value: dict[str, Any]) -> None:
    write_text(path, _dumped({**value, _CHECKSUM: _json_digest(value)}))


def read_json(path: str | Path) -> dict[str, Any]:
    text = _read(path).decode("utf-8", errors="replace")
    try:
        value = json.loads(text)
        if _dumped(value) != text or value.pop(_CHECKSUM) != _json_digest(value):
            raise ValueError("its checksum is not right")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise _damaged(path, _first_line(error)) from error
    return value


def _dumped(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _json_digest(value: dict[str, Any]) -> str:
    return hashlib.sha256(_dumped(value).encode()).hexdigest()


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table for other jobs; the columns are there also where there are no rows."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*columns, ""])
    writer.writerows([*row, ""] for row in rows)
    head, body = text.getvalue().split("\n", 1)
    digest = hashlib.sha256(f"{head}\n{body}".encode()).hexdigest()
    write_text(path, f"{head}{_SEAL.decode()}{digest}\n{body}")


def read_csv(path: str | Path, **options: Any) -> "pd.DataFrame":
    """The table that `write_csv` wrote; `options` are those of pandas.read_csv."""
    import pandas as pd

    content = _read(path)
    head, _, body = content.partition(b"\n")
    columns, seal, digest = head.rpartition(_SEAL)
    content = columns + b"\n" + body
    if not seal or digest != hashlib.sha256(content).hexdigest().encode():
        raise _damaged(path, "its checksum is not right")
    names = next(csv.reader([columns.decode()]))[:-1]
    return pd.read_csv(
        io.BytesIO(content), header=0, usecols=range(len(names)), names=[*names, ""], **options
    )


def write_arrays(path: str | Path, arrays: Mapping[str, Any], *, named: bool = False) -> None:
    """An .npz of plain arrays; the same arrays give the same bytes.

    A `named` file carries its name, so that a file in the place of another is noticed.
    """
    if named:
        arrays = {_NAME: np.array(_name(path)), **arrays}
    with atomic(path) as temporary:
        with temporary.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **_without_text(arrays))
        with temporary.open("rb+") as stream:
            digest = hashlib.file_digest(stream, "sha256").digest()
            stream.write(_SEAL + digest)


def read_arrays(path: str | Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz; a damaged or misplaced file ends with a sentence that says so."""
    with _opened(path) as stream:
        _check_seal(path, stream, stream.seek(0, os.SEEK_END) - _SEAL_SIZE)
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as stored:
            arrays = _with_text({name: stored[name] for name in stored.files})
    name = str(arrays.pop(_NAME, _name(path)))
    if name != _name(path):
        raise UserError(
            f"{path} is not what its name says, it was written as {name}; delete it and run again."
        )
    return arrays


def stored_lengths(path: str | Path, *names: str) -> list[int]:
    """The lengths of some arrays of an .npz, from their headers alone; its checksum is not checked."""
    found = []
    with ZipFile(path) as archive:
        there = archive.namelist()
        for name in names:
            member = f"{name}.npy" if f"{name}.npy" in there else f"{name}{_ENDS}.npy"
            with archive.open(member) as stream:
                np.lib.format.read_magic(stream)
                shape, _, _ = np.lib.format.read_array_header_1_0(stream)
            found.append(shape[0])
    return found


def _without_text(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Text of any length as its bytes and the ends of its words: numpy would pickle it."""
    plain: dict[str, Any] = {}
    for name, array in arrays.items():
        if isinstance(array, np.ndarray) and array.dtype.kind == "T":
            words = [word.encode() for word in array.tolist()]
            plain[name + _BYTES] = np.frombuffer(b"".join(words), np.uint8)
            plain[name + _ENDS] = np.cumsum([len(word) for word in words], dtype=np.int64)
        else:
            plain[name] = array
    return plain


def _with_text(plain: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    arrays = {}
    for name, array in plain.items():
        if name.endswith(_BYTES):
            ends = plain[name.removesuffix(_BYTES) + _ENDS].tolist()
            content = array.tobytes()
            words = [content[a:b].decode() for a, b in pairwise([0, *ends])]
            arrays[name.removesuffix(_BYTES)] = np.array(words, np.dtypes.StringDType())
        elif not name.endswith(_ENDS):
            arrays[name] = array
    return arrays


def _name(path: str | Path) -> str:
    """The last folders and the file name, which tell the contents: dataset, view, protocol."""
    return "/".join(Path(path).absolute().parts[-3:])


def seal_parquet(path: str | Path) -> None:
    """Put the checksum into a Parquet file that was just written."""
    with Path(path).open("rb+") as stream:
        digest = hashlib.file_digest(stream, "sha256").digest()
        at = _footer_start(stream)
        stream.seek(at)
        footer = stream.read()
        stream.seek(at)
        stream.write(_SEAL + digest + footer)


def check_parquet(path: str | Path) -> None:
    """A UserError unless the file is byte for byte what `seal_parquet` left."""
    with _opened(path) as stream:
        _check_seal(path, stream, _footer_start(stream) - _SEAL_SIZE)


def _footer_start(stream: IO[bytes]) -> int:
    """Where the footer starts; pages are found by their distance from the start, it from the end."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _PARQUET_END))
    return size - _PARQUET_END - int.from_bytes(stream.read(4), "little")


def _check_seal(path: str | Path, stream: IO[bytes], at: int) -> None:
    """The checksum at this index must be that of all other bytes."""
    digest = hashlib.sha256()
    stream.seek(0)
    left = max(0, at)
    while left:
        piece = stream.read(min(left, 1 << 20))
        digest.update(piece)
        left -= len(piece) or left
    seal = stream.read(_SEAL_SIZE)
    while piece := stream.read(1 << 20):
        digest.update(piece)
    if at < 0 or seal != _SEAL + digest.digest():
        raise _damaged(path, "its checksum is not right")


def write_checksums(path: str | Path, files: Iterable[str | Path]) -> None:
    """The list of checksums of files in the same folder; its name ends in checksums.json."""
    write_json(path, {Path(file).name: _file_digest(file) for file in files})


def check_listed(files: Iterable[str | Path]) -> None:
    """A UserError unless each file is as its list, which is among `files`, has it.

    Others carry their checksums inside.
    """
    paths = [Path(file) for file in files]
    for checksums in [path for path in paths if path.name.endswith(_LIST)]:
        listed = read_json(checksums)
        for path in paths:
            mine = path.parent == checksums.parent and path.name in listed
            if mine and _file_digest(path) != listed[path.name]:
                raise _damaged(path, f"its checksum is not that in {checksums.name}")


def _file_digest(path: str | Path) -> str:
    return hashlib.sha256(_read(path)).hexdigest()


@contextmanager
def _opened(path: str | Path) -> Iterator[IO[bytes]]:
    try:
        with Path(path).open("rb") as stream:
            yield stream
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror or error}).") from error


def _read(path: str | Path) -> bytes:
    with _opened(path) as stream:
        return stream.read()


def _first_line(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:100] or type(error).__name__
