"""Which number can you believe? Estimators × datasets in one figure, for a slide."""

from typing import Any

import numpy as np
import pandas as pd

from mnar import measures
from mnar.core.palette import BLACK, BLUE, GREY, RED
from mnar.experiments.trust.cases import Case, cases_of, in_order, shown_as
from mnar.reporting.figure_format import Figure, subplots

# Shares of wrong decisions stand to the right of τ = 1.
COLUMN = 1.5
LEFT_OUT = ("aman", "ips(known)", "snips(known, clip=0.95)", "wtd(popularity)")
# From here on a share of wrong decisions is more than what intervals of 95 % allow for.
MANY = 5


def across_figure(summary: pd.DataFrame, measure: str = "adg") -> Figure:
    """A column a dataset and selection, a line an estimator: τ, what is attainable, wrong decisions."""
    data = summary[summary["measure"] == measure]
    cases = cases_of(data)
    order = [one for one in in_order(data) if one not in LEFT_OUT][::-1]
    size = (2.4 + 1.6 * len(cases), 1.9 + 0.36 * len(order))
    canvas, axes = subplots(1, len(cases), figsize=size, sharey=True, squeeze=False)
    for axis, case in zip(axes[0], cases, strict=True):
        _draw(axis, case, data, order)
    axes[0, 0].set_yticks(range(len(order)), [shown_as(one) for one in order])
    axes[0, 0].set_ylim(-0.6, len(order) + 0.1)
    handles: dict[str, Any] = {}
    for axis in axes[0]:
        handles |= {
            label: mark for mark, label in zip(*axis.get_legend_handles_labels(), strict=True)
        }
    canvas.legend(handles.values(), handles, loc="outside lower center", ncols=4, fontsize=9)
    caption = (
        f"Which number can you believe? Kendall's τ between the order of all systems by an estimate of "
        f"{measures.label(measure)} and by its truth, with 95 % intervals by bootstrap over users. "
        "Dashed: τ from equally many random pairs, or, where only random ratings are known, τ between "
        "two halves of the users. Numbers: of all pairs of systems that truly differ, the share that "
        "the estimate decides wrongly."
    )
    return Figure(canvas, data, caption)


def _draw(axis: Any, case: Case, data: pd.DataFrame, order: list[str]) -> None:
    mine = case.of(data).set_index("estimator").reindex(order)
    lines = np.arange(len(order))
    axis.axvline(0, color=BLACK, lw=0.8)
    reach, text = mine["attainable"].dropna(), "attainable"
    if case.point is None:
        text = "halves of the users agree"
    style = (0, (4, 2)) if case.point else (0, (1, 1.5))
    if len(reach):
        axis.axvline(reach.iloc[0], color=GREY, lw=1.4, ls=style, label=text)
    there = mine["tau"].notna().to_numpy()
    gaps = np.maximum([mine["tau"] - mine["tau_low"], mine["tau_high"] - mine["tau"]], 0)
    for wrong, colour in ((True, RED), (False, BLUE)):
        some = there & ((100 * mine["wrong"].to_numpy() >= MANY) == wrong)
        label = f"τ, {MANY} % or more decided wrongly" if wrong else "τ"
        bars = {"xerr": gaps[:, some], "fmt": "o", "color": colour, "ms": 5, "lw": 1.2}
        if some.any():
            axis.errorbar(mine["tau"][some], lines[some], **bars, label=label)
    for line, share in zip(lines[there], 100 * mine["wrong"][there], strict=True):
        bold = {"color": RED, "weight": "bold"} if share >= MANY else {"color": GREY}
        axis.text(COLUMN, line, f"{share:.0f} %", ha="center", va="center", fontsize=9, **bold)
    axis.text(COLUMN, len(order) - 0.45, "wrong", ha="center", va="center", fontsize=8, color=BLACK)
    axis.set(xlim=(-1.05, 1.95), title=case.title, xlabel="τ with the truth")
    axis.title.set_fontsize(8.5)
    axis.set_xticks([-1, 0, 1], ["−1", "0", "1"])
