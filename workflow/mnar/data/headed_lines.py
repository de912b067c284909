"""Text in which a header line names the user or item that the lines below it belong to.

Netflix has `movie:` above lines of `user,rating,date`, Yahoo! Music has `user|count` above lines of
`item, rating, day, time`. All fields are whole numbers, so one strict byte parser reads both.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.data.bad_lines import BadLines
from mnar.data.sources import BLOCK, Source, blocks
from mnar.kernels.compiled import njit

# Limits of a number that may be anything: what fits into 32 bits.
ANY = (0, 2**31 - 1)


@dataclass(frozen=True)
class Form:
    """The header ends in `mark`, and a count where `counted`; `separators` are between numbers.

    `limits` are the smallest and largest value of each number.
    """

    mark: str
    counted: bool
    separators: str
    limits: list[tuple[int, int]]


def read(
    source: Source, form: Form, bad: BadLines, block_size: int = BLOCK
) -> Iterator[tuple[NDArray[np.int32], list[NDArray[np.int32]]]]:
    """Who each line belongs to, and its numbers, field by field, a block at a time."""
    separators = np.frombuffer(form.separators.encode(), np.uint8)
    limits = np.array(form.limits, np.int64).reshape(len(separators) + 1, 2)
    state = np.array([-1, 0], np.int64)
    line = 1
    for line, lines, block in blocks(source, size=block_size):
        capacity = lines
        owners = np.empty(capacity, np.int32)
        numbers = np.empty((len(separators) + 1, capacity), np.int32)
        faults = np.empty((capacity, 2), np.int64)
        good, wrong = parse_headed_lines(
            np.frombuffer(block, np.uint8),
            ord(form.mark),
            form.counted,
            separators,
            limits,
            state,
            owners,
            numbers,
            faults,
        )
        for start, kind in faults[:wrong]:
            content = block[start : block.find(b"\n", start)].decode(errors="replace").rstrip("\r")
            number = line + block.count(b"\n", 0, start)
            bad.report(source, f"line {number}", content, _MEANING[kind])
        bad.good += good
        yield owners[:good], [column[:good] for column in numbers]
        line += lines
    if form.counted and state[1]:
        bad.report(source, f"line {line}", "", _miscounted(int(state[1])))


def _miscounted(left: int) -> str:
    """How the last header is wrong, of whose lines `left` have not come."""
    lines = f"{abs(left)} line{'' if abs(left) == 1 else 's'}"
    when = "earlier" if left > 0 else "later"
    return f"the file ends {lines} {when} than its last header announces"


_MALFORMED, _MISCOUNTED = 0, 1
_MEANING = {
    _MALFORMED: "neither a header nor a line of numbers as expected",
    _MISCOUNTED: "the lines above this header are not as many as theirs announces",
}


@njit(cache=True, nogil=True)
def _read_number(data, at, end):
    """The whole number that starts at `at`: whether there is one, it, and where it ends."""
    value = 0
    first = at
    while at < end and 48 <= data[at] <= 57 and at - first < 10:
        value = value * 10 + (data[at] - 48)
        at += 1
    return at > first and value <= 2147483647, value, at


@njit(cache=True, nogil=True)
def _note_fault(faults, count, start, kind):
    """One more fault; how many there are then."""
    faults[count, 0] = start
    faults[count, 1] = kind
    return count + 1


@njit(cache=True, nogil=True)
def parse_headed_lines(data, mark, counted, separators, limits, state, owners, numbers, faults):
    """Fills owners, numbers and faults (start of line, kind); gives the counts of good and bad.

    state = (current owner or -1, lines still announced) is carried from block to block.
    """
    size = len(data)
    owner, announced = state[0], state[1]
    good = 0
    wrong = 0
    position = 0
    while position < size:
        start = position
        end = start
        while end < size and data[end] != 10:
            end += 1
        position = end + 1
        if end > start and data[end - 1] == 13:
            end -= 1
        if end == start:
            continue
        is_right, value, at = _read_number(data, start, end)
        if is_right and at < end and data[at] == mark:
            count = 0
            at += 1
            if counted:
                is_right, count, at = _read_number(data, at, end)
            if is_right and at == end:
                if counted and announced != 0:
                    wrong = _note_fault(faults, wrong, start, _MISCOUNTED)
                owner = value
                announced = count
                continue
        is_right = is_right and owner >= 0 and limits[0, 0] <= value <= limits[0, 1]
        if is_right:
            numbers[0, good] = value
        for field in range(len(separators)):
            if not is_right or at >= end or data[at] != separators[field]:
                is_right = False
                break
            is_right, value, at = _read_number(data, at + 1, end)
            is_right = is_right and limits[field + 1, 0] <= value <= limits[field + 1, 1]
            if is_right:
                numbers[field + 1, good] = value
        if owner >= 0:
            announced -= 1
        if is_right and at == end:
            owners[good] = owner
            good += 1
        else:
            wrong = _note_fault(faults, wrong, start, _MALFORMED)
            # A header that cannot be read: whose the lines below it are is not known.
            for at in range(start, end):
                if data[at] == mark:
                    owner = -1
                    announced = 0
    state[0] = owner
    state[1] = announced
    return good, wrong
