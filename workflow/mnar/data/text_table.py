"""Text tables with any separator, read fast by polars, and slowly only where something is wrong.

Where polars stumbles over a block of lines, or its result is not as it should be, the block is read again
record by record: every bad line is found and named, and all good ones are kept. Records with line breaks
or stray quotes are never given to polars, since it loses rows over them.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.columns import Scale, faults, flags, from_text, index_columns, type_of
from mnar.data.records import BROKEN, REGULAR, RETURN, Records, find_records, gather
from mnar.data.sources import Source, blocks

# A byte that text files do not hold: stands in for separators of several bytes.
_STAND_IN = "\x1f"
# A quoted field that is longer was never closed.
_LONGEST_FIELD = 1 << 23
# The first two records are looked for in so many bytes.
_START = 1 << 16
# polars would unpack a block that starts like this; `x^` may well be the start of an id.
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x^", b"x\x9c", b"x\xda")
_SEPARATORS = ("\t", ";", ",", "|", "::", " ")

# Ids may be longer than the csv module's own limit.
csv.field_size_limit(1 << 30)


@dataclass(frozen=True)
class _Layout:
    """How a line is made: the number of fields, and the index and kind of those wanted."""

    separator: str
    quote: str | None
    # Whether the config names the quote; else a quoted field that holds whole rows is an error.
    quote_is_given: bool
    width: int
    index: Mapping[str, int]
    kinds: Mapping[str, str]
    scale: Scale
    # What to say besides where the first row is bad already.
    hint: str = ""


def read(
    source: Source,
    settings: Mapping[str, Any],
    kinds: Mapping[str, str],
    scale: Scale,
    bad: BadLines,
) -> Iterator[pl.DataFrame]:
    """The wanted columns, piece by piece; ids are text."""
    separator = settings.get("separator", "\t" if source.is_a(".tsv") else ",")
    quote = settings.get("quote", '"' if len(separator) == 1 else None) or None
    layout = None
    waiting, waiting_line = b"", 1
    for line, lines, data in blocks(source, settings.get("encoding", "utf-8")):
        if waiting:
            line, lines, data = waiting_line, lines + waiting.count(b"\n"), waiting + data
        if layout is None:
            blank = len(data) - len(data.lstrip(b"\r\n"))
            if blank == len(data):
                continue
            layout, head = _layout_of(
                source, data[blank:], settings, separator, quote, kinds, scale
            )
            skipped = data.count(b"\n", 0, blank + head)
            line, lines, data = line + skipped, lines - skipped, data[blank + head :]
        frame, consumed = _read_block(source, line, lines, data, layout, bad, final=False)
        yield frame
        waiting = data[consumed:]
        if waiting:
            waiting_line = line + data.count(b"\n", 0, consumed)
        if len(waiting) > _LONGEST_FIELD:
            yield _read_block(source, waiting_line, 0, waiting, layout, bad, final=True)[0]
            waiting = b""
    if waiting and layout is not None:
        yield _read_block(source, waiting_line, 0, waiting, layout, bad, final=True)[0]


def _layout_of(
    source: Source,
    block: bytes,
    settings: Mapping[str, Any],
    separator: str,
    quote: str | None,
    kinds: Mapping[str, str],
    scale: Scale,
) -> tuple[_Layout, int]:
    """The layout as the first two records show it, and where the header ends."""
    columns = settings["columns"]
    has_header = settings.get("header", any(isinstance(column, str) for column in columns.values()))
    start = block[: block.find(b"\n", _START) + 1 or len(block)]
    found = find_records(start, separator, quote, final=True)
    spans = list(zip(found.starts[:2], found.ends[:2], strict=True))
    lines = [block[first:last].decode(errors="replace") for first, last in spans]
    split = [_split_loosely(line, separator, quote) for line in lines]
    header = split[0] if has_header else None
    likely = _likely_separator(lines, separator, quote, columns, has_header, kinds, scale)
    hint = f"; it looks as if `separator` should be {likely!r}" if likely else ""
    index = index_columns(source, columns, header, len(split[0]), hint)
    first_row = split[-1] if has_header else split[0]
    layout = _Layout(
        separator,
        quote,
        "quote" in settings,
        len(split[0]),
        index,
        _with_kind_of_time(kinds, index, first_row),
        scale,
        hint,
    )
    head = block.find(b"\n", spans[0][1]) + 1 or len(block)
    return layout, head if has_header else 0


def _likely_separator(
    lines: list[str],
    separator: str,
    quote: str | None,
    columns: Mapping[str, str | int],
    has_header: bool,
    kinds: Mapping[str, str],
    scale: Scale,
) -> str | None:
    """Another separator with which the first row is good, where it is not with the given one."""

    def fits(candidate: str) -> bool:
        mark = quote if len(candidate) == 1 else None
        split = [_split_loosely(line, candidate, mark) for line in lines]
        header = split[0] if has_header else None
        try:
            index = index_columns("", columns, header, len(split[0]))
            times = _with_kind_of_time(kinds, index, split[-1])
            layout = _Layout(candidate, mark, True, len(split[0]), index, times, scale)
            _values(split[-1] if has_header else split[0], layout)
        except (UserError, ValueError):
            return False
        return True

    if (has_header and len(lines) < 2) or fits(separator):
        return None
    return next((other for other in _SEPARATORS if other != separator and fits(other)), None)


def _with_kind_of_time(
    kinds: Mapping[str, str], index: Mapping[str, int], first_row: list[str]
) -> dict[str, str]:
    """The kinds, with that of the timestamp as the first row shows it."""
    kinds = dict(kinds)
    if "timestamp" in kinds and index["timestamp"] < len(first_row):
        kinds["timestamp"] = _kind_of_time(first_row[index["timestamp"]])
    return kinds


def _kind_of_time(text: str) -> str:
    for kind in ("time", "decimal time", "date"):
        try:
            from_text(kind, text)
        except ValueError:
            continue
        return kind
    return "time"


def _split(record: str, separator: str, quote: str | None) -> list[str]:
    """The fields of a record; csv.Error where its quotes break the rules."""
    if not quote or quote not in record:
        return record.split(separator)
    return next(csv.reader([record], delimiter=separator, quotechar=quote, strict=True))


def _split_loosely(line: str, separator: str, quote: str | None) -> list[str]:
    try:
        return _split(line, separator, quote)
    except csv.Error:
        return line.split(separator)


def _read_block(
    source: Source,
    line: int,
    lines: int,
    data: bytes,
    layout: _Layout,
    bad: BadLines,
    final: bool,
) -> tuple[pl.DataFrame, int]:
    """The rows of a block of whole lines, and up to where it was read."""
    size = len(data)
    has_quotes = layout.quote is not None and layout.quote.encode() in data
    if not has_quotes and not _has_lone_returns(data):
        if data.endswith((b"\n\n", b"\n\r\n")):
            # Empty lines at the end of a file are common, and harmless.
            data = data.rstrip(b"\r\n")
            lines = data.count(b"\n") + (data != b"")
        frame = _read_fast(data, lines, layout)
        if frame is not None:
            return frame, size
    records = find_records(data, layout.separator, layout.quote, final)
    regular = records.kinds == REGULAR
    frame = None
    if has_quotes:
        every = regular.all()
        clean = data[: records.consumed] if every else gather(data, records, regular)
        frame = _read_fast(clean, int(regular.sum()), layout)
        if frame is not None and every:
            return frame, records.consumed
    if frame is None:
        frame = pl.DataFrame(schema=_schema(layout))
        regular[:] = False
    at, slow = _read_slowly(source, line, data, records, np.flatnonzero(~regular), layout, bad)
    both = pl.concat([frame, slow])
    order = np.argsort(np.concatenate([np.flatnonzero(regular), at]), kind="stable")
    return both[order], size if records.consumed == len(data) else records.consumed


def _has_lone_returns(data: bytes) -> bool:
    return b"\r" in data and data.count(b"\r") != data.count(b"\r\n")


def _read_fast(block: bytes, lines: int, layout: _Layout) -> pl.DataFrame | None:
    """A block of lines by polars; None where anything is not as it should be."""
    if not lines:
        return pl.DataFrame(schema=_schema(layout))
    if block.startswith(_COMPRESSED):
        return None
    separator, step = layout.separator, 1
    if len(separator.encode()) > 1:
        if separator.isascii() and len(set(separator)) == 1:
            # "::" is ":" with an empty column between any two.
            separator, step = separator[0], len(separator)
        elif _STAND_IN.encode() in block:
            return None
        else:
            block = block.replace(separator.encode(), _STAND_IN.encode())
            separator = _STAND_IN
    width = (layout.width - 1) * step + 1
    fields = [f"column_{index}" for index in range(width)]
    gaps = [field for index, field in enumerate(fields) if index % step]
    where = {name: fields[index * step] for name, index in layout.index.items()}
    schema: dict[str, Any] = dict.fromkeys(fields, pl.String)
    readable = {"rating": pl.Float32, "time": pl.Int64, "decimal time": pl.Float64}
    schema |= dict.fromkeys(gaps, pl.Int8)
    for name, kind in layout.kinds.items():
        schema[where[name]] = readable.get(kind, pl.String)
    try:
        raw = pl.read_csv(
            block,
            has_header=False,
            schema=schema,
            columns=[*dict.fromkeys(where.values()), *gaps],
            separator=separator,
            quote_char=layout.quote,
        )
        frame = raw.select(
            _converted(pl.col(where[name]), kind).alias(name) for name, kind in layout.kinds.items()
        )
    except pl.exceptions.PolarsError:
        return None
    gaps_filled = any(raw[gap].null_count() < raw.height for gap in gaps)
    wrong = pl.any_horizontal(*faults(layout.kinds, layout.scale).values()).any()
    bad = raw.height != lines or gaps_filled or frame.select(wrong).item()
    return None if bad else frame


def _converted(column: pl.Expr, kind: str) -> pl.Expr:
    if kind == "decimal time":
        return column.cast(pl.Int64)
    if kind == "date":
        return column.str.to_datetime(time_unit="us", time_zone="UTC").dt.epoch("s")
    if kind == "flag":
        return flags(column)
    return column


def _schema(layout: _Layout) -> dict[str, Any]:
    return {name: type_of(kind) for name, kind in layout.kinds.items()}


def _read_slowly(
    source: Source,
    first_line: int,
    data: bytes,
    records: Records,
    chosen: NDArray[np.int64],
    layout: _Layout,
    bad: BadLines,
) -> tuple[NDArray[np.int64], pl.DataFrame]:
    """The chosen records, each value checked; bad ones are reported and skipped."""
    at, rows = [], []
    for number in chosen:
        text = data[records.starts[number] : records.ends[number]].decode(errors="replace")
        line = first_line + int(records.lines[number])
        for values in _rows_of(source, line, text, int(records.kinds[number]), layout, bad):
            at.append(number)
            rows.append(values)
    return np.array(at, np.int64), pl.DataFrame(rows, _schema(layout), orient="row")


def _rows_of(
    source: Source, line: int, record: str, kind: int, layout: _Layout, bad: BadLines
) -> Iterator[list[Any]]:
    """The row of a record; those of its lines where its line breaks cannot be meant."""
    try:
        if kind == BROKEN:
            raise ValueError(_QUOTES)
        if kind == RETURN:
            raise ValueError("a carriage return stands inside the line")
        if "\n" in record and not layout.quote_is_given:
            _check_line_breaks(record, line, layout)
        yield _values(_split(record, layout.separator, layout.quote), layout)
    except ValueError as error:
        first, *others = record.split("\n")
        if layout.quote_is_given:
            first, others = record, []
        bad.report(source, f"line {line}", first.removesuffix("\r"), f"{error}{layout.hint}")
        for number, other in enumerate(others, start=line + 1):
            found = find_records(other.encode(), layout.separator, layout.quote, final=True)
            if len(found.kinds):
                text = other.removesuffix("\r")
                yield from _rows_of(source, number, text, int(found.kinds[0]), layout, bad)


_QUOTES = (
    "a quote is opened and not closed, or not followed by a separator; set `quote: null` in the "
    "format if quotes are ordinary characters in this file"
)


def _check_line_breaks(record: str, line: int, layout: _Layout) -> None:
    """ValueError where the lines of a quoted field look like rows that an unclosed quote swallowed."""
    lines = record.split("\n")
    alone = [_is_row(text.removesuffix("\r").split(layout.separator), layout) for text in lines]
    if any(alone[1:-1]) or (alone[0] and alone[-1]):
        raise ValueError(
            f"a quote is opened that is closed on line {line + len(lines) - 1} only, and the lines "
            "between look like rows; set `quote: null` in the format if quotes are ordinary characters, "
            f"or `quote: '{layout.quote}'` if the line breaks belong to the field"
        )


def _is_row(fields: list[str], layout: _Layout) -> bool:
    try:
        _values(fields, layout)
    except ValueError:
        return False
    return len(fields) == layout.width


def _values(fields: list[str], layout: _Layout) -> list[Any]:
    needed = max(layout.index.values()) + 1
    if not needed <= len(fields) <= layout.width:
        raise ValueError(f"{len(fields)} columns where {layout.width} are expected")
    values = []
    for name, kind in layout.kinds.items():
        text = fields[layout.index[name]]
        if "\ufffd" in text:
            raise ValueError(
                f"the {name} is not written in the encoding that is expected; set `encoding` in the "
                "format (latin-1 and cp1252 are common)"
            )
        try:
            value = from_text(kind, text)
        except ValueError as error:
            raise ValueError(f"the {name} {error}") from None
        if kind == "rating" and layout.scale is not None:
            low, high = layout.scale
            if not low <= value <= high:
                raise ValueError(f"the rating {text} is not on the scale from {low:g} to {high:g}")
        values.append(value)
    return values
