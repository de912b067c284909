"""Text tables whose columns have known names, and of which no config says how they are written.

They are read as datasets are (text_table.py): every record becomes a row, or is refused by its line.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from mnar.core.errors import UserError
from mnar.data import text_table
from mnar.data.bad_lines import BadLines
from mnar.data.sources import Source


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
            advice = "mend the line, or leave it out"
        shown = content if len(content) <= 200 else content[:200] + "…"
        raise UserError(f"{source}, {where}: {reason}, in {shown!r}; {advice}.")


def read(path: Path, kinds: Mapping[str, str], needed: Sequence[str]) -> pl.DataFrame:
    """The columns of `kinds` that the first line names; ids are text. Others are passed over."""
    source = Source(path)
    header = text_table.header(source, {})
    for name in needed:
        if name not in header:
            found = ", ".join(header) if header else "nothing"
            raise UserError(
                f"{path} has no column {name!r}; its first line must name {', '.join(needed)}, and it "
                f"names {found[:200]}."
            )
    for name in kinds:
        if header.count(name) > 1:
            raise UserError(f"{path} has {header.count(name)} columns {name!r}; rename one.")
    kinds = {name: kind for name, kind in kinds.items() if name in header}
    settings = {"columns": {name: name for name in kinds}}
    return pl.concat(text_table.read(source, settings, kinds, None, _Refused()))
