"""What the simulations find: rows of named numbers, as CSV."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mnar.core.files import atomic

Row = Mapping[str, Any]


def write_rows(
    path: str | Path, method: str, columns: Sequence[str], rows: Iterable[Row] = ()
) -> None:
    """Each row with the method that ranks; the columns are there also where there are no rows."""
    with atomic(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, ["method", *columns], lineterminator="\n")
        writer.writeheader()
        writer.writerows({"method": method, **row} for row in rows)
