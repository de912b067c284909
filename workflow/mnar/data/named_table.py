"""Tables whose columns have known names, and of which no config says how they are written.

They are read as datasets are: every record becomes a row, or is refused by its line.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from mnar.core.errors import UserError
from mnar.data import parquet_table, text_table
from mnar.data.bad_lines import BadLines
from mnar.data.sources import Source

# What stands between columns where it is not what the ending of the name says.
_SEPARATORS = (";", "\t", ",", "|", "::", " ")


class _Refused(BadLines):
    """No bad line is allowed; advice about settings is left out, since there are none."""

    def __init__(self) -> None:
        super().__init__(0)

    def report(self, source: Source, where: str, content: str, why: str) -> None:
        reason = why.partition("; set ")[0]
        if "encoding" in reason:
            advice = "save the file as UTF-8"
        elif "quote" in reason:
            advice = "close it, and write a quote inside a quoted field twice"
        else:
            advice = "correct it, or leave it out"
        shown = content if len(content) <= 200 else content[:200] + "…"
        raise UserError(f"{source}, {where}: {reason}, in {shown!r}; {advice}.")


def read(path: Path, kinds: Mapping[str, str], needed: Sequence[str]) -> pl.DataFrame:
    """The columns of `kinds` that the table has, in their order; others are passed over."""
    source = Source(path)
    is_parquet = source.is_a(".parquet")
    names = parquet_table.names(source) if is_parquet else _header(source)
    for name in needed:
        if name not in names:
            found = ", ".join(map(repr, names)) if names else "nothing"
            raise UserError(
                f"{path} has no column {name!r}; it must have {', '.join(needed)}, and has "
                f"{found[:200]}{'' if is_parquet else _likely_separator(source, needed)}."
            )
    for name in kinds:
        if names.count(name) > 1:
            raise UserError(f"{path} has {names.count(name)} columns {name!r}; rename one.")
    kinds = {name: kind for name, kind in kinds.items() if name in names}
    settings = {"columns": {name: name for name in kinds}}
    table = parquet_table if is_parquet else text_table
    empty = pl.DataFrame(schema=dict.fromkeys(kinds, pl.Null))
    frames = table.read(source, settings, kinds, None, _Refused())
    return pl.concat([empty, *frames], how="vertical_relaxed")


def _header(source: Source) -> list[str]:
    try:
        return text_table.header(source, {})
    except UserError as error:
        advice = str(error).partition(", or set `encoding")
        raise UserError(f"{advice[0]}." if advice[1] else advice[0]) from error


def _likely_separator(source: Source, needed: Sequence[str]) -> str:
    """What to do where the columns are there if another separator stands between them."""
    usual, name = ("\t", "tabs") if source.is_a(".tsv") else (",", "commas")
    for other in _SEPARATORS:
        found = text_table.header(source, {"separator": other})
        if other != usual and set(needed) <= set(found):
            return f"; it looks as if {other!r} separates its columns: write it with {name}"
    return ""
