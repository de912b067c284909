"""Figures of kddcup2011: the dataset's profile (Figures 1 to 6), and the results of the tracks."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from matplotlib import colormaps
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from mnar import measures
from mnar.core.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from mnar.experiments.kddcup2011 import TRACK2
from mnar.experiments.kddcup2011.factor_sweep import PARAMETER, factor_sweep
from mnar.experiments.kddcup2011.statements import SMALLEST_BIN, VALIDATION_RATINGS, Profile
from mnar.reporting.edges import edge_notes, marked, ring_caption, ring_edges
from mnar.reporting.figure_format import (
    Figure,
    drawn,
    label_ends,
    look_of,
    plain_log_axis,
    subplots,
)
from mnar.reporting.results import Results

# Above this number of rating values a histogram is drawn as lines, and the tens are marked.
FEW_VALUES = 20
PART_COLOURS = {"train": BLUE, "held out": RED}
TYPES = {"track": BLUE, "album": GREEN, "artist": RED, "genre": PURPLE}
TAIL_PARTS = {"head": RED, "middle": ORANGE, "tail": BLUE}


def figure1(results: Results) -> Figure:
    """Number of ratings and mean rating by week."""
    weeks = Profile(results).weeks
    canvas, (top, bottom) = subplots(2, 1, figsize=(7.5, 4.2), sharex=True)
    top.plot(weeks["week"], weeks["ratings"], ".", color=BLUE, ms=3)
    top.set(ylabel="ratings in the week", yscale="log")
    plain_log_axis(top.yaxis)
    bottom.plot(weeks["week"], weeks["mean_rating"], ".", color=RED, ms=3)
    bottom.set(ylabel="mean rating", xlabel="weeks since the first rating")
    caption = f"Ratings and mean rating in each week that has ratings, {results.dataset}."
    return Figure(canvas, _data(results, weeks), caption)


def figure2(results: Results) -> Figure:
    """How often each rating value is given, in training and validation."""
    profile = Profile(results)
    counts = profile.distribution
    canvas, axis = subplots(figsize=(7.5, 3.4))
    values = np.unique(counts["rating"].to_numpy())
    parts = list(dict.fromkeys(counts["part"]))
    named = {"train": "all ratings" if len(parts) == 1 else "train", "held out": "validation"}
    step = np.diff(values).min() if len(values) > 1 else 1.0
    for shift, part in enumerate(parts):
        rows = counts.filter(pl.col("part") == part)
        look: dict[str, Any] = {"color": PART_COLOURS[part], "label": named[part]}
        if len(values) > FEW_VALUES:
            axis.plot(rows["rating"], rows["share"], ".-", ms=3, lw=0.7, **look)
        else:
            width = 0.8 * step / len(parts)
            positions = rows["rating"].to_numpy() + (shift - (len(parts) - 1) / 2) * width
            axis.bar(positions, rows["share"], width, **look)
            axis.set_xticks(values)
    if len(values) > FEW_VALUES:
        axis.set_yscale("log")
        plain_log_axis(axis.yaxis)
    axis.set(xlabel="rating", ylabel="share of ratings")
    if len(parts) > 1:
        axis.legend(loc="upper left", bbox_to_anchor=(1, 1))
    caption = f"Distribution of ratings on {results.dataset}."
    if len(parts) > 1:
        caption += (
            " Validation is the official part where there is one, else the last "
            f"{VALIDATION_RATINGS} ratings of each user, so that all users count alike."
        )
    return Figure(canvas, _data(results, counts), caption)


def figure3(results: Results) -> Figure:
    """Shares of the groups of rating values by week."""
    profile = Profile(results)
    shares = profile.groups_by_week
    groups = [*profile.groups, "other"]
    groups = [group for group in groups if group in set(shares["group"])]
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(groups)))
    canvas, axis = subplots(figsize=(7.5, 3.2))
    for group, colour in zip(groups, colours, strict=True):
        rows = shares.filter(pl.col("group") == group)
        values = ", ".join(f"{value:g}" for value in profile.groups.get(group, ()))
        label = f"{group} ({values})" if values and values != group else group
        axis.plot(rows["week"], rows["share"], ".", ms=3, color=colour, label=label)
    axis.set(xlabel="weeks since the first rating", ylabel="share of ratings", ylim=(0, None))
    axis.legend(title="rating value", loc="upper left", bbox_to_anchor=(1, 1), markerscale=3)
    caption = f"Relative frequency of groups of rating values by week, {results.dataset}."
    return Figure(canvas, _data(results, shares), caption)


def figure4(results: Results) -> Figure:
    """Distributions of the means of users and of items."""
    means = Profile(results).means
    canvas, axis = subplots(figsize=(7.5, 3.2))
    for side, colour in (("user", BLUE), ("item", RED)):
        rows = means.filter(pl.col("side") == side)
        edges = [*rows["from"], rows["to"][-1]]
        label = f"means of {side}s"
        axis.stairs(rows["share"].to_numpy(), edges, color=colour, fill=True, alpha=0.25)
        axis.stairs(rows["share"].to_numpy(), edges, color=colour, label=label, lw=1.2)
    axis.set(xlabel="mean rating", ylabel="share of users or items")
    axis.legend(loc="upper left")
    caption = f"Distributions of the mean ratings of users and of items, {results.dataset}."
    return Figure(canvas, _data(results, means), caption)


def figure5(results: Results) -> Figure:
    """Median and quartiles of the users' means against their number of ratings."""
    bins = Profile(results).by_activity.with_columns(middle=(pl.col("from") + pl.col("to")) / 2)
    canvas, axis = subplots(figsize=(7.5, 3.2))
    # The last bins often hold a user or two: shown, but no part of the line.
    few = bins.filter(pl.col("users") < SMALLEST_BIN)
    axis.plot(few["middle"], few["q50"], "o", mfc="none", color=BLUE)
    full = bins.filter(pl.col("users") >= SMALLEST_BIN)
    errors = [full["q50"] - full["q25"], full["q75"] - full["q50"]]
    axis.errorbar(full["middle"], full["q50"], yerr=errors, fmt="o-", color=BLUE, ecolor=GREY)
    axis.set(xlabel="number of ratings of the user", ylabel="mean rating of the user")
    caption = (
        f"Median of the users' mean ratings against the number of their ratings on "
        f"{results.dataset}, in equal bins; bars are the quartiles. Open circles: bins of fewer "
        f"than {SMALLEST_BIN} users."
    )
    return Figure(canvas, _data(results, bins.drop("middle")), caption)


def figure6(results: Results) -> Figure:
    """Which types of items users rate, against their number of ratings."""
    shares = Profile(results).types_by_activity
    canvas, axis = subplots(figsize=(7.5, 3.2))
    for kind in [*TYPES, *sorted(set(shares["type"]) - set(TYPES))]:
        rows = shares.filter(pl.col("type") == kind)
        middle = np.sqrt(rows["from"].to_numpy() * rows["to"].to_numpy())
        colour = TYPES.get(kind, GREY)
        axis.plot(middle, rows["share"], "o-", ms=3, color=colour, label=drawn(kind))
    axis.set(xscale="log", xlabel="number of ratings of the user", ylabel="share of ratings")
    plain_log_axis(axis.xaxis)
    axis.legend(loc="upper left", bbox_to_anchor=(1, 1))
    caption = f"Types of the rated items against the activity of users, {results.dataset}."
    return Figure(canvas, _data(results, shares), caption)


def long_tail(results: Results) -> Figure:
    """Popularity by rank, and how much of all ratings the most rated items take."""
    profile = Profile(results)
    tail = profile.tail
    total = int(tail["ratings"].sum())
    canvas, (left, right) = subplots(1, 2, figsize=(9, 3.4))
    for part, colour in TAIL_PARTS.items():
        rows = tail.filter(pl.col("part") == part)
        label = f"{part}: {100 * int(rows['ratings'].sum()) / total:.1f} % of ratings"
        # Of many items with equally many ratings the first and the last are enough.
        count = pl.col("ratings")
        ends = rows.filter(((count != count.shift(1)) | (count != count.shift(-1))).fill_null(True))
        left.plot(ends["position"], ends["ratings"], ".-", ms=4, lw=2, color=colour, label=label)
        right.plot(100 * rows["catalogue_share"], 100 * rows["rating_share"], color=colour, lw=2.5)
    left.set(xscale="log", yscale="log", xlabel="item, by popularity", ylabel="ratings of the item")
    for axis in (left.xaxis, left.yaxis):
        plain_log_axis(axis)
    left.legend(loc="lower left", markerscale=2.5)
    right.set(xlabel="most rated items, % of the catalogue", ylabel="% of ratings")
    right.set(xlim=(0, 100), ylim=(0, 102))
    caption = (
        f"Long tail of {results.dataset}: ratings of each item by rank, and the share of all ratings "
        "that the most rated items take. Head: 4.7 % of the catalogue, tail: 75.3 %."
    )
    return Figure(canvas, _data(results, tail), caption)


def track2_plot(results: Results) -> Figure:
    """Track 2 errors with standard errors over folds."""
    tidy = results.table("kddcup2011", "track2")
    tidy = tidy[tidy["measure"] == "track2_error"].sort_values("mean", ascending=False)
    canvas, axis = subplots(figsize=(7.5, 0.9 + 0.27 * len(tidy)))
    for position, row in enumerate(tidy.itertuples()):
        colour, marker = look_of(row.method, results.config["methods"])
        axis.errorbar(row.mean, position, xerr=row.sem, fmt=marker, color=colour, ms=6)
        axis.plot(row.published, position, "d", mfc="none", mec="black", ms=7)
    axis.axvline(0.5, color="black", lw=0.8, ls=":")
    axis.set_yticks(range(len(tidy)), [marked(results, TRACK2, m) for m in tidy["method"]])
    axis.set_xlabel("Track 2 error (mean over folds ± standard error; chance is 0.5)")
    caption = f"Track 2 error of every method on {results.dataset}."
    if tidy["published"].notna().any():
        caption += " Open diamonds: published."
    caption = " ".join([caption, *edge_notes(results, TRACK2)])
    return Figure(canvas, tidy, caption)


def factors(results: Results) -> Figure:
    """RMSE of Track 1 and error of Track 2 against the number of factors."""
    data = factor_sweep(results)
    canvas, axes = subplots(1, 3, figsize=(13.5, 3.3), sharex=True)
    panels = {"rmse": axes[0], "track2_error": axes[1]}
    for (measure, method), rows in data.groupby(["measure", "method"], sort=False):
        rows = rows.sort_values(PARAMETER)
        colour, marker = look_of(method, results.config["methods"])
        look: dict[str, Any] = {"color": colour, "marker": marker, "ms": 4}
        panels[measure].errorbar(rows[PARAMETER], rows["mean"], yerr=rows["sem"], **look)
        axes[2].plot(rows[PARAMETER], rows["relative"], **look)
        ring_edges(panels[measure], rows, PARAMETER)
    for measure, axis in panels.items():
        axis.set(ylabel=f"{measures.label(measure)} on test")
        _name_lines(axis, data[data["measure"] == measure], "mean", results)
    _name_lines(axes[2], data, "relative", results)
    axes[2].axhline(0, color="black", lw=0.8)
    fewest = data.loc[data["relative"] == 0, PARAMETER].iloc[0]
    axes[2].set(ylabel=f"change since {fewest:g} factors, %")
    for axis in axes:
        axis.set(xscale="log", xlabel="factors")
        axis.xaxis.set_major_locator(FixedLocator(_ticks(sorted(set(data[PARAMETER])))))
        axis.xaxis.set_minor_locator(NullLocator())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    caption = (
        f"RMSE (Track 1) and error (Track 2) against the number of factors on {results.dataset}, "
        "other settings tuned on validation; bars are standard errors over folds. Right: both, "
        f"relative to the fewest factors that all methods have.{ring_caption(data)}"
    )
    return Figure(canvas, data, caption)


def _name_lines(axis: Any, data: pd.DataFrame, value: str, results: Results) -> None:
    """Each method at the end of its line: two of them may share a colour."""
    last = data.sort_values(PARAMETER).groupby("method", sort=False).tail(1).set_index("method")
    colours = {method: look_of(method, results.config["methods"])[0] for method in last.index}
    label_ends(axis, last[PARAMETER].to_dict(), last[value].to_dict(), colours)


def _ticks(values: list[float]) -> list[float]:
    """The values, without those whose labels would run into the one before."""
    kept = values[:1]
    for value in values[1:]:
        if value >= 1.6 * kept[-1]:
            kept.append(value)
    return kept


def _data(results: Results, frame: pl.DataFrame) -> pd.DataFrame:
    """The table behind a figure, with the dataset in front."""
    return frame.select(pl.lit(results.dataset).alias("dataset"), pl.all()).to_pandas()
