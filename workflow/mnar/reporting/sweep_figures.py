"""Measures against the weight of missing ratings: steck2010 Figure 2, under any study."""

from collections.abc import Sequence

import pandas as pd

from mnar import measures
from mnar.reporting.edges import ring_caption, ring_edges
from mnar.reporting.figure_format import Figure, look_of, nothing_to_draw, subplots
from mnar.reporting.results import Results
from mnar.reporting.sweeps import over_folds, sweep, swept_methods

PARAMETER = "missing_weight"


def missing_weight_figure(results: Results, study: str, names: Sequence[str]) -> Figure:
    """One panel a measure, one line a method; 0 has a position of its own left of the log axis."""
    methods = swept_methods(results, study, PARAMETER)
    if not methods:
        return nothing_to_draw(f"No method of the study {study} has {PARAMETER} in its grid.")
    parts = [
        over_folds(sweep(results, study, method, PARAMETER), PARAMETER).assign(method=method)
        for method in methods
    ]
    data = pd.concat(parts, ignore_index=True)
    data = data[data["measure"].isin(names)]
    columns = 3
    lines = -(-len(names) // columns)
    canvas, axes = subplots(lines, columns, figsize=(10, 2.7 * lines), squeeze=False)
    smallest = data.loc[data[PARAMETER] > 0, PARAMETER].min()
    for axis, measure in zip(axes.flat, names, strict=False):
        for method in dict.fromkeys(data["method"]):
            colour, marker = look_of(method, results.config["methods"])
            for name, line in (("test", "-"), ("validation", "--")):
                rows = data[
                    (data["method"] == method)
                    & (data["measure"] == measure)
                    & (data["set"] == name)
                ]
                positions = rows[PARAMETER].where(rows[PARAMETER] > 0, smallest / 10)
                axis.errorbar(
                    positions,
                    rows["mean"],
                    yerr=rows["sem"],
                    color=colour,
                    marker=marker,
                    ls=line,
                    ms=3.5,
                    label=method if name == "test" else None,
                )
                ring_edges(axis, rows.assign(position=positions), "position")
        axis.set(
            xscale="log", title=measures.label(measure), xlabel="weight of missing ratings w_m"
        )
        if (data[PARAMETER] == 0).any():
            ticks = [t for t in axis.get_xticks() if smallest <= t <= 1]
            axis.set_xticks([smallest / 10, *ticks], ["0", *(f"{t:g}" for t in ticks)])
            axis.minorticks_off()
    for axis in list(axes.flat)[len(names) :]:
        axis.set_visible(False)
    for name, line in (("test", "-"), ("validation", "--")):
        axes[0, 0].plot([], [], line, color="black", lw=1, label=name)
    axes[0, 0].legend(fontsize=7, handlelength=2.6)
    data.insert(0, "dataset", results.dataset)
    caption = (
        f"Measures against the weight of missing ratings on {results.dataset}, other settings tuned on "
        "validation at each weight; test solid, validation dashed, standard errors over "
        f"folds.{ring_caption(data)}"
    )
    return Figure(canvas, data, caption)
