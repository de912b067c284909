"""A generated dataset as files: those of any prepared dataset, and the truth beside them."""

from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.files import atomic, seal_parquet, write_json
from mnar.data.synthetic.generation import Synthetic
from mnar.data.synthetic.generator_settings import TAXONOMY_LEVELS

_USERS_A_GROUP = 1 << 15
_ROWS_A_GROUP = 2**20


def write(synthetic: Synthetic, folder: str | Path) -> None:
    """The files of a prepared dataset, and the truth beside them."""
    folder = Path(folder)
    chosen: dict[str, Any] = {
        "user": synthetic.user,
        "item": synthetic.item,
        "rating": synthetic.rating,
        "timestamp": synthetic.timestamp,
    }
    at_random: dict[str, Any] = {
        "user": synthetic.random_user,
        "item": synthetic.random_item,
        "rating": synthetic.random_rating,
        "timestamp": None,
    }
    items = {"item": np.arange(synthetic.settings.items, dtype=np.int32)}
    levels = list(TAXONOMY_LEVELS)[: synthetic.parents.shape[1]]
    items |= dict(zip(levels, synthetic.parents.T, strict=True))
    _write_table(folder / "interactions.parquet", chosen)
    _write_table(folder / "random.parquet", at_random)
    _write_table(folder / "items.parquet", items)
    synthetic.truth.save(folder / "truth.npz")
    write_json(folder / "summary.json", summarise(synthetic))


def _write_table(path: Path, columns: dict[str, Any]) -> None:
    """A Parquet table, written group by group to spare memory; a column of None is all null."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {"rating": pa.float32(), "timestamp": pa.int64()}
    schema = pa.schema([(name, types.get(name, pa.int32())) for name in columns])
    rows = len(columns["item"])
    with atomic(path) as temporary:
        with ParquetWriter(temporary, schema, compression="zstd") as writer:
            for first in range(0, max(rows, 1), _ROWS_A_GROUP):
                last = min(first + _ROWS_A_GROUP, rows)
                arrays = [
                    pa.nulls(last - first, field.type)
                    if columns[field.name] is None
                    else pa.array(columns[field.name][first:last], field.type)
                    for field in schema
                ]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
        seal_parquet(temporary)


def summarise(synthetic: Synthetic) -> dict[str, Any]:
    """The facts that every prepared dataset states about itself, and the settings behind these."""
    chosen = (synthetic.user, synthetic.item, synthetic.rating, synthetic.timestamp)
    at_random = (synthetic.random_user, synthetic.random_item, synthetic.random_rating, None)
    return {
        "items": synthetic.settings.items,
        **_facts(*chosen),
        "duplicates_collapsed": 0,
        "bad_lines": 0,
        "random": _facts(*at_random) | {"duplicates_collapsed": 0},
        "source": "generated",
        "licence": "none needed: generated, no real person's ratings",
        "files": [],
        "settings": asdict(synthetic.settings),
    }


def _facts(user: NDArray, item: NDArray, rating: NDArray, time: NDArray | None) -> dict[str, Any]:
    """Counted as for data that are read, a group of rows at a time (users are sorted)."""
    import polars as pl

    from mnar.data.summary import Counts

    counts = Counts()
    cuts = np.searchsorted(user, np.arange(0, 1 + user.max(initial=0), _USERS_A_GROUP))
    groups = (
        pl.DataFrame(
            {
                "user": user[first:last],
                "item": item[first:last],
                "rating": rating[first:last].astype(np.float32),
                "timestamp": pl.Series([None] * (last - first), dtype=pl.Int64)
                if time is None
                else time[first:last],
            }
        )
        for first, last in pairwise([*cuts, len(user)])
        if last > first
    )
    for _ in counts.watching(groups):
        pass
    return counts.facts()
