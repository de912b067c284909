"""Jester (Goldberg et al. 2001): a line a person, the number of ratings, then one value a joke.

A value of 99 means that the joke was not rated. People and jokes have no names in the file: their
ids are line and column number, from 1.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.columns import from_text, numbers
from mnar.data.sources import Source, filled_lines

ROLES = {"ratings": True}
SETTINGS = ("separator",)

MISSING = 99


def has(files: set[str], *_: Any) -> set[str]:
    """Many people rated every joke."""
    return {"complete"}


def rows(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> Iterator[tuple[str, pl.DataFrame]]:
    """People of several files follow on from each other."""
    separator = settings.get("separator", ",").encode()
    low, high = settings.get("scale") or (-10, 10)
    width, first = _width(files, separator), 0
    for source in files["ratings"]:
        users, values = [], []
        for line, text in filled_lines(source):
            try:
                values.append(_values(text, separator, width, low, high))
            except ValueError as error:
                bad.report(source, f"line {line}", text.decode(errors="replace"), str(error))
            else:
                users.append(first + line)
            last = line
        bad.good += len(users)
        if users:
            first += last
            yield "interactions", _rated(np.array(users), np.array(values))


def items(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> pl.DataFrame:
    """Every column after the first is a joke."""
    width = _width(files, settings.get("separator", ",").encode())
    return pl.DataFrame({"item": np.arange(1, width)})


def _rated(users: np.ndarray, values: np.ndarray) -> pl.DataFrame:
    row, column = np.nonzero(values != MISSING)
    ratings = {"user": users[row], "item": column + 1, "rating": values[row, column]}
    return pl.DataFrame(ratings).with_columns(pl.lit(None, pl.Int64).alias("timestamp"))


def _width(files: Mapping[str, list[Source]], separator: bytes) -> int:
    source = files["ratings"][0]
    if source.is_a(".xls") or source.is_a(".xlsx"):
        raise UserError(
            f"{source} is a spreadsheet; save its sheet as CSV and place that file instead."
        )
    for _, text in filled_lines(source):
        return len(text.split(separator))
    raise UserError(f"{source} is empty.")


def _values(text: bytes, separator: bytes, width: int, low: float, high: float) -> np.ndarray:
    fields = text.split(separator)
    if len(fields) != width:
        raise ValueError(f"{len(fields)} columns where {width} are expected")
    count, *rest = fields
    values = numbers(rest)
    rated = values[values != MISSING]
    if not ((low <= rated) & (rated <= high)).all():
        raise ValueError(f"a rating is not on the scale from {low:g} to {high:g}")
    if from_text("time", count.decode(errors="replace")) != len(rated):
        raise ValueError(f"the line says {int(count)} ratings and has {len(rated)}")
    return values
