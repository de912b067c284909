"""The records of a text table: where each one lies, and how far its quotes can be trusted.

A quoted field starts with the quote and ends with a quote that a separator or the end of the line
follows; a quote inside it is doubled, and it may hold line breaks. A record that breaks these rules is
broken: it ends with its first line, and reading goes on with the next line. So an unclosed quote costs one
line, and every line of a file belongs to exactly one record.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit

# ODD records can be read, but not by every reader: they have line breaks, or quotes inside plain fields.
REGULAR, ODD, BROKEN, RETURN = range(4)

_NEWLINE, _RETURN = 10, 13


class Records(NamedTuple):
    """The records that are not empty: where they start and end, their line from 0, their kind."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    # Where the record starts that is not complete yet; else the end of the data.
    consumed: int


def find_records(data: bytes, separator: str, quote: str | None, final: bool) -> Records:
    """The records of whole lines; `final` says that no more lines follow."""
    most = data.count(b"\n") + 1
    starts, ends, lines = (np.empty(most, np.int64) for _ in range(3))
    kinds = np.empty(most, np.uint8)
    count, consumed = scan_records(
        np.frombuffer(data, np.uint8),
        np.frombuffer(separator.encode(), np.uint8),
        ord(quote) if quote else -1,
        final,
        starts,
        ends,
        lines,
        kinds,
    )
    return Records(starts[:count], ends[:count], lines[:count], kinds[:count], consumed)


def gather(data: bytes, records: Records, chosen: NDArray[np.bool_]) -> bytes:
    """The chosen records alone, one to a line."""
    starts, ends = records.starts[chosen], records.ends[chosen]
    out = np.empty((ends - starts + 1).sum(), np.uint8)
    copy_records(np.frombuffer(data, np.uint8), starts, ends, out)
    return out.tobytes()


@njit(cache=True, nogil=True)
def copy_records(data, starts, ends, out):
    to = 0
    for n in range(len(starts)):
        for at in range(starts[n], ends[n]):
            out[to] = data[at]
            to += 1
        out[to] = _NEWLINE
        to += 1


@njit(cache=True, nogil=True)
def starts_with(data, at, separator):
    """Whether the separator stands at this index."""
    matched = 0
    while (
        matched < len(separator)
        and at + matched < len(data)
        and data[at + matched] == separator[matched]
    ):
        matched += 1
    return matched == len(separator)


@njit(cache=True, nogil=True)
def ends_line(data, at):
    """Whether a line ends at this index: with a line feed, a return before it, or the data."""
    if at < len(data) and data[at] == _RETURN:
        at += 1
    return at >= len(data) or data[at] == _NEWLINE


@njit(cache=True, nogil=True)
def scan_record(data, start, separator, quote, hopeless):
    """Kind of the record at `start`, where the scan ended, and whether that is inside a quoted field.

    `hopeless`: a quoted field that holds a line break before this index is known to be broken.
    """
    kind = REGULAR
    inside = False
    at_field = True
    at = start
    while at < len(data):
        byte = data[at]
        if inside:
            if byte == quote:
                at += 1
                if at < len(data) and data[at] == quote:
                    at += 1
                    continue
                inside = False
                if not (ends_line(data, at) or starts_with(data, at, separator)):
                    return BROKEN, at, False
                continue
            if byte == _NEWLINE:
                if at < hopeless:
                    return BROKEN, at, False
                kind = ODD
            at += 1
        elif byte == _NEWLINE:
            break
        elif byte == quote and at_field:
            inside = True
            at_field = False
            at += 1
        elif byte == separator[0] and starts_with(data, at, separator):
            at += len(separator)
            at_field = True
        else:
            if byte == quote:
                kind = ODD
            elif byte == _RETURN and not ends_line(data, at):
                return RETURN, at, False
            at_field = False
            at += 1
    return kind, at, inside


@njit(cache=True, nogil=True)
def scan_records(data, separator, quote, final, starts, ends, lines, kinds):
    """Fills in the records; gives their number, and where the first incomplete one starts."""
    count = 0
    at = 0
    line = 0
    hopeless = -1
    while at < len(data):
        start = at
        first_line = line
        kind, at, inside = scan_record(data, start, separator, quote, hopeless)
        if inside and not final:
            return count, start
        if inside or kind in (BROKEN, RETURN):
            # Each line that was entered inside quotes ends here again, so none is scanned twice.
            hopeless = max(hopeless, at)
            kind = kind if kind == RETURN else BROKEN
            at = start
            while at < len(data) and data[at] != _NEWLINE:
                at += 1
            line += 1
        elif kind == ODD:
            for n in range(start, min(at + 1, len(data))):
                line += data[n] == _NEWLINE
        else:
            line += 1
        end = at
        at += 1
        if end > start and data[end - 1] == _RETURN:
            end -= 1
        if end > start:
            starts[count] = start
            ends[count] = end
            lines[count] = first_line
            kinds[count] = kind
            count += 1
    return count, len(data)
