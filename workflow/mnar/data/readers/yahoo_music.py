"""Yahoo! Music as given out for KDD-Cup 2011, either track, with the taxonomy of its items.

Ratings are `user|count` above lines of `item, rating, day, time` (Track 2: `item, rating`), with
tabs. The contest's test files have no ratings, so there is nothing to measure against: their lines
are checked and left out. A test file of Track 2 with the answers, `item, 1` (rated highly) or
`item, 0` (not rated), gives items that users did not select. Items are `track|album|artist|genres…`,
`album|artist|genres…`, `artist` and `genre`, one to a line.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from mnar.core.errors import UserError
from mnar.data.bad_lines import BadLines
from mnar.data.headed_lines import ANY, Form, read
from mnar.data.parts import OFFICIAL_TEST, OFFICIAL_TRAIN, OFFICIAL_VALIDATION
from mnar.data.sources import Source, blocks

ROLES = {
    "train": True,
    "validation": False,
    "test": False,
    "tracks": False,
    "albums": False,
    "artists": False,
    "genres": False,
}
SETTINGS = ()

_PARTS = {"train": OFFICIAL_TRAIN, "validation": OFFICIAL_VALIDATION, "test": OFFICIAL_TEST}
_TYPES = {"tracks": "track", "albums": "album", "artists": "artist", "genres": "genre"}
# What stands in a line of each type, before the genres.
_ANCESTORS = {"tracks": ("album", "artist"), "albums": ("artist",), "artists": (), "genres": ()}
_MOST_TABS = 3
_TIME = [(0, 23), (0, 59), (0, 59)]
_SCHEMA: dict[str, Any] = {
    "item": pl.Int32,
    "type": pl.String,
    "album": pl.Int32,
    "artist": pl.Int32,
    "genre": pl.Int32,
    "genres": pl.List(pl.Int32),
}


_TAXONOMY_FILES = {"tracks", "albums"}


def has(files: set[str], *_: Any) -> set[str]:
    """Track 1 has times and a validation file, Track 2 has neither."""
    marks = {
        "timestamps": "validation" in files,
        "taxonomy": bool(files & _TAXONOMY_FILES),
        "item-types": bool(files & {"tracks", "albums", "artists", "genres"}),
    }
    return {name for name, there in marks.items() if there}


def rows(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> Iterator[tuple[str, pl.DataFrame]]:
    low, high = settings.get("scale") or (0, 100)
    for role, part in _PARTS.items():
        for source in files.get(role, []):
            tabs = _tabs(source)
            if tabs > _MOST_TABS:
                raise UserError(
                    f"{source}: its first line below a user has {tabs + 1} columns; expected item, "
                    "rating, day and time with tabs between them, or fewer of these."
                )
            rated, timed = tabs in (1, 3), tabs > 1
            answers = role == "test" and tabs == 1
            limits = [ANY] + [(0, 1) if answers else (low, high)] * rated + [ANY, *_TIME] * timed
            form = Form("|", True, "\t" * tabs + "::" * timed, limits)
            for users, (rated_items, *numbers) in read(source, form, bad):
                if rated:
                    columns = {"user": users, "item": rated_items, "rating": numbers[0]}
                    time = pl.Series(_seconds(*numbers[1:])) if timed else None
                    frame = pl.DataFrame(columns).with_columns(
                        pl.col("rating").cast(pl.Float32),
                        pl.lit(time, pl.Int64).alias("timestamp"),
                    )
                    if answers:
                        yield "random", frame.with_columns(pl.col("rating") * (high - low) + low)
                    else:
                        part_of = pl.lit(part, pl.UInt8).alias("part")
                        yield "interactions", frame.with_columns(part_of)


def items(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> pl.DataFrame | None:
    """All items with their type and ancestors; `genre` is the first of the `genres`."""
    found = []
    for role, kind in _TYPES.items():
        for source in files.get(role, []):
            for first, _, block in blocks(source):
                for offset, text in enumerate(block.decode("ascii", "replace").splitlines()):
                    try:
                        found.append(_item(text.split("|"), kind, _ANCESTORS[role]))
                    except ValueError:
                        bad.report(source, f"line {first + offset}", text, f"not an item of {role}")
    bad.good += len(found)
    return pl.DataFrame(found, _SCHEMA, orient="row") if found else None


def _tabs(source: Source) -> int:
    """The number of tabs in the first line that is not a header."""
    for _, _, block in blocks(source, size=1 << 12):
        lines = block.split(b"\n")
        return next((line.count(b"\t") for line in lines if line and b"|" not in line), 0)
    return 0


def _seconds(day: np.ndarray, *time: np.ndarray) -> np.ndarray:
    """Seconds since the day 0 of the data, whose date is not given out."""
    hour, minute, second = (part.astype(np.int64) for part in time)
    return ((day.astype(np.int64) * 24 + hour) * 60 + minute) * 60 + second


def _item(fields: list[str], kind: str, ancestors: tuple[str, ...]) -> tuple[Any, ...]:
    numbers = [None if field == "None" else int(field) for field in fields]
    known = dict(zip(ancestors, numbers[1:], strict=False))
    genres = [genre for genre in numbers[1 + len(ancestors) :] if genre is not None]
    if numbers[0] is None or len(known) < len(ancestors) or (genres and not ancestors):
        raise ValueError
    first_genre = genres[0] if genres else None
    return numbers[0], kind, known.get("album"), known.get("artist"), first_genre, genres
