"""Figures of the theorems."""

import numpy as np
from matplotlib.colors import SymLogNorm
from matplotlib.ticker import PercentFormatter

from mnar import measures
from mnar.core.palette import BLACK, BLUE, RED
from mnar.experiments.theorems.cells import found, taken_as_complete
from mnar.reporting.figure_format import Figure, colour_of, subplots
from mnar.reporting.results import Results

# End of the colour scale of relative bias, in %; what lies beyond has the colour of the end.
LIMIT = 1000


def bias_plot(results: Results) -> Figure:
    """One panel a measure: relative bias with its simultaneous band, and the expected bias."""
    data = found(results, "bias")
    names = list(dict.fromkeys(data["measure"]))
    canvas, axes = subplots(2, -(-len(names) // 2), figsize=(12, 5), sharex=True)
    for axis, name in zip(axes.flat, names, strict=False):
        rows = data[data["measure"] == name]
        colour = BLUE if measures.unbiased(name) else RED
        scale = 100 / rows["complete"]
        bias, band = rows["bias"] * scale, rows["bound"] * rows["sem"] * scale
        axis.fill_between(rows["share"], bias - band, bias + band, color=colour, alpha=0.25, lw=0)
        axis.plot(rows["share"], bias, "o", color=colour, ms=4, label="measured")
        expected = (rows["expected"] - rows["complete"]) * scale
        axis.plot(rows["share"], expected, color=BLACK, lw=1, ls="--", label="expected")
        axis.set_title(measures.label(name))
        axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.set_xticks([0, 0.5, 1])
        axis.locator_params(axis="y", nbins=4)
    for axis in axes.flat[len(names) :]:
        axis.set_visible(False)
    for axis in axes[:, 0]:
        axis.set_ylabel("bias, % of the complete value")
    canvas.supxlabel("share of each user's relevant items that is observed", fontsize=9)
    axes[0, 0].legend(fontsize=8)
    caption = (
        f"Bias of measures on observed relevant items of {results.dataset}, with simultaneous 99 % "
        "bands. Blue: unbiased to missing data, so expected at 0. Red: the expectation under random "
        "sampling is drawn as a line (NDCG: Theorem 2 of lim2015). " + taken_as_complete(results)
    )
    return Figure(canvas, data, caption)


def broken(results: Results) -> Figure:
    """One heat map a measure: relative bias by strength of popularity and of positivity."""
    data = found(results, "broken")
    names = list(dict.fromkeys(data["measure"]))
    canvas, axes = subplots(2, -(-len(names) // 2), figsize=(12.5, 5.6), sharex=True, sharey=True)
    # One scale for all measures and datasets: even from −10 to 10, logarithmic beyond.
    scale = SymLogNorm(10, vmin=-LIMIT, vmax=LIMIT)
    for axis, name in zip(axes.flat, names, strict=False):
        grid = data[data["measure"] == name].pivot(
            index="positivity", columns="popularity", values="bias"
        )
        cells = 100 * grid.to_numpy()
        drawn = axis.imshow(cells, cmap="RdBu_r", norm=scale, origin="lower", aspect="auto")
        for (row, column), value in np.ndenumerate(cells):
            dark = abs(scale(value) - 0.5) > 0.32
            text = f"{value:+.0f}" if abs(value) >= 10 else f"{value:+.1f}"
            axis.text(
                column,
                row,
                text.replace("-", "−"),
                ha="center",
                va="center",
                fontsize=7,
                color="white" if dark else "black",
            )
        axis.set_title(measures.label(name))
        axis.set_xticks(range(len(grid.columns)), [f"{value:g}" for value in grid.columns])
        axis.set_yticks(range(len(grid.index)), [f"{value:g}" for value in grid.index])
        axis.grid(visible=False)
    for axis in axes.flat[len(names) :]:
        axis.set_visible(False)
    ticks = (-LIMIT, -300, -100, -30, -10, 0, 10, 30, 100, 300, LIMIT)
    bar = canvas.colorbar(drawn, ax=axes, shrink=0.8, label="relative bias, %", ticks=ticks)
    bar.ax.set_yticklabels([f"{tick:+d}".replace("-", "−") if tick else "0" for tick in ticks])
    bar.ax.minorticks_off()
    canvas.supxlabel("popularity: observed in proportion to (popularity of the item)^x", fontsize=9)
    canvas.supylabel("positivity: odds of the highest to the lowest rating", fontsize=9)
    share = data["share"].iloc[0]
    error = 100 * (data["sem"] / data["complete"]).groupby(data["measure"]).max()
    errors = ", ".join(f"{measures.label(name)} {error[name]:.2g}" for name in names)
    caption = (
        f"Relative bias in % on {results.dataset} when {share:.0%} of the relevant items are "
        "observed, but not at random: popular items more often (left to right), high ratings more "
        f"often (bottom to top). At the lower left they are missing at random. Largest standard "
        f"errors in %: {errors}. " + taken_as_complete(results)
    )
    return Figure(canvas, data, caption)


def holdout_plot(results: Results) -> Figure:
    data = found(results, "holdout")
    names = list(dict.fromkeys(data["measure"]))
    groups = {
        "unbiased to missing data": [m for m in names if measures.unbiased(m)],
        "not unbiased": [m for m in names if not measures.unbiased(m)],
    }
    canvas, axes = subplots(1, 2, figsize=(9, 3.4), sharex=True)
    for axis, (title, mine) in zip(axes, groups.items(), strict=True):
        for position, name in enumerate(mine):
            rows = data[data["measure"] == name]
            scale = 100 / rows["test"]
            errors = [
                (rows["mean"] - rows["low"]) * scale,
                (rows["high"] - rows["mean"]) * scale,
            ]
            shift = 0.004 * (position - (len(mine) - 1) / 2)
            axis.errorbar(
                rows["share"] + shift,
                rows["percent"],
                yerr=np.abs(errors),
                fmt="o-",
                ms=4,
                color=colour_of(name),
                label=measures.label(name),
            )
        axis.axhline(0, color=BLACK, lw=0.8)
        axis.set(title=title, xlabel="share held out for validation")
        axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.legend(fontsize=8)
    axes[0].set_ylabel("(validation − test) / test, %")
    caption = (
        f"Validation against test on {results.dataset} by the share of each user's relevant items "
        "held out for validation, test fixed; 95 % intervals that hold for all measures at once."
    )
    return Figure(canvas, data, caption)
