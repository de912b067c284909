"""How many times as fast as each peer, and how many times it must be."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from contest import OURS

from mnar.core.palette import BLACK, BLUE, GREY, ORANGE
from mnar.reporting.figure_format import Figure, subplots

# Quantities that are compared, and whether less is better.
COMPARED = {
    ("als", "seconds"): True,
    ("als", "seconds_a_sweep"): True,
    ("pairwise", "positives_a_second"): False,
    ("evaluate", "seconds"): True,
    ("dense", "seconds"): True,
}
LABELS = {
    ("als", "seconds"): "ALS, time to objective",
    ("als", "seconds_a_sweep"): "ALS, a sweep",
    ("pairwise", "positives_a_second"): "MF-ADG, positives a second",
    ("evaluate", "seconds"): "Evaluation",
    ("dense", "seconds"): "Evaluation, dense scores",
}


@dataclass(frozen=True)
class Target:
    """A ratio to reach, against the fastest of these peers (none named: of all)."""

    what: str
    task: str
    quantity: str
    peers: tuple[str, ...]
    least: float
    # Where it differs by shape.
    otherwise: tuple[tuple[str, float], ...] = ()
    # Where there is no such thing to compare.
    without: tuple[str, ...] = ()

    def least_at(self, shape: str) -> float:
        return dict(self.otherwise).get(shape, self.least)

    def of(self, compared: pd.DataFrame) -> pd.DataFrame:
        mine = (compared["task"] == self.task) & (compared["quantity"] == self.quantity)
        found = compared[mine & ~compared["shape"].isin(self.without)]
        if self.peers:
            found = found[found["contestant"].isin(self.peers)]
        return found.loc[found.groupby(["shape", "threads"], sort=False)["ratio"].idxmin()]


EXACT = ("irspack Cholesky", "cmfrec Cholesky", "LensKit")
TARGETS = (
    Target("ALS, time to objective", "als", "seconds", ("implicit CG",), 2.5),
    Target("ALS, time to objective", "als", "seconds", (), 1.5, (("s@256", 3),)),
    # With 256 factors ours solves blocks of a row, which is no exact sweep.
    Target("ALS, an exact sweep", "als", "seconds_a_sweep", EXACT, 2, without=("s@256",)),
    Target("MF-ADG, positives a second", "pairwise", "positives_a_second", ("LightFM WARP",), 6),
    Target("Evaluation", "evaluate", "seconds", (), 8, (("l", 5),)),
    Target("Evaluation of dense scores", "dense", "seconds", (), 0.5),
)


def ratios(measured: pd.DataFrame) -> pd.DataFrame:
    """Per task, shape, threads and contestant the median, least and largest ratio of a repetition."""
    rows = []
    for (task, quantity), less in COMPARED.items():
        chosen = measured[(measured["task"] == task) & (measured["quantity"] == quantity)]
        chosen = chosen.assign(value=pd.to_numeric(chosen["value"]))
        keys = ["shape", "threads", "repetition"]
        table = chosen.pivot_table("value", keys, "contestant", sort=False)
        for contestant in [name for name in table.columns if not name.startswith(OURS)]:
            quotient = table[contestant] / table[OURS] if less else table[OURS] / table[contestant]
            for (shape, threads), found in quotient.groupby(level=[0, 1], sort=False):
                known = found.dropna()
                if len(known):
                    rows.append(
                        {"task": task, "quantity": quantity, "shape": shape, "threads": threads}
                        | {"contestant": contestant, "ratio": known.median()}
                        | {"low": known.min(), "high": known.max(), "n": len(known)}
                    )
    return pd.DataFrame(rows)


def ratio_figure(compared: pd.DataFrame) -> Figure:
    """One panel for each quantity: how many times as fast, with the ratio to reach as a line."""
    kinds = [
        kind
        for kind in COMPARED
        if ((compared["task"] == kind[0]) & (compared["quantity"] == kind[1])).any()
    ]
    canvas, panels = subplots(1, len(kinds), figsize=(3.4 * len(kinds), 3.6), squeeze=False)
    for panel, (task, quantity) in zip(panels[0], kinds, strict=True):
        part = compared[(compared["task"] == task) & (compared["quantity"] == quantity)]
        names = list(dict.fromkeys(part["contestant"]))
        lines = list(dict.fromkeys(zip(part["shape"], part["threads"], strict=True)))
        for position, (shape, threads) in enumerate(lines):
            here = part[(part["shape"] == shape) & (part["threads"] == threads)]
            height = [names.index(name) for name in here["contestant"]]
            offset = (position - (len(lines) - 1) / 2) * 0.7 / len(lines)
            panel.errorbar(
                here["ratio"],
                np.array(height) + offset,
                xerr=[here["ratio"] - here["low"], here["high"] - here["ratio"]],
                fmt="os^Dv"[position % 5],
                color=BLUE if threads == 1 else ORANGE,
                label=f"{shape}, {threads} thread{'s' * (threads > 1)}",
            )
        panel.axvline(1, color=BLACK, linewidth=0.8)
        for target in TARGETS:
            if (target.task, target.quantity) != (task, quantity):
                continue
            for peer in {*names} & {*(target.peers or names)}:
                height = names.index(peer)
                panel.plot([target.least] * 2, [height - 0.45, height + 0.45], color=GREY, ls="--")
        panel.set_yticks(range(len(names)), names)
        panel.set_ylim(len(names) - 0.5, -0.5)
        panel.set_xlim(left=0)
        panel.set_xlabel("times as fast as the peer")
        panel.set_title(LABELS[task, quantity])
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), fontsize=7)
    caption = (
        "How many times as fast as each peer, side by side on the same data: median, least and largest "
        "of the repetitions. Dashed: the aim."
    )
    return Figure(canvas, compared, caption)
