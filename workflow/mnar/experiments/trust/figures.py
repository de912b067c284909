"""Figures of experiment trust."""

from typing import Any

import numpy as np
import pandas as pd

from mnar import measures, models
from mnar.core.palette import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY
from mnar.experiments.trust.cases import Case, cases_of, in_order, read, shown_as
from mnar.reporting.figure_format import Figure, family_of, subplots
from mnar.reporting.results import Results
from mnar.simulations.trust.summaries import KEYS
from mnar.statistics.correlation import kendall

# Measure -> colour, marker and shift within a line.
DOTS = {"adg": (RED, "o", 0.16), "recall@10": (GREEN, "s", -0.16)}
MAPPED = [
    "naive",
    "snips(popularity, gamma=0.5)",
    "snips(popularity, gamma=1)",
    "snips(logistic)",
    "snips(known)",
]
# What systems learn from.
FAMILIES = {
    "bestseller lists": (GREY, ">"),
    "observed ratings": (BLACK, "X"),
    "missing ratings, too": (GREEN, "o"),
    "pairs of items": (BLUE, "s"),
    "neighbours": (ORANGE, "^"),
}
SCATTERED = ["naive", "snips(popularity, gamma=1)", "snips(known)"]


def trust_plot(results: Results) -> Figure:
    return trust_figure(read(results, "summary"), results.dataset)


def trust_figure(summary: pd.DataFrame, name: str) -> Figure:
    """Estimators × cases: above τ with its interval and the attainable τ, below decisions."""
    cases = cases_of(summary)
    data = summary[summary["measure"].isin(DOTS)]
    named = [case.of(data).assign(case=case.title.replace("\n", ", ")) for case in cases]
    data = pd.concat(named, ignore_index=True)
    data["shown_as"] = [shown_as(one) for one in data["estimator"]]
    order = [one for one in in_order(data) if one != "aman"][::-1]
    data = data[data["estimator"].isin(order)].sort_values(
        "estimator", key=lambda names: [-order.index(name) for name in names], kind="stable"
    )
    size = (2.6 + 1.9 * len(cases), 1.6 + 0.52 * len(order))
    canvas, axes = subplots(
        2, len(cases), figsize=size, sharey=True, squeeze=False, height_ratios=[1.15, 1]
    )
    for column, case in enumerate(cases):
        _draw_taus(axes[0, column], case, data, order)
        _draw_decisions(axes[1, column], case, data, order)
    for row in (0, 1):
        axes[row, 0].set_yticks(range(len(order)), [shown_as(one) for one in order])
        axes[row, 0].set_ylim(-0.6, len(order) - 0.4)
    marks = axes[0, 0].get_legend_handles_labels()
    columns = 4 if len(cases) > 1 else 2
    canvas.legend(*marks, loc="outside upper center", ncols=columns)
    canvas.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    caption = (
        f"Does an estimate order systems as the truth does? {name}. Above: Kendall's τ with the truth "
        "of the same measure, 95 % intervals by bootstrap over users. Dashed: τ from equally many "
        "random pairs (on random ratings: reliability of the truth). Below: all pairs of systems that "
        "truly differ, decided by ADG. Selection: users rate at random; some items are shown far more "
        "often than others and liked ones are rated more often; or the best are shown most, too."
    )
    return Figure(canvas, data, caption)


def _draw_taus(axis: Any, case: Case, data: pd.DataFrame, order: list[str]) -> None:
    rows = case.of(data)
    axis.axvline(0, color=BLACK, lw=0.8)
    for measure, (colour, marker, shift) in DOTS.items():
        mine = rows[rows["measure"] == measure].set_index("estimator").reindex(order)
        reach = mine["attainable"].dropna()
        label = measures.label(measure)
        if len(reach):
            text = "reliability" if case.point is None else "attainable"
            axis.axvline(
                reach.iloc[0], color=colour, lw=1.1, ls=(0, (4, 2)), label=f"{text}, {label}"
            )
        gaps = [mine["tau"] - mine["tau_low"], mine["tau_high"] - mine["tau"]]
        axis.errorbar(
            mine["tau"],
            np.arange(len(order)) + shift,
            xerr=np.maximum(gaps, 0),
            fmt=marker,
            color=colour,
            ms=4.5,
            lw=1,
            label=label,
        )
    axis.set(xlim=(-1.05, 1.05))
    axis.set_title(case.title, fontsize=9)
    axis.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "", "0", "", "1"])
    axis.set_xlabel("τ with the truth")


def _draw_decisions(axis: Any, case: Case, data: pd.DataFrame, order: list[str]) -> None:
    rows = case.of(data)
    mine = rows[rows["measure"] == "adg"].set_index("estimator").reindex(order)
    left = np.zeros(len(order))
    parts = {
        "right": (BLUE, "decided rightly"),
        "undecided": ("#E4E4E4", "undecided"),
        "wrong": (RED, "wrongly"),
    }
    for part, (colour, label) in parts.items():
        width = 100 * mine[part].to_numpy()
        axis.barh(range(len(order)), width, left=left, color=colour, height=0.72, label=label)
        for position, (start, share) in enumerate(zip(left, width, strict=True)):
            if share >= 14 and part != "undecided":
                text = {"ha": "center", "va": "center", "fontsize": 7, "color": "white"}
                axis.text(start + share / 2, position, f"{share:.0f}", **text)
        left = left + width
    axis.set(xlim=(0, 100), xlabel="% of pairs of systems")
    axis.set_xticks([0, 50, 100])
    axis.grid(visible=False)


def maps(results: Results) -> Figure:
    return maps_figure(read(results, "summary"), results.dataset)


def maps_figure(summary: pd.DataFrame, name: str, measure: str = "adg") -> Figure:
    """τ and wrong decisions over popularity exponent and correlation, without and with positivity."""
    data = summary[(summary["measure"] == measure) & summary["estimator"].isin(MAPPED)]
    there = [one for one in MAPPED if one in set(data["estimator"])]
    levels = sorted(data["positivity"].unique())
    rows = [(q, level) for q in ("tau", "wrong") for level in levels]
    size = (2.2 + 2.0 * len(there), 1.1 + 1.75 * len(rows))
    canvas, axes = subplots(
        len(rows), len(there), figsize=size, sharex=True, sharey=True, squeeze=False
    )
    scales = {"tau": (-1, 1, "RdBu"), "wrong": (0, 100, "Reds")}
    for line, (quantity, level) in enumerate(rows):
        low, high, colours = scales[quantity]
        for column, estimator in enumerate(there):
            mine = data[(data["estimator"] == estimator) & (data["positivity"] == level)]
            grid = mine.pivot(index=KEYS[2], columns=KEYS[0], values=quantity)
            cells = grid.to_numpy() * (100 if quantity == "wrong" else 1)
            axis = axes[line, column]
            shown = axis.imshow(
                cells, cmap=colours, vmin=low, vmax=high, origin="lower", aspect="auto"
            )
            _write_cells(axis, cells, low, high, quantity)
            axis.set_xticks(range(len(grid.columns)), [f"{x:g}" for x in grid.columns])
            axis.set_yticks(range(len(grid.index)), [f"{x:g}" for x in grid.index])
            axis.grid(visible=False)
            if line == 0:
                axis.set_title(shown_as(estimator).replace(", ", "\n", 1), fontsize=9)
        title = "Kendall's τ" if quantity == "tau" else "decided wrongly, %"
        positivity = "liked rated more" if level else "liked or not alike"
        axes[line, 0].set_ylabel(f"{title}\n{positivity}\n\ncorrelation c", fontsize=8)
        if level == levels[-1]:
            both = axes[line - len(levels) + 1 : line + 1].ravel().tolist()
            canvas.colorbar(shown, ax=both, shrink=0.8, label=title)
    canvas.supxlabel("popularity exponent", fontsize=9)
    caption = (
        f"{measures.label(measure)} on {name} over mechanisms of selection: Kendall's τ with the truth "
        "(blue: the right order, red: against it) and pairs of systems decided wrongly. Columns: "
        "estimators. c is the correlation of exposure and quality. The lower left of the upper row of "
        "each quantity is selection at random, where c has no meaning."
    )
    return Figure(canvas, data, caption)


def _write_cells(axis: Any, cells: np.ndarray, low: float, high: float, quantity: str) -> None:
    for (row, column), value in np.ndenumerate(cells):
        if np.isnan(value):
            continue
        text = f"{value:+.2f}".replace("-", "−") if quantity == "tau" else f"{value:.0f}"
        dark = abs(value) > 0.62 * max(abs(low), high)
        colour = "white" if dark else "black"
        axis.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)


def scatter(results: Results) -> Figure:
    return scatter_figure(read(results, "estimates"), results.dataset)


def scatter_figure(estimates: pd.DataFrame, name: str) -> Figure:
    """All systems of one seed: truth against estimate, before and after correction."""
    case = max(
        cases_of(estimates),
        key=lambda one: 0 if one.point is None else -one.point[2] + one.point[0],
    )
    data = case.of(estimates)
    data = data[(data["seed"] == 0) & data["measure"].isin(["adg", "recall@10"])]
    there = [one for one in SCATTERED if one in set(data["estimator"])]
    canvas, axes = subplots(2, len(there), figsize=(3.1 * len(there), 6.2), squeeze=False)
    for row, measure in enumerate(["adg", "recall@10"]):
        for column, estimator in enumerate(there):
            axis = axes[row, column]
            mine = data[(data["measure"] == measure) & (data["estimator"] == estimator)]
            families = mine["system"].map(_family)
            for family, points in mine.groupby(families, sort=False):
                colour, marker = FAMILIES.get(family, (PURPLE, "D"))
                axis.plot(
                    points["truth"], points["estimate"], marker, color=colour, ms=5, label=family
                )
            values = mine[["truth", "estimate"]].to_numpy()
            ends = [values.min(), values.max()]
            axis.plot(ends, ends, color=GREY, lw=0.8, ls="--", zorder=0)
            tau = kendall(mine["truth"].to_numpy(), mine["estimate"].to_numpy())
            text = f"τ = {tau:+.2f}".replace("-", "−")
            axis.set_title(f"{shown_as(estimator)}: {text}")
            axis.set_xlabel(f"truth, {measures.label(measure)}")
        axes[row, 0].set_ylabel("estimate")
    canvas.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8
    )
    caption = (
        f"Every system of one seed, {case.title.replace(chr(10), ', ')}: its truth on complete data or "
        "random ratings, and its estimate. Colours: what a system learns from. Dashed: both are equal."
    )
    return Figure(canvas, data, caption)


def _family(system: str) -> str:
    """What a system learns from; a variant such as mf-ips-known begins with the name of its method."""
    method = system.split(" ")[0]
    while method not in models.names() and "-" in method:
        method = method.rpartition("-")[0]
    return family_of(method)


LEVELS = {"naive": GREY, "snips(popularity, gamma=1)": PURPLE, "snips(known)": SKY}


def _levels(
    case: Case, measure: str, own: pd.Series, summary: pd.DataFrame
) -> dict[str, pd.Series]:
    """What users' own ratings give. Random ratings are judged by half of the truth, and so is this."""
    if case.point is None:
        return {"naive": own}
    rows = case.of(summary)
    rows = rows[rows["measure"] == measure].set_index("estimator")
    return {one: rows.loc[one] for one in LEVELS if one in rows.index}


def price(results: Results) -> Figure:
    return price_figure(read(results, "price"), read(results, "summary"), results.dataset)


def price_figure(prices: pd.DataFrame, summary: pd.DataFrame, name: str) -> Figure:
    """τ and regret against the number of random ratings, beside what users' own choice gives."""
    cases = [case for case in cases_of(prices) if case.point is None or any(case.point)]
    uses = {"test alone": (BLUE, "o"), "propensities": (ORANGE, "s"), "both": (GREEN, "^")}
    names = list(dict.fromkeys(prices["measure"]))
    panels = [(case, measure) for case in cases for measure in names]
    canvas, axes = subplots(
        2,
        len(panels),
        figsize=(1.4 + 2.5 * len(panels), 6),
        sharex=True,
        sharey="row",
        squeeze=False,
    )
    for column, (case, measure) in enumerate(panels):
        mine = case.of(prices)
        mine = mine[mine["measure"] == measure].groupby(["use", "n"])[["tau", "regret"]].mean()
        beside = _levels(case, measure, mine.loc["own choice"].iloc[0], summary)
        for row, quantity in enumerate(("tau", "regret")):
            axis = axes[row, column]
            for use, (colour, marker) in uses.items():
                line = mine.loc[use][quantity]
                axis.plot(
                    line.index, line, f"{marker}-", color=colour, label=f"random ratings: {use}"
                )
            for estimator, level in beside.items():
                text = f"own choice: {shown_as(estimator)}"
                axis.axhline(level[quantity], color=LEVELS[estimator], lw=1.2, ls="--", label=text)
            axis.set_xscale("log")
            axis.set_xticks(sorted(mine.loc["test alone"].index))
            axis.xaxis.set_major_formatter("{x:g}")
            axis.minorticks_off()
        axes[0, column].set_title(f"{case.title}\n{measures.label(measure)}", fontsize=9)
        axes[1, column].set_xlabel("random ratings a user")
    axes[0, 0].set_ylabel("τ with the truth")
    axes[1, 0].set_ylabel("regret (0: best picked, 1: median)")
    columns = 3 if len(panels) > 2 else 2
    handles = axes[0, 0].get_legend_handles_labels()
    canvas.legend(*handles, loc="outside lower center", ncols=columns, fontsize=8)
    caption = (
        f"The price of truth on {name}: n random ratings a user as a test set, as a sample for naive "
        "Bayes propensities of SNIPS, or both weighed by inverse variance; mean over seeds. Dashed: "
        "ratings of the users' own choice alone. On complete data n is at most a quarter of the items, "
        "since the truth is of all of them. Where there are random ratings only, half of those of each "
        "user are collected, and the others are the truth."
    )
    return Figure(canvas, prices, caption)
