"""A table of ratings: text with any separator or Parquet; columns by name, or by number from 1."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from mnar.data import parquet_table, text_table
from mnar.data.bad_lines import BadLines
from mnar.data.columns import with_integer_ids
from mnar.data.sources import Source

ROLES = {"ratings": True, "random": False, "items": False}
SETTINGS = ("separator", "quote", "encoding", "header", "columns")

RATING_COLUMNS = {
    "user": "id",
    "item": "id",
    "rating": "rating",
    "timestamp": "time",
    # 1: selected by the user; all rows together are a random sample.
    "selected": "flag",
    # 1: selected at random, 0: by the user.
    "random": "flag",
}
ITEM_COLUMNS = {
    "item": "id",
    "type": "label",
    "album": "label",
    "artist": "label",
    "genre": "label",
}
# By section of a dataset's entry.
COLUMNS = {"format": RATING_COLUMNS, "catalogue": ITEM_COLUMNS}

_TAXONOMY = {"album", "artist", "genre"}


def has(files: set[str], form: Mapping[str, Any], catalogue: Mapping[str, Any]) -> set[str]:
    """What these files hold besides ratings."""
    columns = set(form.get("columns") or {})
    of_items = set(catalogue.get("columns") or {}) if "items" in files else set()
    marks = {
        "timestamps": "timestamp" in columns,
        "random": "random" in files or bool(columns & {"random", "selected"}),
        "taxonomy": bool(of_items & _TAXONOMY),
        "item-types": "type" in of_items,
    }
    return {name for name, there in marks.items() if there}


def rows(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> Iterator[tuple[str, pl.DataFrame]]:
    """Without a rating column every row is an interaction of value 1."""
    for role in ("ratings", "random"):
        for source in files.get(role, []):
            for frame in _read(source, settings, RATING_COLUMNS, bad):
                yield from _assigned(frame, role)


def items(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> pl.DataFrame | None:
    """The catalogue: its format is that of the ratings, except where `catalogue` says otherwise."""
    own = {"columns": {"item": "item"}, **(settings.get("catalogue") or {})}
    frames = [
        frame
        for source in files.get("items", [])
        for frame in _read(source, {**settings, **own}, ITEM_COLUMNS, bad)
    ]
    return pl.concat(frames, how="vertical_relaxed") if frames else None


def _read(
    source: Source, settings: Mapping[str, Any], known: Mapping[str, str], bad: BadLines
) -> Iterator[pl.DataFrame]:
    columns = settings.get("columns") or {}
    kinds = {name: known[name] for name in columns}
    table = parquet_table if source.is_a(".parquet") else text_table
    for frame in table.read(source, settings, kinds, settings.get("scale"), bad):
        bad.good += frame.height
        yield with_integer_ids(frame, kinds)


def _assigned(frame: pl.DataFrame, role: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """Which rows the users selected, and which are a random sample."""
    if "rating" not in frame.columns:
        frame = frame.with_columns(pl.lit(1, pl.Float32).alias("rating"))
    if "timestamp" not in frame.columns:
        frame = frame.with_columns(pl.lit(None, pl.Int64).alias("timestamp"))
    ratings = frame.select("user", "item", "rating", "timestamp")
    if role == "random":
        yield "random", ratings
    elif "selected" in frame.columns:
        yield "interactions", ratings.filter(frame["selected"])
        yield "random", ratings
    elif "random" in frame.columns:
        yield "interactions", ratings.filter(~frame["random"])
        yield "random", ratings.filter(frame["random"])
    else:
        yield "interactions", ratings
