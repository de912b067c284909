"""Rows in any number, sorted by user and item, without holding all of them in memory.

Rows are collected in runs; a full run is sorted by user and set aside on disk. In the end the users
are cut into ranges of about one run each, and every range is gathered from all runs and sorted.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

ROWS_IN_MEMORY = 1 << 23
_ROWS_IN_GROUP = 1 << 18


class SortedRuns:
    """Takes ratings in the order of the source, gives them sorted, one for each (user, item)."""

    def __init__(self, prefix: Path, rows_in_memory: int = ROWS_IN_MEMORY) -> None:
        self.rows = 0
        self.duplicates = 0
        self.types: dict[str, pl.DataType] = {}
        self._limit = rows_in_memory
        self._prefix = prefix
        self._set_aside_ever = 0
        self._waiting: list[pl.DataFrame] = []
        self._rows_waiting = 0
        self._runs: list[Path] = []
        self._users: list[pl.DataFrame] = []

    def add(self, frame: pl.DataFrame) -> None:
        """More rows, with the columns user, item, timestamp and any others."""
        if frame.is_empty():
            return
        for name in ("user", "item"):
            known = self.types.setdefault(name, frame.schema[name])
            if known != frame.schema[name]:
                self.make_text(name)
                frame = frame.with_columns(pl.col(name).cast(pl.String))
        self._waiting.append(frame.with_row_index("row", self.rows).cast({"row": pl.Int64}))
        self.rows += frame.height
        self._rows_waiting += frame.height
        if self._rows_waiting >= self._limit:
            self._set_aside(pl.concat(self._waiting))
            self._waiting = []
            self._rows_waiting = 0

    def make_text(self, name: str) -> None:
        """Turns a column of ids that were integers so far into text."""
        if self.types.get(name) in (None, pl.String):
            return
        self.types[name] = pl.String()
        to_text = pl.col(name).cast(pl.String)
        self._waiting = [piece.with_columns(to_text) for piece in self._waiting]
        runs, self._runs, self._users = self._runs, [], []
        for path in runs:
            self._set_aside(pl.read_parquet(path).with_columns(to_text))
            path.unlink()

    def ranges(self) -> Iterator[pl.DataFrame]:
        """All rows, sorted by user and item, in pieces that share no user."""
        if not self._runs:
            if self._waiting:
                yield self._settled(pl.concat(self._waiting))
            return
        if self._waiting:
            self._set_aside(pl.concat(self._waiting))
            self._waiting = []
        users = pl.concat(self._users).group_by("user").agg(pl.col("len").sum()).sort("user")
        piece = (users["len"].cum_sum() - users["len"]) // self._limit
        starts = users["user"].filter(piece != piece.shift(1).fill_null(-1)).to_list()
        for first, after in zip(starts, [*starts[1:], None], strict=True):
            wanted = pl.col("user") >= first
            if after is not None:
                wanted &= pl.col("user") < after
            gathered = [pl.scan_parquet(path).filter(wanted).collect() for path in self._runs]
            yield self._settled(pl.concat(gathered))

    def _set_aside(self, frame: pl.DataFrame) -> None:
        self._set_aside_ever += 1
        path = Path(f"{self._prefix}-{self._set_aside_ever}")
        if not frame["user"].is_sorted():
            frame = frame.sort("user", "row")
        frame.write_parquet(path, compression="lz4", row_group_size=_ROWS_IN_GROUP, statistics=True)
        self._runs.append(path)
        self._users.append(frame.group_by("user").len())

    def _settled(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Sorted; of a pair that is there more than once, the newest row, else the last one."""
        frame = frame.sort("user", "item", "timestamp", "row", nulls_last=False)
        same = [pl.col(name).ne_missing(pl.col(name).shift(-1)) for name in ("user", "item")]
        kept = frame.filter(pl.any_horizontal(*same)).drop("row")
        self.duplicates += frame.height - kept.height
        return kept
