"""Parquet tables of ratings: columns of any sensible type, read a batch at a time."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.columns import Scale, faults, flags, index_columns
from mnar.data.sources import Source

_ROWS = 1 << 20
# Below it a float can hold every whole number.
_EXACT = 2.0**53
# In bits: polars panics at wider ones.
_WIDEST_DECIMAL = 128
# Steps of a time in a second, by its unit; a date counts days.
_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86400
# The years 1 to 9999, in seconds: what Python and polars take for a date.
_DATES = (-62_135_596_800, 253_402_300_799)


def read(
    source: Source,
    settings: Mapping[str, Any],
    kinds: Mapping[str, str],
    scale: Scale,
    bad: BadLines,
    rows: int = _ROWS,
) -> Iterator[pl.DataFrame]:
    """The wanted columns, about `rows` rows at a time."""
    with _opened(source) as file:
        names = _names(source, file.schema_arrow, settings["columns"], kinds)
        before = 0
        for batch in _batches(source, file, list(names.values()), rows):
            raw = _frame(batch)
            frame = raw.select(
                _converted(raw[names[name]], kinds[name]).alias(name) for name in names
            )
            wrong = _report(source, raw, frame, before, faults(kinds, scale), bad)
            yield frame.filter(~wrong)
            before += batch.num_rows


def names(source: Source) -> list[str]:
    """The names of all columns."""
    with _opened(source) as file:
        return file.schema_arrow.names


def metadata(source: Source) -> dict[bytes, bytes]:
    """What the writer said of the table as a whole."""
    with _opened(source) as file:
        return file.metadata.metadata or {}


@contextmanager
def _opened(source: Source) -> Iterator[pq.ParquetFile]:
    with source.open() as stream:
        # Parquet is read from its end, so a compressed stream must be had as a whole.
        seekable = source.path.suffix == ".parquet"
        try:
            file = pq.ParquetFile(stream if seekable else io.BytesIO(stream.read()))
        except (pa.ArrowException, OSError) as error:
            raise UserError(f"{source} is not a Parquet file: {_one_line(error)}.") from error
        yield file


def _names(
    source: Source, schema: pa.Schema, columns: Mapping[str, str | int], kinds: Mapping[str, str]
) -> dict[str, str]:
    """The name of each wanted column in the file; a UserError where its type cannot be meant."""
    index = index_columns(source, columns, schema.names, len(schema.names))
    for name, at in index.items():
        field = schema.field(at)
        if schema.names.count(field.name) > 1:
            raise UserError(
                f"{source} has {schema.names.count(field.name)} columns {field.name!r} "
                f"(for {name!r}), and none can be told from the other; rename one."
            )
        if not _is_plain(field.type, kinds[name]):
            is_number = kinds[name] in ("rating", "number", "score", "time")
            wanted = "numbers" if is_number else "numbers or text"
            raise UserError(
                f"{source}: column {field.name!r} (for {name!r}) holds {field.type}; "
                f"give a column of {wanted}."
            )
    return {name: schema.names[at] for name, at in index.items()}


def _is_plain(kind_of_values: pa.DataType, kind: str) -> bool:
    if pa.types.is_dictionary(kind_of_values):
        return _is_plain(kind_of_values.value_type, kind)
    is_text = (
        pa.types.is_string(kind_of_values)
        or pa.types.is_large_string(kind_of_values)
        or pa.types.is_string_view(kind_of_values)
    )
    if is_text or pa.types.is_integer(kind_of_values) or pa.types.is_floating(kind_of_values):
        return True
    if pa.types.is_decimal(kind_of_values):
        return kind_of_values.bit_width <= _WIDEST_DECIMAL
    if pa.types.is_null(kind_of_values):
        return True
    if kind == "time":
        return pa.types.is_timestamp(kind_of_values) or pa.types.is_date(kind_of_values)
    if pa.types.is_boolean(kind_of_values):
        return kind in ("flag", "rating")
    # Old writers do not mark text as such.
    return kind in ("id", "label") and (
        pa.types.is_binary(kind_of_values) or pa.types.is_large_binary(kind_of_values)
    )


def _batches(
    source: Source, file: pq.ParquetFile, columns: list[str], rows: int
) -> Iterator[pa.RecordBatch]:
    try:
        for batch in file.iter_batches(rows, columns=columns):
            # Text that is not UTF-8 makes polars panic, which no handler of errors catches.
            batch.validate(full=True)
            yield batch
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{source} is damaged ({_one_line(error)}): get the file again.") from error


def _frame(batch: pa.RecordBatch) -> pl.DataFrame:
    """The columns alone: damaged metadata, which nobody asks for, would make polars panic."""
    columns = [_without_zone(column) for column in batch.columns]
    bare = [
        pa.field(name, column.type)
        for name, column in zip(batch.schema.names, columns, strict=True)
    ]
    return pl.DataFrame(pa.RecordBatch.from_arrays(columns, schema=pa.schema(bare)))


def _without_zone(column: pa.Array) -> pa.Array:
    """Times as they are stored, which is in UTC: polars knows few names of zones, and no offsets."""
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        return column.cast(pa.timestamp(column.type.unit))
    return column


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200].rstrip(".")


def _converted(column: pl.Series, kind: str) -> pl.Series:
    """The column in the type of its kind, null where that cannot be."""
    if isinstance(column.dtype, pl.Categorical | pl.Enum):
        column = column.cast(pl.String)
    if kind == "rating":
        return column.cast(pl.Float32, strict=False)
    if kind in ("number", "score"):
        return column.cast(pl.Float64, strict=False)
    if kind == "flag":
        return column.cast(pl.String).to_frame().select(flags(pl.all())).to_series()
    if kind == "time":
        if column.dtype.is_temporal():
            return _seconds(column)
        return column.cast(pl.Int64, strict=False)
    return _as_ids(column)


def _seconds(column: pl.Series) -> pl.Series:
    """Dates and times as seconds, null beyond the calendar: polars panics there."""
    steps = column.to_physical().cast(pl.Int64)
    if isinstance(column.dtype, pl.Datetime):
        seconds = steps // _PER_SECOND[column.dtype.time_unit]
    else:
        seconds = steps * _DAY
    return seconds.set(~seconds.is_between(*_DATES), None)


def _as_ids(column: pl.Series) -> pl.Series:
    """Whole numbers as such, also where they are kept as 7.0; all others as text, null if not finite.

    A value decides for itself: the same id is the same text in every batch, whatever stands beside it.
    """
    if column.dtype == pl.Binary:
        return pl.Series([_text(value) for value in column.to_list()], dtype=pl.String)
    if not column.dtype.is_numeric():
        return column.cast(pl.String)
    if column.dtype.is_float():
        column = column.set(~column.is_finite(), None)
    whole = column.cast(pl.Int64, strict=False)
    same = whole == column
    if column.dtype.is_float():
        same &= column.abs() < _EXACT
    if same.all() and whole.null_count() == column.null_count():
        return whole
    return whole.cast(pl.String).zip_with(same.fill_null(False), column.cast(pl.String))


def _text(value: bytes | None) -> str | None:
    try:
        return value.decode() if value is not None else None
    except UnicodeError:
        return None


def _report(
    source: Source,
    raw: pl.DataFrame,
    frame: pl.DataFrame,
    before: int,
    wrong: Mapping[str, pl.Expr],
    bad: BadLines,
) -> pl.Series:
    """Names the rows that are wrong, and says which they are."""
    found = frame.select(expression.alias(name) for name, expression in wrong.items())
    rows = found.select(pl.any_horizontal(pl.all())).to_series()
    for index in rows.arg_true():
        name = next(name for name in found.columns if found[name][index])
        content = ", ".join(_shown(raw[column], index) for column in raw.columns)
        bad.report(source, f"row {before + index + 1}", content, f"the {name} is not valid")
    return rows


def _shown(column: pl.Series, index: int) -> str:
    """A value as text; of a date beyond the calendar the number that it is stored as."""
    beyond = column.dtype.is_temporal() and _seconds(column[index : index + 1]).item() is None
    return str(column.to_physical()[index] if beyond else column[index])
