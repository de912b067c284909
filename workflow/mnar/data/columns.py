"""The kinds of columns in tables of ratings: allowed values and types.

| kind         | what it holds                                          | type            |
|--------------|--------------------------------------------------------|-----------------|
| id           | a user or an item; anything but nothing                | Int64 or String |
| label        | what an item belongs to; may be empty                  | Int64 or String |
| rating       | a finite number, on the scale if there is one          | Float32         |
| number       | a number that is finite in Float32, too                | Float64         |
| score        | the same, or minus infinity where nothing is listed    | Float64         |
| time         | a whole number, kept as it is                          | Int64           |
| decimal time | a number, cut to a whole one                           | Int64           |
| date         | an ISO date, with or without time of day, as seconds   | Int64           |
| flag         | 0 or 1, false or true                                  | Boolean         |
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar.core.errors import UserError

Scale = tuple[float, float] | None

FLAGS = {"1": True, "0": False, "true": True, "false": False}
_UNLISTED = ("-inf", "-infinity")
# The largest number that a Float32 holds.
_LARGEST = 3.4028234663852886e38
_TYPES = {"id": pl.String, "label": pl.String, "rating": pl.Float32, "flag": pl.Boolean}
_TYPES |= {"number": pl.Float64, "score": pl.Float64}


def type_of(kind: str) -> Any:
    """The type of a column; ids become integers later, see `with_integer_ids`."""
    return _TYPES.get(kind, pl.Int64)


def from_text(kind: str, text: str) -> Any:
    """The value that a text stands for; ValueError with the reason if it stands for none."""
    convert, meant = _FROM_TEXT[kind]
    try:
        return convert(text)
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not {meant}") from None


def numbers(fields: Sequence[bytes]) -> NDArray[np.float32]:
    """Fields of a line as numbers; ValueError with the first that is none."""
    try:
        return np.array(fields, np.float32)
    except ValueError:
        wrong = next(field for field in fields if not _is_number(field))
        raise ValueError(f"{wrong.decode(errors='replace')!r} is not a number") from None


def _is_number(field: bytes) -> bool:
    try:
        return np.array([field], np.float32).size == 1
    except ValueError:
        return False


def index_columns(
    source: object,
    columns: Mapping[str, str | int],
    header: list[str] | None,
    width: int,
    hint: str = "",
) -> dict[str, int]:
    """The index of each wanted column, from 0; the config counts from 1 or gives the name."""
    index = {}
    for name, column in columns.items():
        if isinstance(column, int):
            if not 1 <= column <= width:
                raise UserError(
                    f"{source} has no column {column} (for {name!r}): "
                    f"it has {width}, the first is number 1{hint}."
                )
            index[name] = column - 1
        elif header is None:
            raise UserError(
                f"{source} is read without a header, so {name!r} needs a number, not {column!r}."
            )
        elif column not in header:
            raise UserError(
                f"{source} has no column {column!r} (for {name!r}); "
                f"it has {', '.join(map(repr, header))}{hint}."
            )
        elif header.count(column) > 1:
            raise UserError(
                f"{source} has {header.count(column)} columns {column!r} (for {name!r}); "
                "give the number of the one that is meant, the first is number 1."
            )
        else:
            index[name] = header.index(column)
    for name, other in same_column(index):
        raise UserError(
            f"{source}: {name!r} and {other!r} are one column, {columns[name]!r}; give each its own."
        )
    return index


def same_column(columns: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Roles that stand on the same column, two by two."""
    first: dict[Any, str] = {}
    pairs = [(first.setdefault(column, name), name) for name, column in columns.items()]
    return [(one, other) for one, other in pairs if one != other]


def flags(column: pl.Expr) -> pl.Expr:
    """Text as flags, null where it is none."""
    lower = column.str.to_lowercase()
    return lower.replace_strict(FLAGS, default=None, return_dtype=pl.Boolean)


def faults(kinds: Mapping[str, str], scale: Scale) -> dict[str, pl.Expr]:
    """For each column that can be wrong, the rows in which it is."""
    wrong = {}
    for name, kind in kinds.items():
        column = pl.col(name)
        if kind == "label":
            continue
        wrong[name] = column.is_null()
        if kind == "rating":
            wrong[name] |= ~column.is_finite()
            if scale is not None:
                wrong[name] |= ~column.is_between(*scale)
        elif kind in ("number", "score"):
            unlisted = (column == -math.inf) & (kind == "score")
            wrong[name] |= ~((column.abs() <= _LARGEST) | unlisted)
        elif kind == "id":
            wrong[name] |= column.cast(pl.String) == ""
    return wrong


def with_integer_ids(frame: pl.DataFrame, kinds: Mapping[str, str]) -> pl.DataFrame:
    """Ids as integers where all of them are, and are written as integers are: 007 is not 7."""
    names = [name for name, kind in kinds.items() if kind in ("id", "label")]
    return frame.with_columns(_as_integers(frame[name]) for name in names)


def _as_integers(ids: pl.Series) -> pl.Series:
    if ids.dtype != pl.String:
        return ids
    numbers = ids.cast(pl.Int64, strict=False)
    if numbers.null_count() > ids.null_count():
        return ids
    # Signs and zeros sort before all other digits: mostly there is none, and one look is enough.
    least = ids.min()
    if isinstance(least, str) and least < "1" and _written_oddly(ids):
        return ids
    return numbers


def _written_oddly(integers: pl.Series) -> bool:
    odd = integers.str.starts_with("0") & (integers != "0")
    return (odd | integers.str.starts_with("+") | integers.str.starts_with("-0")).any()


def _id(text: str) -> str:
    if not text:
        raise ValueError
    return text


def _number(text: str) -> float:
    value = float(text)
    # Python takes 1_000 for a number; no data file means that.
    if not math.isfinite(value) or "_" in text:
        raise ValueError
    return value


def _rating(text: str) -> float:
    value = _number(text)
    if abs(value) > _LARGEST:
        raise ValueError
    return value


def _score(text: str) -> float:
    return -math.inf if text.lower() in _UNLISTED else _rating(text)


def _whole_number(text: str) -> int:
    value = int(text)
    if abs(value) >= 2**63 or "_" in text:
        raise ValueError
    return value


def _seconds(text: str) -> int:
    moment = datetime.fromisoformat(text)
    return math.floor((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _flag(text: str) -> bool:
    if text.lower() not in FLAGS:
        raise ValueError
    return FLAGS[text.lower()]


_FROM_TEXT: dict[str, tuple[Callable[[str], Any], str]] = {
    "id": (_id, "an id"),
    "label": (lambda text: text or None, ""),
    "rating": (_rating, "a finite number"),
    "number": (_rating, "a finite number"),
    "score": (_score, "a finite number"),
    "time": (_whole_number, "a whole number"),
    "decimal time": (lambda text: _whole_number(str(int(_number(text)))), "a number"),
    "date": (_seconds, "a date as in 2011-08-21 or 2011-08-21T10:30:00"),
    "flag": (_flag, "0 or 1"),
}
