"""What a statement about behaviour is worth on generated data.

The generator's usual settings were picked because they show the papers' pattern, so there it only
demonstrates. Evidence is the share of a grid of generator settings, fixed beforehand, in which the
statement is true: most of them (lower end of the 95 % interval of the share above one half), less
than half of them, or neither for sure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from mnar.claims.outcome import FAILS, HOLDS, UNDECIDED, Missing, Outcome
from mnar.core.errors import UserError

GRID = "pradel2012/synthetic_grid.csv"
OPERATORS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
_SPLIT = re.compile(r"\s(<=|>=|<|>)\s")
_NAME = r"[A-Za-z_][\w@.()]*"
_TERM = re.compile(
    rf"(?:(?P<factor>[\d.e-]+)\s\*\s)?(?P<name>{_NAME})(?:\s-\s(?P<less>{_NAME}))?|(?P<number>-?[\d.e-]+)"
)


@dataclass(frozen=True)
class Term:
    """A column of the grid, perhaps times a number or less another column; or a number."""

    name: str
    factor: float
    less: str = ""

    def values(self, grid: pd.DataFrame) -> np.ndarray:
        if not self.name:
            return np.full(len(grid), self.factor)
        for name in filter(None, (self.name, self.less)):
            if name not in grid:
                raise Missing(f"{GRID} has no column {name}")
        values = self.factor * grid[self.name].to_numpy(float)
        return values - grid[self.less].to_numpy(float) if self.less else values


@dataclass(frozen=True)
class Condition:
    """A chain of comparisons, as in `0 < best_w_m_auc <= 0.01` or `count_atop - mean_atop >= 3`;
    or a column that is true.

    With `where` before it, it says which settings the statement is about.
    """

    text: str
    is_scope: bool
    terms: tuple[Term, ...]
    operators: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, place: str) -> "Condition":
        is_scope = text.startswith("where ")
        parts = _SPLIT.split(text.removeprefix("where ").strip())
        terms = []
        for part in parts[::2]:
            found = _TERM.fullmatch(part.strip())
            if found is None:
                raise UserError(
                    f"{place}: {part!r} in grid condition {text!r} is neither a column nor a number."
                )
            number = found["number"] or found["factor"] or "1"
            terms.append(Term(found["name"] or "", float(number), found["less"] or ""))
        return cls(text, is_scope, tuple(terms), tuple(parts[1::2]))

    def true_in(self, grid: pd.DataFrame) -> np.ndarray:
        values = [term.values(grid) for term in self.terms]
        if not self.operators:
            return values[0] > 0
        pairs = zip(pairwise(values), self.operators, strict=True)
        return np.all([OPERATORS[name](a, b) for (a, b), name in pairs], axis=0)


def judge(conditions: Sequence[Condition], grid: pd.DataFrame) -> Outcome:
    """The verdict by the share of generator settings in which all conditions are true."""
    for condition in conditions:
        if condition.is_scope:
            grid = grid[condition.true_in(grid)]
    asked = [condition for condition in conditions if not condition.is_scope]
    if not len(grid) or not asked:
        raise Missing(f"{GRID} has no such settings")
    true = np.all([condition.true_in(grid) for condition in asked], axis=0)
    low, high = share_interval(int(true.sum()), len(true))
    verdict = HOLDS if low > 0.5 else FAILS if high < 0.5 else UNDECIDED
    numbers = f"true in {true.sum()} of {len(true)} generator settings [{low:.2f}, {high:.2f}]"
    both = (grid["popularity_exponent"] > 0) & (grid["positivity"] > 0)
    if both.any():
        numbers += f", {true[both].sum()} of {both.sum()} with both effects"
    words = " and ".join(condition.text for condition in conditions)
    how = f"share of the grid of generators fixed beforehand, against one half: {words}"
    return Outcome(verdict, numbers, how)


def share_interval(hits: int, tries: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927)."""
    z = 1.959964
    middle = (hits + z**2 / 2) / (tries + z**2)
    reach = z / (tries + z**2) * np.sqrt(hits * (tries - hits) / tries + z**2 / 4)
    return max(0.0, float(middle - reach)), min(1.0, float(middle + reach))


def demonstration(outcome: Outcome) -> Outcome:
    """Without a grid: what is seen at the usual settings is no evidence."""
    numbers = f"demonstration only, {outcome.verdict} at the usual settings: {outcome.numbers}"
    how = f"no column in the grid of generators for it; {outcome.how}"
    return Outcome(UNDECIDED, numbers, how)
