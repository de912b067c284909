"""Files of a dataset as they lie on disk: plain, compressed, or inside a zip, read as a stream.

Nothing is ever unpacked to disk, so an archive cannot write anywhere.
"""

import codecs
import errno
import gzip
import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, cast

from mnar.core.errors import UserError

BLOCK = 1 << 23
_LONGEST_LINE = 4 * BLOCK
_NEWLINE = b"\n"
_ENCRYPTED = 1
# Python decodes these, but they are made for names and for source code.
_NOT_OF_FILES = ("idna", "punycode", "unicode-escape", "raw-unicode-escape")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


@dataclass(frozen=True)
class Source:
    """A file, or a member of a zip file."""

    path: Path
    member: str | None = None

    def __str__(self) -> str:
        return str(self.path) if self.member is None else f"{self.path}/{self.member}"

    def is_a(self, ending: str) -> bool:
        """Whether the content has this ending; that of a compression does not count."""
        name = self.member or self.path.name
        if self.member is None and self.path.suffix == ".zip":
            with self._readable(), zipfile.ZipFile(self.path) as archive:
                name = self._entry(archive).filename
        return name.removesuffix(".gz").removesuffix(".zst").endswith(ending)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The content as bytes, decompressed on the way."""
        with self._readable(), ExitStack() as stack:
            if self.path.suffix == ".zip":
                archive = stack.enter_context(zipfile.ZipFile(self.path))
                yield stack.enter_context(archive.open(self._entry(archive)))
            elif self.path.suffix == ".gz":
                yield cast(IO[bytes], stack.enter_context(gzip.open(self.path)))
            elif self.path.suffix == ".zst":
                # Imported here, since every start of Snakemake imports this file.
                from pyarrow import input_stream

                yield stack.enter_context(input_stream(str(self.path), compression="zstd"))
            else:
                yield stack.enter_context(self.path.open("rb"))

    @contextmanager
    def as_it_lies(self) -> Iterator[IO[bytes]]:
        """The bytes of the file, whatever is packed in it."""
        with self._readable(), self.path.open("rb") as stream:
            yield stream

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """What goes wrong with the file, as a sentence."""
        try:
            yield
        except FileNotFoundError as error:
            raise UserError(f"{self.path} is not there.") from error
        except IsADirectoryError as error:
            raise UserError(f"{self.path} is a folder where a file is expected.") from error
        except PermissionError as error:
            raise UserError(f"{self.path} may not be read; change its permissions.") from error
        except (zipfile.BadZipFile, EOFError, zlib.error) as error:
            raise self._damaged(error) from error
        except OSError as error:
            # What a decompressor has to say comes without the number of a system call; an index of a
            # damaged archive may lead to before its start.
            if error.errno in (None, errno.EINVAL):
                raise self._damaged(error) from error
            raise

    def _damaged(self, error: Exception) -> UserError:
        return UserError(f"{self.path} is damaged ({error}): get the file again.")

    def _entry(self, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
        # Python asks the last character of a name, and a damaged archive may have none.
        files = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        if self.member is None:
            if len(files) == 1:
                return self._open_to_all(files[0])
            wanted = "exactly one file, or name the one that is meant"
        else:
            named = [entry for entry in files if entry.filename == self.member]
            if named:
                return self._open_to_all(named[-1])
            wanted = repr(self.member)
        held = ", ".join(entry.filename for entry in files[:10]) or "nothing"
        raise UserError(f"{self.path} should hold {wanted}; it holds {held}.")

    def _open_to_all(self, entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
        if entry.flag_bits & _ENCRYPTED:
            raise UserError(f"{self.path} has a password; unpack it and name the file in it.")
        if entry.compress_type not in _METHODS:
            raise UserError(
                f"{self.path} is packed in an unusual way; unpack it and pack it again."
            )
        return entry


def locate(name: str, folder: Path) -> Source:
    """A name in the config: a file in the folder, or `archive.zip/path/in/the/archive`."""
    parts = PurePosixPath(name).parts
    for position, part in enumerate(parts[:-1], start=1):
        if part.endswith(".zip"):
            return Source(folder.joinpath(*parts[:position]), "/".join(parts[position:]))
    return Source(folder / name)


def sha256(path: Path) -> str:
    with Source(path).as_it_lies() as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


class Block(NamedTuple):
    """Some lines of a text file."""

    first_line: int
    lines: int
    data: bytes


def blocks(source: Source, encoding: str = "utf-8", size: int = BLOCK) -> Iterator[Block]:
    """Whole lines in UTF-8, about `size` bytes at a time; a byte order mark is dropped."""
    line = 1
    rest = b""
    with source.open() as stream:
        for piece in _in_utf8(source, stream, encoding, size):
            cut = piece.rfind(_NEWLINE) + 1
            if cut:
                data = b"".join((rest, memoryview(piece)[:cut]))
                lines = data.count(_NEWLINE)
                yield Block(line, lines, data)
                line += lines
                rest = piece[cut:]
            else:
                rest += piece
                if len(rest) > _LONGEST_LINE:
                    raise UserError(
                        f"{source}, line {line}: no end of line in {len(rest):,} bytes; "
                        "this is not a text file."
                    )
    if rest:
        yield Block(line, 1, rest)


def filled_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The lines that have text, each with its number, without the white space around it."""
    for first, _, block in blocks(source):
        for offset, text in enumerate(block.split(b"\n")):
            if text.strip():
                yield first + offset, text.strip()


def is_encoding(name: str) -> bool:
    """Whether files may be written in it: it turns any piece of bytes into text."""
    try:
        known = codecs.lookup(name).name.replace("_", "-")
        return known not in _NOT_OF_FILES and bool("a".encode(name))
    except (LookupError, ValueError):
        return False


def _in_utf8(source: Source, stream: IO[bytes], encoding: str, size: int) -> Iterator[bytes]:
    """The content in pieces; where lines end in a carriage return alone, in a line feed instead."""
    try:
        plain = codecs.lookup(encoding).name == "utf-8"
        decoder = codecs.getincrementaldecoder(encoding)()
        first, only_returns = True, False
        # Reading ahead: the next piece is decompressed while the last one is being parsed.
        with ThreadPoolExecutor(1) as reader:
            ahead = reader.submit(stream.read, size)
            while raw := ahead.result():
                ahead = reader.submit(stream.read, size)
                if first:
                    _check_start(source, raw, plain)
                piece = raw if plain else decoder.decode(raw).encode()
                if first:
                    piece = piece.removeprefix(codecs.BOM_UTF8)
                    # One at the very end may be half of a line end.
                    only_returns = b"\r" in piece[:-1] and _NEWLINE not in piece
                yield piece.replace(b"\r", _NEWLINE) if only_returns else piece
                first = False
        # What a decoder holds back until it knows that nothing follows.
        if not plain and (rest := decoder.decode(b"", final=True).encode()):
            yield rest.replace(b"\r", _NEWLINE) if only_returns else rest
    except UnicodeError as error:
        raise UserError(
            f"{source} is not in the encoding {encoding!r} ({error}); set `encoding` in the format to "
            "the one it was written in, utf-8 and latin-1 are common."
        ) from error


# How files start that are not text, and what they are.
_STARTS = {
    b"\x1f\x8b": "a gzip file; let its name end in .gz",
    b"PK\x03\x04": "a zip file; let its name end in .zip",
    b"\x28\xb5\x2f\xfd": "a zstd file; let its name end in .zst",
    b"BZh": "a bzip2 file; unpack it first",
    b"\xfd7zXZ": "an xz file; unpack it first",
    b"PAR1": "a Parquet file; let its name end in .parquet",
    b"Rar!": "a rar archive; unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"SQLite format 3": "a database; write its table to a csv file first",
    b"\x93NUMPY": "a file of numpy; write its table to a csv file first",
}


def _check_start(source: Source, start: bytes, plain: bool) -> None:
    """A UserError where the first bytes show that this is not text, or not in this encoding."""
    for magic, what in _STARTS.items():
        if start.startswith(magic):
            raise UserError(f"{source} is not text but {what}.")
    head = start[:400]
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or 3 * head.count(0) > len(
        head
    )
    if plain and wide:
        raise UserError(
            f"{source} is not in the encoding 'utf-8'; its first bytes look like UTF-16; "
            "save it as UTF-8, or set `encoding: utf-16` in the format."
        )
