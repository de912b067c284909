"""The dataset in numbers: the statements of section 2.2 on Yahoo! Music, for any dataset.

Read from the prepared dataset, not from a view: nothing is left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar.data import profile
from mnar.data.parts import OFFICIAL_VALIDATION
from mnar.reporting.results import Results
from mnar.statistics.correlation import correlation_p_value, spearman

# As many ratings of each user are validation in Track 1.
VALIDATION_RATINGS = 4
# Bins of users with fewer members say little.
SMALLEST_BIN = 10


@dataclass(frozen=True)
class Quantity:
    """One number of the profile; `group` names its part of the data."""

    group: str
    name: str
    value: float
    # Half the width of its 95 % interval, where it has one.
    margin: float = float("nan")


class Profile:
    """The tables behind the figures, each made when it is asked for."""

    def __init__(self, results: Results):
        folder = ("data", results.dataset)
        self.ratings = pl.scan_parquet(results.file(*folder, "interactions.parquet"))
        self.items = pl.scan_parquet(results.file(*folder, "items.parquet"))

    @cached_property
    def catalogue(self) -> int:
        return self.items.select(pl.len()).collect().item()

    @cached_property
    def has_times(self) -> bool:
        return profile.has_times(self.ratings)

    @cached_property
    def has_types(self) -> bool:
        return "type" in self.items.collect_schema()

    @cached_property
    def with_validation(self) -> pl.LazyFrame | None:
        """Ratings with `held_out`: the official validation part, else each user's last ratings."""
        if "part" in self.ratings.collect_schema():
            return self.ratings.with_columns(
                (pl.col("part") == OFFICIAL_VALIDATION).alias("held_out")
            )
        if self.has_times:
            return profile.last_of_each_user(self.ratings, VALIDATION_RATINGS)
        return None

    @cached_property
    def distribution(self) -> pl.DataFrame:
        if self.with_validation is None:
            return profile.distribution(self.ratings)
        return profile.distribution(self.with_validation, pl.col("held_out"))

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest rating given."""
        values = self.distribution["rating"].to_numpy()
        return float(values.min()), float(values.max())

    @cached_property
    def users(self) -> pl.DataFrame:
        return profile.means(self.ratings, "user")

    @cached_property
    def rated_items(self) -> pl.DataFrame:
        return profile.means(self.ratings, "item")

    @cached_property
    def means(self) -> pl.DataFrame:
        return profile.distribution_of_means(self.users, self.rated_items, self.scale)

    @cached_property
    def by_activity(self) -> pl.DataFrame:
        return profile.means_by_activity(self.users)

    @cached_property
    def groups(self) -> dict[str, tuple[float, ...]]:
        return profile.groups_of_values(self.distribution)

    @cached_property
    def weeks(self) -> pl.DataFrame:
        return profile.by_week(self.ratings)

    @cached_property
    def groups_by_week(self) -> pl.DataFrame:
        return profile.groups_by_week(self.ratings, self.groups)

    @cached_property
    def types_by_activity(self) -> pl.DataFrame:
        return profile.types_by_activity(self.ratings, self.items, self.users)

    @cached_property
    def tail(self) -> pl.DataFrame:
        return profile.long_tail(self.rated_items, self.catalogue)

    def quantities(self) -> Iterator[Quantity]:
        sides = (self.users, self.rated_items, self.distribution, self.means, self.catalogue)
        for name, value in profile.table(*sides).iter_rows():
            yield Quantity("all", name, value)
        yield from self._peaks()
        yield from self._activity()
        for part in profile.tail_shares(self.tail, self.catalogue).iter_rows(named=True):
            yield Quantity(part["part"], "share of items", part["item_share"])
            yield Quantity(part["part"], "share of ratings", part["rating_share"])
        if self.with_validation is not None:
            yield from self._low_ratings(self.with_validation)
        if self.has_types:
            yield from self._types()
        if self.has_times:
            yield from self._change_points()

    def _peaks(self) -> Iterator[Quantity]:
        """Rating values given more often than their neighbours; of very many, the tens alone."""
        counts = self.distribution.group_by("rating").agg(pl.col("ratings").sum()).sort("rating")
        if counts.height > 20:
            counts = counts.filter(pl.col("rating") % 10 == 0)
        for value in local_maxima(counts["rating"].to_numpy(), counts["ratings"].to_numpy()):
            yield Quantity("all", f"peak at {value:g}", value)

    def _activity(self) -> Iterator[Quantity]:
        """Figure 5 in numbers: do users who rate more give lower ratings?"""
        number, mean = self.users["ratings"].to_numpy(), self.users["mean_rating"].to_numpy()
        varies = np.ptp(number) > 0 and np.ptp(mean) > 0
        both = self.users.select(pl.corr("ratings", "mean_rating", method="spearman"))
        p_value = correlation_p_value(both.item(), len(number)) if varies else 1.0
        yield Quantity("all", "correlation of activity and mean rating, p", p_value)
        full = self.by_activity.filter(pl.col("users") >= SMALLEST_BIN)
        yield Quantity("all", "bins of activity", full.height)
        if full.height > 1:
            fall = _trend(full["q50"].to_numpy())
            yield Quantity("all", "correlation of bin and median of its means", fall)
        few, many = np.quantile(number, [0.1, 0.9])
        for group, who in (("lightest tenth", number <= few), ("heaviest tenth", number >= many)):
            yield Quantity(group, "median of user means", float(np.median(mean[who])))

    def _low_ratings(self, ratings: pl.LazyFrame) -> Iterator[Quantity]:
        """Are low ratings rarer in validation, where all users count alike? Interval over users."""
        middle = sum(self.scale) / 2
        low, held = pl.col("rating") < middle, pl.col("held_out")
        sums = ratings.group_by("user").agg(
            (low & held).sum().alias("low_held"),
            held.sum().alias("held"),
            (low & ~held).sum().alias("low_train"),
            (~held).sum().alias("train"),
        )
        counts = sums.sort("user").collect(engine="streaming")
        columns = [counts[name].to_numpy().astype(float) for name in counts.columns[1:]]
        validation, train, margin = difference_of_shares(*columns)
        yield Quantity("validation", "share of ratings below the middle", validation)
        yield Quantity("train", "share of ratings below the middle", train)
        yield Quantity(
            "validation − train", "share of ratings below the middle", validation - train, margin
        )

    def _types(self) -> Iterator[Quantity]:
        for row in profile.types(self.ratings, self.items).iter_rows(named=True):
            yield Quantity(row["type"], "share of items", row["item_share"])
            yield Quantity(row["type"], "share of ratings", row["rating_share"])
        shares = self.types_by_activity
        for kind in sorted(set(shares["type"])):
            trend = _trend(shares.filter(pl.col("type") == kind).sort("from")["share"].to_numpy())
            yield Quantity(kind, "correlation of activity and share of ratings", trend)
        if self.with_validation is not None:
            held = self.with_validation.filter(pl.col("held_out"))
            for row in profile.types(held, self.items).iter_rows(named=True):
                yield Quantity(row["type"], "share of validation ratings", row["rating_share"])

    def _change_points(self) -> Iterator[Quantity]:
        """Weeks in which the mean rating and the largest group of values change most abruptly.

        Weeks with hardly any ratings are left out: their means jump by chance.
        """
        shares = self.groups_by_week.group_by("group").agg(pl.col("ratings").sum())
        largest = shares.sort("ratings", "group", descending=[True, False])["group"][0]
        busy = self.weeks.filter(pl.col("ratings") >= pl.col("ratings").median() / 10)
        group = self.groups_by_week.filter(pl.col("group") == largest)
        group = group.join(busy.select("week"), on="week", how="semi", maintain_order="left")
        series = {
            "mean rating": (busy["week"], busy["mean_rating"]),
            f"share of values {largest}": (group["week"], group["share"]),
        }
        for name, (weeks, values) in series.items():
            for order, position in enumerate(change_points(values.to_numpy(), 2), start=1):
                yield Quantity(name, f"week of change {order}", int(weeks[position]))


def _trend(values: NDArray[np.floating]) -> float:
    """Rank correlation with the order given; 0 where nothing varies."""
    if len(values) < 2 or np.ptp(values) == 0:
        return 0.0
    return spearman(np.arange(len(values), dtype=np.float64), values)


def local_maxima(values: NDArray[np.floating], counts: NDArray[np.integer]) -> NDArray[np.floating]:
    """The values whose count is above that of their neighbours."""
    around = np.concatenate([[-1], counts, [-1]])
    return values[(counts > around[:-2]) & (counts > around[2:])]


def difference_of_shares(
    low_first: NDArray, first: NDArray, low_second: NDArray, second: NDArray
) -> tuple[float, float, float]:
    """Two pooled shares, and half the width of the 95 % interval of their difference.

    By linearisation over users, who may be in both: what each adds to the difference of the ratios.
    """
    shares = [low_first.sum() / first.sum(), low_second.sum() / second.sum()]
    added = (low_first - shares[0] * first) / first.sum()
    added -= (low_second - shares[1] * second) / second.sum()
    return float(shares[0]), float(shares[1]), float(1.96 * np.sqrt(np.sum(added**2)))


def change_points(series: NDArray[np.floating], number: int) -> list[int]:
    """Where a series is best cut so that pieces are constant (least squares), largest jump first.

    Exact, by dynamic programming over the ends of the pieces.
    """
    length = len(series)
    if length <= number:
        return []
    sums = np.concatenate([[0], np.cumsum(series)])
    squares = np.concatenate([[0], np.cumsum(series**2)])
    start, end = np.arange(length)[:, None], np.arange(1, length + 1)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = squares[end] - squares[start] - (sums[end] - sums[start]) ** 2 / (end - start)
    cost[end <= start] = np.inf
    best = cost[0]
    cuts = []
    for _ in range(number):
        # total[s - 1, e]: the last piece begins at s, the others end there.
        total = best[:-1, None] + cost[1:]
        cuts.append(np.argmin(total, axis=0))
        best = np.min(total, axis=0)
    positions, last = [], length - 1
    for cut in reversed(cuts):
        last = int(cut[last])
        positions.append(last + 1)
    positions = sorted(positions)
    ends = [0, *positions, length]
    means = [series[a:b].mean() for a, b in pairwise(ends)]
    jumps = np.abs(np.diff(means))
    return [positions[position] for position in np.argsort(-jumps, kind="stable")]
