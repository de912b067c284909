"""Files of the size and format of Yahoo! Music Track 1, which nobody may pass on.

python benchmarks/made_up_yahoo_music.py data/yahoo-music 20_000_000
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

ROWS, USERS, ITEMS = 262_810_175, 1_000_990, 624_961
# The last ratings of each user are in files of their own; those of the test file are left out.
VALIDATION, TEST = 4, 6
PARTS = ("trainIdx1.txt", "validationIdx1.txt", "testIdx1.txt")
# Where each kind of item ends, by the paper's shares: tracks, albums, artists, genres.
ENDS = np.round(ITEMS * np.cumsum([0.8115, 0.1423, 0.0446, 0.0016])).astype(int)
DAYS = 6_649
TASTES = 4
USERS_AT_A_TIME = 8_000


def write_track1(folder: Path, rows: int = ROWS) -> None:
    """As many rows as asked for, of users in proportion.

    A header `user|n`, then `item, rating, day, time` by tabs. Ratings are whole tens that follow
    a product of tastes, biases and noise; a few items have a large part of the ratings.
    """
    users = max(1, round(USERS * rows / ROWS))
    random = np.random.default_rng(0)
    item_sides = _sides(random, ITEMS)
    counts = np.full(users, rows // users)
    counts[: rows % users] += 1
    streams = [(folder / name).open("wb") for name in PARTS]
    try:
        for first in range(0, users, USERS_AT_A_TIME):
            some = counts[first : first + USERS_AT_A_TIME]
            for stream, lines in zip(streams, _lines(random, first, some, item_sides), strict=True):
                lines.write_csv(stream, include_header=False, quote_style="never")
    finally:
        for stream in streams:
            stream.close()
    _write_taxonomy(folder, random)


def _write_taxonomy(folder: Path, random: np.random.Generator) -> None:
    """Every track has an album, every album an artist, and both have a genre."""
    # The kinds are mixed: items of all of them are popular.
    tracks, albums, artists, genres = np.split(random.permutation(ITEMS), ENDS[:-1])
    genre = np.zeros(ITEMS, np.int64)
    genre[tracks], genre[albums] = (random.choice(genres, len(kind)) for kind in (tracks, albums))
    artist = np.zeros(ITEMS, np.int64)
    artist[albums] = random.choice(artists, len(albums))
    album = random.choice(albums, len(tracks))
    for name, columns in {
        "trackData1.txt": (tracks, album, artist[album], genre[tracks]),
        "albumData1.txt": (albums, artist[albums], genre[albums]),
        "artistData1.txt": (artists,),
        "genreData1.txt": (genres,),
    }.items():
        pl.DataFrame(columns).write_csv(folder / name, include_header=False, separator="|")


def _sides(random: np.random.Generator, number: int) -> NDArray[np.float32]:
    """A bias and tastes for each user or item."""
    return random.standard_normal((number, 1 + TASTES), np.float32)


def _lines(
    random: np.random.Generator, first: int, counts: NDArray, item_sides: NDArray[np.float32]
) -> Iterator[pl.DataFrame]:
    """The lines of some users, for each of the files."""
    user = np.repeat(np.arange(len(counts)), counts)
    # Items in proportion to 1/√place: the first has one rating in a thousand.
    item = (len(item_sides) * random.random(len(user)) ** 2).astype(np.int64)
    users, items = _sides(random, len(counts))[user], item_sides[item]
    noise = random.standard_normal(len(user), np.float32)
    liking = users[:, 0] + items[:, 0] + np.einsum("nt,nt->n", users[:, 1:], items[:, 1:]) + noise
    left = np.repeat(np.cumsum(counts), counts) - np.arange(len(user))
    frame = pl.DataFrame(
        {
            "user": first + user,
            "item": item,
            "rating": np.clip(np.round(5 + 1.5 * liking), 0, 10).astype(np.int64) * 10,
            "day": random.integers(0, DAYS, len(user)),
            "minute": random.integers(0, 1440, len(user)),
            "left": left,
        }
    )
    hour, minute = pl.col("minute") // 60, pl.col("minute") % 60
    clock = pl.format("{}:{}:00", *(n.cast(pl.String).str.zfill(2) for n in (hour, minute)))
    numbers = {"trainIdx1.txt": ["item", "rating", "day"], "testIdx1.txt": ["item", "day"]}
    bounds = (np.inf, VALIDATION + TEST, TEST, 0)
    for name, most, least in zip(PARTS, bounds, bounds[1:], strict=False):
        part = frame.filter((pl.col("left") <= most) & (pl.col("left") > least))
        columns = numbers.get(name, numbers[PARTS[0]])
        line = pl.concat_str(*columns, clock, separator="\t")
        header = pl.format("{}|{}\n", "user", pl.len().over("user"))
        is_first = pl.col("user") != pl.col("user").shift(1).fill_null(-1)
        yield part.select(pl.when(is_first).then(header + line).otherwise(line).alias("line"))


if __name__ == "__main__":
    write_track1(Path(sys.argv[1]), int(sys.argv[2]))
