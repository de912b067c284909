"""The numbers behind the figures of kddcup2011, for any dataset that has the columns they need.

`ratings` is the table of interactions, opened with polars.scan_parquet: hundreds of millions of rows
pass through without being held. Means are rounded in the ninth digit, which is where the order of
summation, and with it the number of threads, could show.
"""

import numpy as np
import polars as pl

WEEK = 7 * 24 * 3600
# Shares of the catalogue, most rated items first, as pradel2012 (Figure 1) cuts it.
HEAD, TAIL = 0.047, 0.753
_BINS = 100
# Where a catalogue says no type of an item.
UNTYPED = "without a type"
_ACTIVITY_BINS = 25
# Yahoo! Music: the values of its five stars, then those of other widgets; the rest is free.
_YAHOO_GROUPS = {"stars": (0, 30, 50, 70, 90), "tens": (10, 20, 40, 60, 80, 100)}
_MEAN = pl.col("rating").cast(pl.Float64).mean().round(9)


def has_times(ratings: pl.LazyFrame) -> bool:
    """Whether the figures over time can be had."""
    return _collected(ratings.select(pl.col("timestamp").count())).item() > 0


def by_week(ratings: pl.LazyFrame) -> pl.DataFrame:
    """Number of ratings and mean rating in each week since the first (Figure 1)."""
    weeks = ratings.drop_nulls("timestamp").with_columns(_week(ratings))
    grouped = weeks.group_by("week").agg(pl.len().alias("ratings"), _MEAN.alias("mean_rating"))
    return _collected(grouped.sort("week"))


def distribution(ratings: pl.LazyFrame, held_out: pl.Expr | None = None) -> pl.DataFrame:
    """How often each rating is given (Figure 2); apart for held-out ratings, where they are marked."""
    held = pl.lit(False) if held_out is None else held_out
    part = pl.when(held).then(pl.lit("held out")).otherwise(pl.lit("train"))
    grouped = ratings.group_by(part.alias("part"), "rating").agg(pl.len().alias("ratings"))
    counts = _collected(grouped.sort("part", "rating", descending=[True, False]))
    return counts.with_columns(
        (pl.col("ratings") / pl.col("ratings").sum().over("part")).alias("share")
    )


def last_of_each_user(ratings: pl.LazyFrame, number: int) -> pl.LazyFrame:
    """The ratings with a column `held_out`: the user's last ones by time, then by item."""
    order = pl.struct("timestamp", "item").rank("ordinal", descending=True).over("user")
    return ratings.with_columns((order <= number).alias("held_out"))


def groups_of_values(counts: pl.DataFrame) -> dict[str, tuple[float, ...]]:
    """Rating values that belong together, from a `distribution`; values in no group are "other".

    Yahoo! Music as in the paper; half stars apart from whole ones; else each value by itself.
    """
    values = sorted(set(counts["rating"]))
    if len(values) > 20 and values[0] >= 0 and 10 < values[-1] <= 100:
        return dict(_YAHOO_GROUPS)
    whole = tuple(value for value in values if value == round(value))
    if len(whole) < len(values):
        return {"whole": whole}
    return {f"{value:g}": (value,) for value in values[:20]}


def groups_by_week(ratings: pl.LazyFrame, groups: dict[str, tuple[float, ...]]) -> pl.DataFrame:
    """The share of each group of rating values in each week (Figure 3)."""
    weeks = ratings.drop_nulls("timestamp").with_columns(_week(ratings))
    values = _collected(weeks.group_by("week", "rating").agg(pl.len().alias("ratings")))
    of_value = {value: name for name, members in groups.items() for value in members}
    group = pl.col("rating").cast(pl.Float64).replace_strict(of_value, default="other")
    counts = values.group_by("week", group.alias("group")).agg(pl.col("ratings").sum())
    return counts.sort("week", "group").with_columns(
        (pl.col("ratings") / pl.col("ratings").sum().over("week")).alias("share")
    )


def means(ratings: pl.LazyFrame, side: str) -> pl.DataFrame:
    """Number of ratings and mean rating of each user or item; `side` is "user" or "item"."""
    grouped = ratings.group_by(side).agg(pl.len().alias("ratings"), _MEAN.alias("mean_rating"))
    return _collected(grouped.sort(side))


def distribution_of_means(
    user_means: pl.DataFrame, item_means: pl.DataFrame, scale: tuple[float, float]
) -> pl.DataFrame:
    """Shares of users and of items by their mean rating, in a hundred equal steps (Figure 4)."""
    edges = np.linspace(scale[0], scale[1], _BINS + 1)
    pieces = []
    for side, table in (("user", user_means), ("item", item_means)):
        counts, _ = np.histogram(table["mean_rating"].to_numpy(), edges)
        columns = {"from": edges[:-1], "to": edges[1:], "share": counts / max(table.height, 1)}
        pieces.append(pl.DataFrame(columns).select(pl.lit(side).alias("side"), pl.all()))
    return pl.concat(pieces)


def means_by_activity(user_means: pl.DataFrame, bins: int = _ACTIVITY_BINS) -> pl.DataFrame:
    """Median and quartiles of the users' mean ratings against their number (Figure 5).

    Users are binned by their number of ratings on a linear scale, as in the paper.
    """
    number = user_means["ratings"].to_numpy().astype(np.float64)
    edges = np.linspace(number.min(), number.max() + 1, bins + 1)
    rating = pl.col("mean_rating")
    return _binned(user_means, edges).agg(
        pl.len().alias("users"),
        *(rating.quantile(q, "linear").alias(f"q{q * 100:g}") for q in (0.25, 0.5, 0.75)),
    )


def types_by_activity(
    ratings: pl.LazyFrame,
    items: pl.LazyFrame,
    user_means: pl.DataFrame,
    bins: int = _ACTIVITY_BINS,
) -> pl.DataFrame:
    """Which types of items users rate, by their number of ratings, on a log scale (Figure 6)."""
    number = user_means["ratings"].to_numpy().astype(np.float64)
    edges = np.geomspace(number.min(), number.max() + 1, bins + 1)
    users = _with_bins(user_means, edges).select("user", "from", "to")
    typed = ratings.join(users.lazy(), on="user").join(_types(items), on="item")
    counts = _collected(typed.group_by("from", "to", "type").agg(pl.len().alias("ratings")))
    return counts.sort("from", "type").with_columns(
        (pl.col("ratings") / pl.col("ratings").sum().over("from")).alias("share")
    )


def _types(items: pl.LazyFrame) -> pl.LazyFrame:
    """The type of each item as text, also where a catalogue has numbers for it, or nothing."""
    return items.select("item", pl.col("type").cast(pl.String).fill_null(UNTYPED))


def types(ratings: pl.LazyFrame, items: pl.LazyFrame) -> pl.DataFrame:
    """The shares of the types among the items and among the ratings (section 2.2)."""
    rated = ratings.group_by("item").agg(pl.len().alias("ratings"))
    joined = _types(items).join(rated, on="item", how="left")
    grouped = joined.group_by("type").agg(pl.len().alias("items"), pl.col("ratings").sum())
    return _collected(grouped.sort("type")).with_columns(
        (pl.col("items") / pl.col("items").sum()).alias("item_share"),
        (pl.col("ratings") / pl.col("ratings").sum()).alias("rating_share"),
    )


def long_tail(item_means: pl.DataFrame, catalogue: int) -> pl.DataFrame:
    """Items by falling number of ratings: share of the catalogue, share of all ratings, and part.

    Items of the catalogue that nobody rated are the end of the tail and are not listed.
    """
    head = round(HEAD * catalogue)
    middle = catalogue - round(TAIL * catalogue)
    position = pl.int_range(1, pl.len() + 1)
    part = pl.when(position <= head).then(pl.lit("head")).when(position <= middle)
    part_name = part.then(pl.lit("middle")).otherwise(pl.lit("tail"))
    ranked = item_means.sort("ratings", "item", descending=[True, False])
    return ranked.select(
        position.alias("position"),
        "item",
        "ratings",
        (position / catalogue).alias("catalogue_share"),
        (pl.col("ratings").cum_sum() / pl.col("ratings").sum()).alias("rating_share"),
        part_name.alias("part"),
    )


def tail_shares(tail: pl.DataFrame, catalogue: int) -> pl.DataFrame:
    """Head, middle and tail of a `long_tail`: their shares of the catalogue and of the ratings."""
    found = tail.group_by("part").agg(pl.len().alias("items"), pl.col("ratings").sum())
    every = pl.DataFrame({"part": ["head", "middle", "tail"]})
    shares = every.join(found, on="part", how="left", maintain_order="left").fill_null(0)
    unrated = catalogue - tail.height
    items = pl.col("items") + pl.when(pl.col("part") == "tail").then(unrated).otherwise(0)
    return shares.with_columns(items).with_columns(
        (pl.col("items") / catalogue).alias("item_share"),
        (pl.col("ratings") / pl.col("ratings").sum()).alias("rating_share"),
    )


def table(
    user_means: pl.DataFrame,
    item_means: pl.DataFrame,
    counts: pl.DataFrame,
    means_distribution: pl.DataFrame,
    catalogue: int,
) -> pl.DataFrame:
    """The dataset in numbers: one row for each quantity."""
    values = counts.group_by("rating").agg(pl.col("ratings").sum()).sort("rating")
    rating, times = values["rating"].cast(pl.Float64).to_numpy(), values["ratings"].to_numpy()
    total = int(times.sum())
    mean = float(np.average(rating, weights=times))
    rows: dict[str, float] = {
        "users": user_means.height,
        "items": catalogue,
        "rated items": item_means.height,
        "interactions": total,
        "density": total / (user_means.height * item_means.height),
        "mean rating": mean,
        "standard deviation": float(np.sqrt(np.average((rating - mean) ** 2, weights=times))),
        "share of multiples of ten": float(times[rating % 10 == 0].sum() / total),
        "correlation of activity and mean rating": _rank_correlation(user_means),
    }
    for side, means_of in (("user", user_means), ("item", item_means)):
        number = means_of["ratings"].cast(pl.Float64).to_numpy()
        rows[f"ratings per {side}, median"] = float(np.median(number))
        rows[f"ratings per {side}, mean"] = float(number.mean())
        rows[f"ratings per {side}, largest"] = float(number.max())
        rows[f"{side} means, skewness"] = _skewness(means_of["mean_rating"].to_numpy())
        highest = means_distribution.filter(pl.col("side") == side).sort("share", "from")[-1]
        rows[f"{side} means, mode"] = (highest["from"][0] + highest["to"][0]) / 2
    return pl.DataFrame({"quantity": list(rows), "value": [float(v) for v in rows.values()]})


def _collected(frame: pl.LazyFrame) -> pl.DataFrame:
    return frame.collect(engine="streaming")


def _week(ratings: pl.LazyFrame) -> pl.Expr:
    # Looked up beforehand: inside the query it would hold back every row until all are seen.
    first = _collected(ratings.select(pl.col("timestamp").min())).item()
    return ((pl.col("timestamp") - first) // WEEK).alias("week")


def _with_bins(user_means: pl.DataFrame, edges: np.ndarray) -> pl.DataFrame:
    """The users with the ends of their bin; the last bin includes its upper end."""
    index = np.searchsorted(edges, user_means["ratings"].to_numpy(), side="right") - 1
    index = np.clip(index, 0, len(edges) - 2)
    return user_means.with_columns(
        pl.Series("from", edges[index]), pl.Series("to", edges[index + 1])
    )


def _binned(user_means: pl.DataFrame, edges: np.ndarray):
    return (
        _with_bins(user_means, edges)
        .sort("from", "user")
        .group_by("from", "to", maintain_order=True)
    )


def _skewness(values: np.ndarray) -> float:
    centred = values - values.mean()
    spread = float(np.mean(centred**2))
    return float(np.mean(centred**3)) / spread**1.5 if spread > 0 else 0.0


def _rank_correlation(user_means: pl.DataFrame) -> float:
    """Spearman's, between number of ratings and mean rating; 0 where either does not vary."""
    ranks = user_means.select(pl.col("ratings", "mean_rating").rank())
    both = ranks.to_numpy()
    if (both.std(axis=0) == 0).any():
        return 0.0
    return float(np.corrcoef(both.T)[0, 1])
