"""The Netflix Prize: `movie:` above lines of `user,rating,date`; probe.txt lists held-out pairs."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from mnar.data.bad_lines import BadLines
from mnar.data.headed_lines import ANY, Form, read
from mnar.data.parts import OFFICIAL_TEST
from mnar.data.sources import Source

ROLES = {"ratings": True, "probe": False}
SETTINGS = ()

_PROBE = Form(":", counted=False, separators="", limits=[ANY])
_SECONDS_OF_DAY = 86400


def has(files: set[str], *_: Any) -> set[str]:
    """What these files hold besides ratings."""
    return {"timestamps"} | ({"probe"} if "probe" in files else set())


def rows(
    files: Mapping[str, list[Source]], settings: Mapping[str, Any], bad: BadLines
) -> Iterator[tuple[str, pl.DataFrame]]:
    scale = settings.get("scale") or (1, 5)
    limits = [ANY, (scale[0], scale[1]), (1900, 2200), (1, 12), (1, 31)]
    form = Form(":", counted=False, separators=",,--", limits=limits)
    for source in files["ratings"]:
        for movies, (users, ratings, *date) in read(source, form, bad):
            yield (
                "interactions",
                pl.DataFrame(
                    {
                        "user": users,
                        "item": movies,
                        "rating": ratings.astype(np.float32),
                        "timestamp": _seconds(*date),
                    }
                ),
            )


def parts(files: Mapping[str, list[Source]], bad: BadLines) -> pl.DataFrame | None:
    """The pairs of the probe set."""
    pieces = [
        pl.DataFrame({"user": users, "item": movies})
        for source in files.get("probe", [])
        for movies, (users,) in read(source, _PROBE, bad)
    ]
    if not pieces:
        return None
    pairs = pl.concat(pieces).unique(maintain_order=True)
    return pairs.with_columns(pl.lit(OFFICIAL_TEST, pl.UInt8).alias("part"))


def _seconds(year: np.ndarray, month: np.ndarray, day: np.ndarray) -> np.ndarray:
    """Midnight of a date, in seconds since 1970."""
    months = (year.astype(np.int64) - 1970) * 12 + month - 1
    days = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + day - 1
    return days * _SECONDS_OF_DAY
