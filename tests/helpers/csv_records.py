"""What should be read of a text file, by Python's csv module in its strict mode, as slowly as can be."""

import csv
import re

WIDTH = 3
# Parts that texts with hostile quotes are made of.
PIECES = (
    *('"', '""', '"a', 'a"', "a", "1", " ", "é", ",", ",,", ";", "\t"),
    *("\n", "\n", "\r\n", "\r", "\0", "\\", '\\"'),
    *("\n1,2,3\n", '\n"1","2","3"\n', '\n1,12" mix,3\n'),
)


def strictly(text, separator, quote):
    """The one record of a text; None where there is none, or not exactly one."""
    if re.search(r"\r\r[\r\n]*\Z", text):
        # The csv module takes any number of returns for one line end.
        return None
    try:
        options = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
        found = list(csv.reader([text], delimiter=separator, strict=True, **options))
    except csv.Error:
        return None
    return found[0] if len(found) == 1 else None


def is_row(fields):
    return (
        fields is not None
        and 2 <= len(fields) <= WIDTH
        and all(field and "\ufffd" not in field for field in fields[:2])
    )


def expected(text, separator, quote, given_quote):
    """Rows, and the numbers of the lines that are reported."""
    lines = text.split("\n")
    rows, reported = [], []
    at = 0
    while at < len(lines):
        if lines[at] in ("", "\r"):
            at += 1
            continue
        last = next(
            (
                last
                for last in range(at, len(lines))
                if strictly("\n".join(lines[at : last + 1]), separator, quote) is not None
            ),
            None,
        )
        if last is None:
            reported.append(at)
            at += 1
            continue
        fields = strictly("\n".join(lines[at : last + 1]), separator, quote)
        inside = [line.removesuffix("\r").split(separator) for line in lines[at : last + 1]]
        alone = [is_row(one) and len(one) == WIDTH for one in inside]
        swallowed = last > at and (any(alone[1:-1]) or (alone[0] and alone[-1]))
        if is_row(fields) and (given_quote or not swallowed):
            rows.append(tuple(fields[:2]))
        elif given_quote or last == at:
            reported.append(at)
        else:
            for number in range(at, last + 1):
                one = strictly(lines[number], separator, quote)
                if lines[number] not in ("", "\r"):
                    if is_row(one):
                        rows.append(tuple(one[:2]))
                    else:
                        reported.append(number)
        at = last + 1
    return rows, reported
