"""Text tables with any separator, read fast by polars, and slowly only where something is wrong.

Where polars stumbles over a block of lines, or its result is not as it should be, the block is read again
record by record: every bad line is found and named, and all good ones are kept. Records with line breaks
or stray quotes are never given to polars, since it loses rows over them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar.data.bad_lines import BadLines
from mnar.data.columns import Scale, faults, flags, type_of
from mnar.data.records import BROKEN, REGULAR, RETURN, Records, find_records, gather
from mnar.data.sources import Source, blocks
from mnar.data.text_layout import (
    Layout,
    first_fields,
    is_row,
    layout_of,
    split_record,
    values_of,
)

# A byte that text files do not hold: stands in for separators of several bytes.
_STAND_IN = "\x1f"
# A quoted field that is longer was never closed.
_LONGEST_FIELD = 1 << 23
# polars would unpack a block that starts like this; `x^` may well be the start of an id.
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x^", b"x\x9c", b"x\xda")


def read(
    source: Source,
    settings: Mapping[str, Any],
    kinds: Mapping[str, str],
    scale: Scale,
    bad: BadLines,
) -> Iterator[pl.DataFrame]:
    """The wanted columns, piece by piece; ids are text."""
    separator, quote = _marks(source, settings)
    layout = None
    waiting, waiting_line = b"", 1
    for line, lines, data in blocks(source, settings.get("encoding", "utf-8")):
        if waiting:
            line, lines, data = waiting_line, lines + waiting.count(b"\n"), waiting + data
        if layout is None:
            blank = len(data) - len(data.lstrip(b"\r\n"))
            if blank == len(data):
                continue
            layout, head = layout_of(source, data[blank:], settings, separator, quote, kinds, scale)
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


def header(source: Source, settings: Mapping[str, Any]) -> list[str]:
    """The fields of the first record; none of an empty file."""
    for _, _, data in blocks(source, settings.get("encoding", "utf-8")):
        if text := data.lstrip(b"\r\n"):
            return first_fields(text, *_marks(source, settings))
    return []


def _marks(source: Source, settings: Mapping[str, Any]) -> tuple[str, str | None]:
    """The separator and the quote, as they are given or usual."""
    separator = settings.get("separator", "\t" if source.is_a(".tsv") else ",")
    return separator, settings.get("quote", '"' if len(separator) == 1 else None) or None


def _read_block(
    source: Source,
    line: int,
    lines: int,
    data: bytes,
    layout: Layout,
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


def _read_fast(block: bytes, lines: int, layout: Layout) -> pl.DataFrame | None:
    """A block of lines by polars; None where anything is not as it should be."""
    if not lines:
        return pl.DataFrame(schema=_schema(layout))
    if block.startswith(_COMPRESSED):
        return None
    if not block.endswith(b"\n"):
        # polars passes over an empty field at the very end.
        block += b"\n"
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
    readable |= {"number": pl.Float64, "score": pl.Float64}
    schema |= dict.fromkeys(gaps, pl.Int8)
    for name, kind in layout.kinds.items():
        schema[where[name]] = readable.get(kind, pl.String)
    try:
        raw = pl.read_csv(
            block,
            has_header=False,
            schema=schema,
            # Without the last column polars passes over lines that have more of them.
            columns=list(dict.fromkeys([*where.values(), *gaps, fields[-1]])),
            separator=separator,
            quote_char=layout.quote,
        )
        frame = raw.select(
            _converted(pl.col(where[name]), kind).alias(name) for name, kind in layout.kinds.items()
        )
    except pl.exceptions.PolarsError:
        return None
    gaps_filled = any(raw[gap].null_count() < raw.height for gap in gaps)
    unclear = [faults({name: "number"}, None)[name] for name in _scores(layout)]
    wrong = pl.any_horizontal(*faults(layout.kinds, layout.scale).values(), *unclear).any()
    bad = raw.height != lines or gaps_filled or frame.select(wrong).item()
    return None if bad else frame


def _scores(layout: Layout) -> list[str]:
    """Minus infinity may be one of them, or a number too far below: only its text tells."""
    return [name for name, kind in layout.kinds.items() if kind == "score"]


def _converted(column: pl.Expr, kind: str) -> pl.Expr:
    if kind == "decimal time":
        return column.cast(pl.Int64)
    if kind == "date":
        return column.str.to_datetime(time_unit="us", time_zone="UTC").dt.epoch("s")
    if kind == "flag":
        return flags(column)
    return column


def _schema(layout: Layout) -> dict[str, Any]:
    return {name: type_of(kind) for name, kind in layout.kinds.items()}


def _read_slowly(
    source: Source,
    first_line: int,
    data: bytes,
    records: Records,
    chosen: NDArray[np.int64],
    layout: Layout,
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
    source: Source, line: int, record: str, kind: int, layout: Layout, bad: BadLines
) -> Iterator[list[Any]]:
    """The row of a record; those of its lines where its line breaks cannot be meant."""
    try:
        if kind == BROKEN:
            raise ValueError(_QUOTES)
        if kind == RETURN:
            raise ValueError("a carriage return stands inside the line")
        if "\n" in record and not layout.quote_is_given:
            _check_line_breaks(record, line, layout)
        yield values_of(split_record(record, layout.separator, layout.quote), layout)
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


def _check_line_breaks(record: str, line: int, layout: Layout) -> None:
    """ValueError where the lines of a quoted field look like rows that an unclosed quote swallowed."""
    lines = record.split("\n")
    alone = [is_row(text.removesuffix("\r").split(layout.separator), layout) for text in lines]
    if any(alone[1:-1]) or (alone[0] and alone[-1]):
        raise ValueError(
            f"a quote is opened that is closed on line {line + len(lines) - 1} only, and the lines "
            "between look like rows; set `quote: null` in the format if quotes are ordinary characters, "
            f"or `quote: '{layout.quote}'` if the line breaks belong to the field"
        )
