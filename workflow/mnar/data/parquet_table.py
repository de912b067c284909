"""Parquet tables of ratings: columns of any sensible type, read a batch at a time."""

import io
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.columns import Scale, faults, flags, index_columns
from mnar.data.sources import Source

_ROWS = 1 << 20


def read(
    source: Source,
    settings: Mapping[str, Any],
    kinds: Mapping[str, str],
    scale: Scale,
    bad: BadLines,
) -> Iterator[pl.DataFrame]:
    """The wanted columns, piece by piece."""
    with source.open() as stream:
        # Parquet is read from its end, so a compressed stream must be had as a whole.
        seekable = source.path.suffix == ".parquet"
        try:
            file = pq.ParquetFile(stream if seekable else io.BytesIO(stream.read()))
        except pa.ArrowInvalid as error:
            raise UserError(f"{source} is not a Parquet file: {error}.") from error
        header = file.schema_arrow.names
        index = index_columns(source, settings["columns"], header, len(header))
        names = {name: header[at] for name, at in index.items()}
        before = 0
        for batch in file.iter_batches(_ROWS, columns=list(dict.fromkeys(names.values()))):
            raw = pl.DataFrame(batch)
            frame = raw.select(
                _converted(raw[names[name]], kinds[name]).alias(name) for name in names
            )
            wrong = _report(source, raw, frame, before, faults(kinds, scale), bad)
            yield frame.filter(~wrong)
            before += batch.num_rows


def _converted(column: pl.Series, kind: str) -> pl.Series:
    """The column in the type of its kind, null where that cannot be."""
    if kind == "rating":
        return column.cast(pl.Float32, strict=False)
    if kind == "flag":
        return column.cast(pl.String).to_frame().select(flags(pl.all())).to_series()
    if kind == "time":
        if column.dtype in (pl.Date, pl.Datetime):
            return column.cast(pl.Datetime("us")).dt.epoch("s")
        return column.cast(pl.Int64, strict=False)
    return column.cast(pl.Int64 if column.dtype.is_integer() else pl.String)


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
        content = ", ".join(str(value) for value in raw.row(index))
        bad.report(source, f"row {before + index + 1}", content, f"the {name} is not valid")
    return rows
