"""From the files of a dataset to its tidy tables, catalogue and summary (docs/datasets.md)."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from mnar.core.errors import UserError
from mnar.core.files import atomic, seal_parquet, write_json
from mnar.data import locations, readers
from mnar.data.bad_lines import BadLines
from mnar.data.download import obtain
from mnar.data.entry import check_entry
from mnar.data.parts import OFFICIAL_TRAIN
from mnar.data.sorted_runs import SortedRuns
from mnar.data.sources import Source, sha256
from mnar.data.summary import Counts

_ROWS_IN_GROUP = 1 << 20
# More files than this are given one checksum together.
_FILES_NAMED = 20


def prepare(
    name: str, entry: Mapping[str, Any], folder: Path, out: Path, offline: bool = True
) -> None:
    """Reads the files of a dataset in `folder`; writes its tables and its summary to `out`.

    All four files appear together, or none of them. A download that was deleted is fetched again, unless
    `offline`.
    """
    if "download" in entry and not offline:
        check_entry(name, entry)
        obtain(name, entry, folder)
    files = locations.find(name, entry, folder)
    described = _described(entry, folder, files)
    settings = dict(entry["format"]) | {key: entry.get(key) for key in ("scale", "catalogue")}
    reader = readers.load(settings.get("kind", "table"))
    bad = BadLines(entry.get("bad_lines", 0))
    out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        temporary = stack.enter_context(_emptied(out / ".sorting"))
        tables = {table: SortedRuns(temporary / table) for table in ("interactions", "random")}
        for table, frame in reader.rows(files, settings, bad):
            tables[table].add(frame)
        items = reader.items(files, settings, bad) if hasattr(reader, "items") else None
        parts = reader.parts(files, bad) if hasattr(reader, "parts") else None
        bad.finish()
        ratings, random = tables["interactions"], tables["random"]
        if not ratings.rows:
            read = ", ".join(str(source) for sources in files.values() for source in sources[:1])
            raise UserError(f"Dataset {name!r} has no ratings: there are none in {read}.")
        items, parts = _with_shared_id_types(ratings, random, items, parts)

        written = {
            table: stack.enter_context(atomic(out / f"{table}.parquet"))
            for table in ("interactions", "random", "items")
        }
        counts = {table: Counts() for table in tables}
        for table, runs in tables.items():
            pieces = _marked(runs.ranges(), parts if table == "interactions" else None)
            _write(written[table], counts[table].watching(pieces), ratings.types)
        rated = [counts[table].items for table in tables]
        _check_users(name, counts["interactions"].user_ids, counts["random"].user_ids, files)
        _check_shared(name, items, rated, files)
        items = _catalogue(items, rated)
        if items.height < 2:
            raise UserError(f"Dataset {name!r} has one item only, so there is nothing to rank.")
        _write(written["items"], [items], {"item": ratings.types["item"]})

        summary = {"dataset": name, "items": items.height, **counts["interactions"].facts()}
        summary["duplicates_collapsed"] = ratings.duplicates
        summary["bad_lines"] = bad.count
        summary["random"] = counts["random"].facts() | {"duplicates_collapsed": random.duplicates}
        for key in ("source", "licence"):
            summary[key] = entry.get(key)
        summary["files"] = described
        write_json(out / "summary.json", summary)


@contextmanager
def _emptied(folder: Path) -> Iterator[Path]:
    """A folder for temporary files; what a killed run left in it goes first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _described(
    entry: Mapping[str, Any], folder: Path, files: Mapping[str, list[Source]]
) -> list[dict[str, Any]]:
    """Name, size and checksum of the files; a checksum that the config knows must be right."""
    known = dict(entry.get("sha256", {}))
    download = locations.downloaded(entry, folder)
    if download is not None and entry["download"].get("sha256"):
        known[download.name] = entry["download"]["sha256"]
    described = []
    for role, sources in files.items():
        paths = list(dict.fromkeys(source.path for source in sources))
        checksums = [sha256(path) for path in paths]
        for path, checksum in zip(paths, checksums, strict=True):
            if checksum != known.get(path.name, checksum):
                raise UserError(
                    f"{path} is not the file the config means: its sha256 is {checksum}, "
                    f"it should be {known[path.name]}; get it again, or change the config."
                )
        names = [_relative(path, folder) for path in paths]
        size = sum(path.stat().st_size for path in paths)
        if len(paths) > _FILES_NAMED:
            lines = "".join(f"{c}  {n}\n" for c, n in zip(checksums, names, strict=True))
            checksums = [hashlib.sha256(lines.encode()).hexdigest()]
            names = [f"{names[0]} … {names[-1]} ({len(paths):,} files, list of checksums)"]
        sizes = [size] if len(names) < len(paths) else [path.stat().st_size for path in paths]
        described += [
            {"role": role, "file": n, "bytes": s, "sha256": c}
            for n, s, c in zip(names, sizes, checksums, strict=True)
        ]
    return described


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


def _with_shared_id_types(
    ratings: SortedRuns, random: SortedRuns, items: pl.DataFrame | None, parts: pl.DataFrame | None
) -> tuple[pl.DataFrame | None, pl.DataFrame | None]:
    """Ids are text everywhere as soon as they are text somewhere."""
    for name in ("user", "item"):
        frames = [frame for frame in (items, parts) if frame is not None and name in frame.columns]
        seen = [table.types.get(name) for table in (ratings, random)]
        if pl.String in [*seen, *(frame.schema[name] for frame in frames)]:
            ratings.make_text(name)
            random.make_text(name)
        shared = pl.col(name).cast(ratings.types[name])
        if items is not None and name in items.columns:
            items = items.with_columns(shared)
        if parts is not None:
            parts = parts.with_columns(shared)
    return items, parts


def _marked(pieces: Iterable[pl.DataFrame], parts: pl.DataFrame | None) -> Iterator[pl.DataFrame]:
    """The official part of each rating; training for those that are not listed."""
    for piece in pieces:
        if parts is not None:
            piece = piece.join(parts, on=["user", "item"], how="left", maintain_order="left")
            piece = piece.with_columns(pl.col("part").fill_null(OFFICIAL_TRAIN))
        yield piece


def _check_users(
    name: str, own: pl.Series, random: pl.Series, files: Mapping[str, list[Source]]
) -> None:
    """A UserError where nobody with random ratings has others: other columns, or other ids."""
    if not len(random) or random.is_in(own.implode()).any():
        return
    sources = files.get("random") or files.get("ratings", [])
    raise UserError(
        f"Dataset {name!r}: none of the {len(random):,} users with random ratings in "
        f"{', '.join(str(source) for source in sources[:1]) or 'its files'} has others, the first is "
        f"{str(random[0])[:80]!r}, and {str(own[0])[:80]!r} has others; name the column that has the ids of "
        "the ratings."
    )


def _check_shared(
    name: str,
    items: pl.DataFrame | None,
    rated: list[pl.DataFrame],
    files: Mapping[str, list[Source]],
) -> None:
    """A UserError where no listed item is a rated one: another column, or ids written otherwise."""
    known = [frame["item"] for frame in rated if "item" in frame.columns]
    if items is None or items.is_empty() or items["item"].is_in(pl.concat(known).implode()).any():
        return
    where = ", ".join(str(source) for source in files.get("items", [])[:1]) or "its catalogue"
    raise UserError(
        f"Dataset {name!r}: none of the {items.height:,} items in {where} is rated, the first is "
        f"{str(items['item'][0])[:80]!r}, and {str(known[0][0])[:80]!r} is rated; name the column that has "
        "the ids of the ratings under `catalogue`."
    )


def _catalogue(items: pl.DataFrame | None, rated: list[pl.DataFrame]) -> pl.DataFrame:
    """All items that are listed or rated, sorted, with their attributes."""
    known = [frame.select("item") for frame in rated if "item" in frame.columns]
    if items is not None:
        known.append(items.select("item"))
    every = pl.concat(known).unique().sort("item")
    if items is None:
        return every
    items = items.unique("item", keep="first", maintain_order=True)
    return every.join(items, on="item", how="left", maintain_order="left")


def _write(path: Path, pieces: Iterable[pl.DataFrame], id_types: Mapping[str, pl.DataType]) -> None:
    """A Parquet file; the same rows give the same bytes."""
    empty = pl.DataFrame(
        schema={**id_types, "rating": pl.Float32, "timestamp": pl.Int64}
        if "user" in id_types
        else dict(id_types)
    )
    writer = None
    try:
        for piece in pieces:
            table = _arrow(piece)
            writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table, row_group_size=_ROWS_IN_GROUP)
        writer = writer or pq.ParquetWriter(path, _arrow(empty).schema, compression="zstd")
    finally:
        if writer is not None:
            writer.close()
    seal_parquet(path)


def _arrow(frame: pl.DataFrame) -> pa.Table:
    """Text as plain strings, which every reader of Parquet knows."""
    table = frame.to_arrow()
    fields = [
        field.with_type(pa.string()) if pa.types.is_large_string(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))
