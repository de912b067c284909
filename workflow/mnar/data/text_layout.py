"""How the lines of a text table are made, and the values that a line holds."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mnar.core.errors import UserError
from mnar.data.columns import Scale, from_text, index_columns
from mnar.data.records import BROKEN, Records, find_records
from mnar.data.sources import Source

# The first records that show the layout must lie within this number of bytes.
_START = 1 << 16
_SEPARATORS = ("\t", ";", ",", "|", "::", " ")

# Ids may be longer than the csv module's own limit.
csv.field_size_limit(1 << 30)


@dataclass(frozen=True)
class Layout:
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


def layout_of(
    source: Source,
    block: bytes,
    settings: Mapping[str, Any],
    separator: str,
    quote: str | None,
    kinds: Mapping[str, str],
    scale: Scale,
) -> tuple[Layout, int]:
    """The layout as the first records show it, and where the header ends."""
    columns = settings["columns"]
    has_header = settings.get("header", any(isinstance(column, str) for column in columns.values()))
    start, found = _first_records(block, separator, quote)
    clear = _clear_records(found, start)
    row = next((number for number in clear if number >= has_header), len(found.kinds) - 1)
    chosen = [0, row] if has_header and row else [row]
    lines = [_text(found, start, number) for number in chosen]
    split = [_split_loosely(line, separator, quote) for line in lines]
    header = split[0] if has_header else None
    width = len(_split_loosely(_text(found, start, clear[0]), separator, quote))
    likely = _likely_separator(lines, separator, quote, columns, has_header, kinds, scale)
    hint = f"; it looks as if `separator` should be {likely!r}" if likely else ""
    index = index_columns(source, columns, header, width, hint)
    first_row = split[-1]
    layout = Layout(
        separator,
        quote,
        "quote" in settings,
        width,
        index,
        _with_kind_of_time(kinds, index, first_row),
        scale,
        hint,
    )
    if "header" not in settings and not has_header:
        rows = [_split_loosely(_text(found, start, number), separator, quote) for number in clear]
        _check_no_header(source, rows, layout)
    head = block.find(b"\n", found.ends[0]) + 1 or len(block)
    return layout, head if has_header else 0


def _check_no_header(source: Source, rows: list[list[str]], layout: Layout) -> None:
    """A UserError where the first row seems to hold names: of ids alone, nothing else would tell."""
    if set(layout.kinds.values()) - {"id", "label"} or len(rows) < 2:
        return
    first, *others = rows
    ids = [name for name, kind in layout.kinds.items() if kind == "id"]
    if any(_is_whole(first, layout.index[name]) for name in ids):
        return
    for name in ids:
        if all(_is_whole(row, layout.index[name]) for row in others):
            raise UserError(
                f"{source}: the first line, {layout.separator.join(first)[:80]!r}, seems to hold the "
                f"names of columns, since {name!r} is a number in all other lines; set `header: true`, or "
                "`header: false` if it is a row."
            )


def _is_whole(row: list[str], at: int) -> bool:
    return at < len(row) and row[at].isascii() and row[at].removeprefix("-").isdigit()


def first_fields(block: bytes, separator: str, quote: str | None) -> list[str]:
    """The fields of the first record of a block that starts with one."""
    start, found = _first_records(block, separator, quote)
    return _split_loosely(_text(found, start, 0), separator, quote)


def _first_records(block: bytes, separator: str, quote: str | None) -> tuple[bytes, Records]:
    """The start of a block, in whole lines, and its records."""
    start = block[: block.find(b"\n", _START) + 1 or len(block)]
    return start, find_records(start, separator, quote, final=True)


def _clear_records(found: Records, data: bytes) -> list[int]:
    """Records that show how wide rows are: an unclosed quote may have swallowed the lines of others."""
    clear = [
        number
        for number in np.flatnonzero(found.kinds < BROKEN)
        if b"\n" not in data[found.starts[number] : found.ends[number]]
    ]
    return [int(number) for number in clear] or [0]


def _text(found: Records, data: bytes, number: int) -> str:
    return data[found.starts[number] : found.ends[number]].decode(errors="replace")


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
            layout = Layout(candidate, mark, True, len(split[0]), index, times, scale)
            values_of(split[-1] if has_header else split[0], layout)
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


def split_record(record: str, separator: str, quote: str | None) -> list[str]:
    """The fields of a record; csv.Error where its quotes break the rules."""
    if not quote or quote not in record:
        return record.split(separator)
    return next(csv.reader([record], delimiter=separator, quotechar=quote, strict=True))


def _split_loosely(line: str, separator: str, quote: str | None) -> list[str]:
    try:
        return split_record(line, separator, quote)
    except csv.Error:
        return line.split(separator)


def is_row(fields: list[str], layout: Layout) -> bool:
    try:
        values_of(fields, layout)
    except ValueError:
        return False
    return len(fields) == layout.width


def values_of(fields: list[str], layout: Layout) -> list[Any]:
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
