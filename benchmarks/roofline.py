"""How near each kernel comes to what the machine can do, and what keeps it from more."""

from typing import Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from mnar.core.palette import BLUE, GREY, ORANGE
from mnar.reporting.figure_format import Figure, moved_apart, plain_log_axis, subplots

PEAK = "multiply-add, float32"
# A kernel that reaches less than this share of both limits waits for something else.
LEAST = 0.4


def shares(kernels: pd.DataFrame, machine: pd.DataFrame) -> pd.DataFrame:
    """Each kernel with its share of the peak and of the bandwidth, and which of them binds."""
    peaks = machine[machine["what"] == PEAK].set_index("threads")["value"]
    reads = machine[machine["what"] == "read"].set_index(["level", "threads"])["value"]
    found = kernels.copy()
    found["peak"] = [peaks[threads] for threads in found["threads"]]
    found["bandwidth"] = [
        reads[level, threads]
        for level, threads in zip(found["level"], found["threads"], strict=True)
    ]
    found["giga_operations"] = found["operations"] / found["seconds"] / 1e9
    found["gigabytes"] = found["bytes"] / found["seconds"] / 1e9
    found["share_of_peak"] = found["giga_operations"] / found["peak"]
    found["share_of_bandwidth"] = found["gigabytes"] / found["bandwidth"]
    found["binds"] = [
        binding(*pair, level)
        for *pair, level in zip(
            found["share_of_peak"], found["share_of_bandwidth"], found["level"], strict=True
        )
    ]
    return found


def binding(of_peak: float, of_bandwidth: float, level: str) -> str:
    if max(of_peak, of_bandwidth) < LEAST:
        return "neither"
    return "multiply-adds" if of_peak >= of_bandwidth else f"reading from {level}"


def roofline_figure(found: pd.DataFrame, machine: pd.DataFrame) -> Figure:
    """One panel for each number of threads; kernels without arithmetic are in the table alone."""
    drawn = found[found["operations"] > 0].assign(
        intensity=lambda rows: rows["operations"] / rows["bytes"]
    )
    counts = sorted(drawn["threads"].unique())
    canvas, panels = subplots(len(counts), 1, figsize=(7.2, 3.6 * len(counts)), squeeze=False)
    left, right = drawn["intensity"].min() / 10, drawn["intensity"].max() * 1.5
    bottom = drawn["giga_operations"].min() / 2
    for panel, threads in zip(panels[:, 0], map(int, counts), strict=True):
        limits = machine[machine["threads"] == threads]
        peak = limits.loc[limits["what"] == PEAK, "value"].iloc[0]
        reads = limits[limits["what"] == "read"].set_index("level")["value"]
        panel.plot([left, right], [peak, peak], color=GREY, linewidth=1.2)
        starts = {f"peak {peak:.0f} GFLOP/s": (left, peak)}
        for level, rate in reads.items():
            low = max(left, bottom / rate)
            panel.plot([low, peak / rate], [low * rate, peak], color=GREY, linewidth=0.8)
            starts[f"{level} {rate:.0f} GB/s"] = (low, low * rate)
        own = drawn[drawn["threads"] == threads]
        points = {_label(row): (row["intensity"], row["giga_operations"]) for row in _rows(own)}
        colours = {_label(row): ORANGE if row["factors"] > 100 else BLUE for row in _rows(own)}
        for name, place in points.items():
            panel.plot(*place, "o", color=colours[name])
        panel.set(xscale="log", yscale="log", xlim=(left, right), ylim=(bottom, peak * 1.5))
        panel.set(xlabel="operations a byte", title=f"{threads} thread{'s' * (threads > 1)}")
        panel.tick_params(labelleft=False)
        panel.text(-0.02, 1.03, "10⁹ operations a second", transform=panel.transAxes, ha="right")
        plain_log_axis(panel.xaxis)
        _name(panel, starts, dict.fromkeys(starts, GREY), -0.02, "right")
        _name(panel, points, colours, 1.02, "left")
    caption = (
        "Operations a second of each kernel against operations a byte, below what the machine does at "
        "most: multiply-adds in registers (flat line) and reading from each level of memory (rising "
        "lines). The level that holds what a kernel works on is in brackets."
    )
    return Figure(canvas, drawn, caption)


def _rows(table: pd.DataFrame) -> list[dict]:
    return table.to_dict("records")


def _label(row: dict) -> str:
    factors = f", k = {row['factors']:.0f}" if row["factors"] else ""
    rate = f"{row['giga_operations']:.0f}"
    return f"{row['kernel']}{factors} ({row['level']}): {rate}"


def _name(
    panel: Axes,
    points: dict[str, tuple[float, float]],
    colours: dict[str, str],
    x: float,
    side: Literal["left", "right"],
) -> None:
    """Names of points beside the panel, moved apart where they would lie on each other."""
    low, high = np.log10(panel.get_ylim())
    order = sorted(points.items(), key=lambda pair: pair[1][1])
    heights = moved_apart([np.log10(place[1]) for _, place in order], 0.07 * (high - low))
    for (name, place), height in zip(order, heights, strict=True):
        panel.annotate(
            name,
            xy=place,
            xytext=(x, 10**height),
            textcoords=panel.get_yaxis_transform(),
            ha=side,
            va="center",
            fontsize=8,
            color=colours[name],
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colours[name], "lw": 0.4},
        )


def kernel_table(found: pd.DataFrame) -> pd.DataFrame:
    """One row a kernel and number of factors; threads side by side."""
    rows = []
    for (kernel, factors), own in found.groupby(["kernel", "factors"], sort=False):
        first = own.iloc[0]
        row = {"kernel": kernel, "factors": f"{factors:.0f}" if factors else ""}
        by = own.set_index("threads")
        for name in ("share_of_peak", "share_of_bandwidth"):
            cells = [f"{100 * by.loc[threads, name]:.0f} %" for threads in by.index]
            row[name.replace("_", " ")] = " / ".join(cells)
        row |= {"from": first["level"], "useful": f"{100 * first['useful']:.0f} %"}
        row |= {"binds": " / ".join(dict.fromkeys(own["binds"])), "work": first["formula"]}
        rows.append(row)
    return pd.DataFrame(rows)
