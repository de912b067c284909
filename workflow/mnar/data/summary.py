"""The numbers of a table of ratings, added up piece by piece while it is written."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl

_BARS = 100


class Counts:
    """Takes pieces that are sorted and share no user."""

    def __init__(self) -> None:
        self.users = 0
        self.ratings = 0
        self._users: list[pl.Series] = []
        self._items: list[pl.DataFrame] = []
        self._values: list[pl.DataFrame] = []
        self._parts: list[pl.DataFrame] = []
        self._times: list[int] = []

    def watching(self, pieces: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """The pieces, unchanged, counted as they pass."""
        for piece in pieces:
            self._users.append(piece["user"].unique(maintain_order=True))
            self.users += len(self._users[-1])
            self.ratings += piece.height
            self._items = _added(self._items, piece, "item")
            self._values = _added(self._values, piece, "rating")
            if "part" in piece.columns:
                self._parts = _added(self._parts, piece, "part")
            times = piece["timestamp"].drop_nulls().to_numpy()
            if len(times):
                self._times += [int(times.min()), int(times.max())]
            yield piece

    @property
    def user_ids(self) -> pl.Series:
        """Who has rated, in order."""
        return pl.concat(self._users) if self._users else pl.Series("user", [])

    @property
    def items(self) -> pl.DataFrame:
        """The rated items and how often each is rated."""
        return self._items[0] if self._items else pl.DataFrame()

    def facts(self) -> dict[str, Any]:
        """For the summary; density is over the items that are rated."""
        rated = self.items.height
        facts: dict[str, Any] = {
            "users": self.users,
            "rated_items": rated,
            "interactions": self.ratings,
            "density": self.ratings / (self.users * rated) if self.ratings else 0.0,
            "mean_rating": self._mean(),
            "rating_histogram": self._histogram(),
            "first_timestamp": min(self._times, default=None),
            "last_timestamp": max(self._times, default=None),
        }
        if self._parts:
            names = ("train", "validation", "test")
            counts = dict(self._parts[0].iter_rows())
            facts["parts"] = {name: counts.get(part, 0) for part, name in enumerate(names)}
        return facts

    def _mean(self) -> float | None:
        if not self.ratings:
            return None
        values = self._values[0]
        return float(np.average(values["rating"].cast(pl.Float64), weights=values["len"]))

    def _histogram(self) -> list[dict[str, float]]:
        """Each rating value and its count; of very many values, equal ranges by their lower end."""
        if not self._values:
            return []
        # The shortest number that is this float32, so that 0.1 is not 0.10000000149.
        values = [float(str(value)) for value in self._values[0]["rating"].to_numpy()]
        counts = self._values[0]["len"].to_numpy()
        if len(values) > 2 * _BARS:
            binned, edges = np.histogram(values, bins=_BARS, weights=counts)
            values, counts = [float(edge) for edge in edges[:-1]], binned
        return [{"rating": v, "count": int(n)} for v, n in zip(values, counts, strict=True)]


def _added(before: list[pl.DataFrame], piece: pl.DataFrame, name: str) -> list[pl.DataFrame]:
    counts = pl.concat([*before, piece.group_by(name).len()])
    return [counts.group_by(name).agg(pl.col("len").sum()).sort(name)]
