"""Verdicts on behaviour, from generated data.

The generator's usual settings were picked because they show the papers' pattern, so there it only
demonstrates. Evidence is the grid of generator settings, fixed beforehand: true in at least 90 %
of the settings in scope holds, false in at least 90 % does not hold; else it depends, on the factors
named.
"""

import numpy as np
import pandas as pd

from mnar.claims.outcome import (
    DEMONSTRATION,
    DEPENDS,
    FAILS,
    HOLDS,
    Missing,
    Outcome,
)

GRID = "pradel2012/synthetic_grid.csv"
FACTORS = ("popularity_exponent", "positivity", "noise", "rank")
MOST = 0.9
# A factor separates if between two of its levels the share differs by this much.
SEPARATES = 0.5
# Up to this number, exceptions are named one by one.
FEW = 2
ALL, BOTH = "all", "both effects"
SCOPES = (ALL, BOTH)


def in_scope(grid: pd.DataFrame, scope: str) -> pd.Series:
    both = (grid["popularity_exponent"] > 0) & (grid["positivity"] > 0)
    return both if scope == BOTH else both | True


def judge(found: pd.Series | np.ndarray, grid: pd.DataFrame, scope: str) -> Outcome:
    """The verdict by the share of the settings in scope in which a statement is true.

    Where it is NaN a setting cannot tell: it is neither true nor false, so it counts for neither.
    """
    mine = in_scope(grid, scope)
    if not mine.any():
        raise Missing(f"{GRID} has no settings with {scope}")
    everywhere = pd.Series(np.asarray(found, float), grid.index)
    true, false = everywhere[mine] == 1, everywhere[mine] == 0
    unknown = len(true) - true.sum() - false.sum()
    most = max(true.mean(), false.mean())
    verdict = DEPENDS if most < MOST else HOLDS if true.mean() >= MOST else FAILS
    numbers = f"true in {true.sum()} of {len(true)} generator settings"
    if scope == BOTH:
        numbers += f" with both effects ({(everywhere == 1).sum()} of all {len(everywhere)})"
    if unknown:
        numbers += f", not known in {unknown}"
    if verdict == DEPENDS:
        numbers += f"; depends on {factors(true, grid[mine])}"
    how = "share of the grid of generators fixed beforehand, ≥ 90 % holds, ≤ 10 % does not"
    return Outcome(verdict, numbers, how)


def factors(true: pd.Series, settings: pd.DataFrame) -> str:
    """The generator's factors whose levels separate the settings, else the few exceptions."""
    found = []
    for name in FACTORS:
        levels = true.groupby(settings[name]).agg(["sum", "count"])
        if np.ptp(levels["sum"] / levels["count"]) >= SEPARATES:
            words = [f"{value:g}: {n} of {m}" for value, n, m in levels.itertuples()]
            found.append(f"{name.replace('_', ' ')} ({', '.join(words)})")
    rarer = bool(true.mean() < 0.5)
    few = settings.loc[true == rarer, list(FACTORS)]
    if not found and len(few) <= FEW:
        words = [
            ", ".join(f"{key} {value:g}" for key, value in row.items()) for _, row in few.iterrows()
        ]
        return f"single settings, {str(rarer).lower()} at {'; '.join(words)}".replace("_", " ")
    return " and ".join(found) or "no factor by itself"


def demonstration(outcome: Outcome) -> Outcome:
    """Without a grid: a result at the usual settings is no evidence."""
    numbers = f"{outcome.verdict} at the usual settings: {outcome.numbers}"
    return Outcome(
        DEMONSTRATION, numbers, f"the grid of generators does not have it; {outcome.how}"
    )
