"""Text tables with any separator, read fast by polars, and slowly only where something is wrong.

Where polars stumbles over a block of lines, or what it read is not what it should be, the block is
read again line by line: every bad line is found and named, and all that is right is kept.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.columns import Scale, faults, flags, from_text, type_of
from mnar.data.sources import Source, blocks

# A byte that text files do not hold: stands in for separators of several bytes.
_STAND_IN = "\x1f"


@dataclass(frozen=True)
class _Layout:
    """How a line is made: the number of fields, and the place and kind of those wanted."""

    separator: str
    quote: str | None
    width: int
    places: Mapping[str, int]
    kinds: Mapping[str, str]
    scale: Scale


def read(
    source: Source,
    settings: Mapping[str, Any],
    kinds: Mapping[str, str],
    scale: Scale,
    bad: BadLines,
) -> Iterator[pl.DataFrame]:
    """The wanted columns, piece by piece; ids are text."""
    separator = settings.get("separator", "\t" if source.is_a(".tsv") else ",")
    quote = settings.get("quote", '"') if len(separator) == 1 else None
    if not separator or len(quote or "") > 1:
        raise UserError(f"The format of {source} needs a separator, and a quote of one character.")
    layout = None
    for first_line, lines, data in blocks(source, settings.get("encoding", "utf-8"), quote):
        if layout is None:
            layout, head = _layout_of(source, data, settings, separator, quote, kinds, scale)
            if head:
                first_line, lines, data = first_line + 1, lines - 1, data[head:]
        if data.endswith((b"\n\n", b"\n\r\n")):
            # Empty lines at the end of a file are common, and harmless.
            data = data.rstrip(b"\r\n")
            lines = data.count(b"\n") + 1
        if data:
            frame = _read_fast(data, lines, layout)
            yield _read_slowly(source, first_line, data, layout, bad) if frame is None else frame


def places_of(
    source: Source, columns: Mapping[str, str | int], header: list[str] | None, width: int
) -> dict[str, int]:
    """The place of each wanted column, from 0; the config counts from 1 or gives the name."""
    places = {}
    for name, column in columns.items():
        if isinstance(column, int):
            if not 1 <= column <= width:
                raise UserError(
                    f"{source} has no column {column} (for {name!r}): "
                    f"it has {width}, the first is number 1."
                )
            places[name] = column - 1
        elif header is None:
            raise UserError(
                f"{source} is read without a header, so {name!r} needs a number, not {column!r}."
            )
        elif column not in header:
            raise UserError(
                f"{source} has no column {column!r} (for {name!r}); it has {', '.join(header)}."
            )
        else:
            places[name] = header.index(column)
    return places


def _layout_of(
    source: Source,
    block: bytes,
    settings: Mapping[str, Any],
    separator: str,
    quote: str | None,
    kinds: Mapping[str, str],
    scale: Scale,
) -> tuple[_Layout, int]:
    """The layout as the first two lines show it, and where the header ends."""
    columns = settings["columns"]
    has_header = settings.get("header", any(isinstance(place, str) for place in columns.values()))
    lines = block.split(b"\n", 2)[:2]
    split = [
        next(
            (fields for _, fields in _records(line.decode(errors="replace"), separator, quote)), []
        )
        for line in lines
    ]
    places = places_of(source, columns, split[0] if has_header else None, len(split[0]))
    first_row = split[-1] if has_header else split[0]
    kinds = dict(kinds)
    if "timestamp" in kinds and places["timestamp"] < len(first_row):
        kinds["timestamp"] = _kind_of_time(first_row[places["timestamp"]])
    layout = _Layout(separator, quote, len(split[0]), places, kinds, scale)
    return layout, len(lines[0]) + 1 if has_header else 0


def _kind_of_time(text: str) -> str:
    for kind in ("time", "decimal time", "date"):
        try:
            from_text(kind, text)
        except ValueError:
            continue
        return kind
    return "time"


def _records(text: str, separator: str, quote: str | None) -> Iterator[tuple[int, list[str]]]:
    """Each line, split, and its number from 0; empty lines are passed over."""
    if len(separator) == 1:
        reader = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=separator,
            quotechar=quote or None,
            quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        )
        number = 0
        for fields in reader:
            if fields:
                yield number, fields
            number = reader.line_num
    else:
        for number, line in enumerate(text.split("\n")):
            line = line.removesuffix("\r")
            if line:
                yield number, line.split(separator)


def _read_fast(block: bytes, lines: int, layout: _Layout) -> pl.DataFrame | None:
    """A block of lines by polars; None where anything is not as it should be."""
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
    fields = [f"column_{place}" for place in range(width)]
    gaps = [field for place, field in enumerate(fields) if place % step]
    where = {name: fields[place * step] for name, place in layout.places.items()}
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
            quote_char=layout.quote or None,
        )
        frame = raw.select(
            _converted(pl.col(where[name]), kind).alias(name) for name, kind in layout.kinds.items()
        )
    except pl.exceptions.PolarsError:
        return None
    quoted = layout.quote and layout.quote.encode() in block
    lines_lost = not quoted and raw.height != lines
    gaps_filled = any(raw[gap].null_count() < raw.height for gap in gaps)
    wrong = pl.any_horizontal(*faults(layout.kinds, layout.scale).values()).any()
    return None if lines_lost or gaps_filled or frame.select(wrong).item() else frame


def _converted(column: pl.Expr, kind: str) -> pl.Expr:
    if kind == "decimal time":
        return column.cast(pl.Int64)
    if kind == "date":
        return column.str.to_datetime(time_unit="us", time_zone="UTC").dt.epoch("s")
    if kind == "flag":
        return flags(column)
    return column


def _read_slowly(
    source: Source, first_line: int, block: bytes, layout: _Layout, bad: BadLines
) -> pl.DataFrame:
    """A block line by line, each value checked; bad lines are reported and left out."""
    rows = []
    text = block.decode(errors="replace")
    for offset, fields in _records(text, layout.separator, layout.quote):
        try:
            rows.append(_values(fields, layout))
        except ValueError as error:
            content = layout.separator.join(fields)
            bad.report(source, f"line {first_line + offset}", content, str(error))
    schema = {name: type_of(kind) for name, kind in layout.kinds.items()}
    return pl.DataFrame(rows, schema, orient="row")


def _values(fields: list[str], layout: _Layout) -> list[Any]:
    needed = max(layout.places.values()) + 1
    if not needed <= len(fields) <= layout.width:
        raise ValueError(f"{len(fields)} columns where {layout.width} are expected")
    values = []
    for name, kind in layout.kinds.items():
        text = fields[layout.places[name]]
        if "\ufffd" in text:
            raise ValueError(f"the {name} is not written in the encoding that is expected")
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
