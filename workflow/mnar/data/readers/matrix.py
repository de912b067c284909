"""A complete matrix of ratings as text (Coat): a line a user, a column an item, 0 where missing.

Users and items have no names in such a file: their ids are line and column number, from 1.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.columns import numbers
from mnar.data.sources import Source, filled_lines

# Propensities are read by the experiments that use them.
ROLES = {"ratings": True, "random": False, "propensities": False}
SETTINGS = ()


def rows(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> Iterator[tuple[str, pl.DataFrame]]:
    """The ratings are what the users selected; a matrix in the role `random` is a random sample."""
    width = _width(files)
    for role, table in (("ratings", "interactions"), ("random", "random")):
        for source in files.get(role, []):
            users, values = [], []
            for line, text in filled_lines(source):
                try:
                    values.append(_values(text, width, settings.get("scale")))
                except ValueError as error:
                    bad.report(source, f"line {line}", text.decode(errors="replace"), str(error))
                else:
                    users.append(line)
            bad.good += len(users)
            if users:
                yield table, _rated(np.array(users), np.array(values))


def _rated(users: np.ndarray, values: np.ndarray) -> pl.DataFrame:
    row, column = np.nonzero(values)
    ratings = {"user": users[row], "item": column + 1, "rating": values[row, column]}
    return pl.DataFrame(ratings).with_columns(pl.lit(None, pl.Int64).alias("timestamp"))


def items(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> pl.DataFrame:
    """Every column is an item."""
    return pl.DataFrame({"item": np.arange(1, _width(files) + 1)})


def _width(files: Mapping[str, list[Source]]) -> int:
    source = files["ratings"][0]
    for _, text in filled_lines(source):
        return len(text.split())
    raise UserError(f"{source} is empty.")


def _values(text: bytes, width: int, scale: tuple[float, float] | None) -> np.ndarray:
    fields = text.split()
    if len(fields) != width:
        raise ValueError(f"{len(fields)} columns where {width} are expected")
    values = numbers(fields)
    if not np.isfinite(values).all():
        raise ValueError("a rating is not a finite number")
    rated = values[values != 0]
    if scale is not None and not ((scale[0] <= rated) & (rated <= scale[1])).all():
        raise ValueError(f"a rating is not on the scale from {scale[0]:g} to {scale[1]:g}")
    return values
