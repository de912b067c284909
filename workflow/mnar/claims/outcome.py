"""Verdicts, how sure they are, and how several of them combine to one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
from scipy.special import ndtri

HOLDS = "holds"
FAILS = "does not hold"
DEPENDS = "depends"
UNDECIDED = "undecided"
DEMONSTRATION = "demonstration only"
UNTESTABLE = "cannot be tested here"
VERDICTS = (HOLDS, FAILS, DEPENDS, UNDECIDED, DEMONSTRATION, UNTESTABLE)
LEVEL = 0.05
REACH = float(ndtri(1 - LEVEL / 2))
_FOR, _AGAINST = attrgetter("p_for"), attrgetter("p_against")


class Missing(Exception):
    """A test lacks something: a file, a row, a column, a value."""


@dataclass(frozen=True)
class Measured:
    """A number with its 95 % interval. `exact`: it has no sampling error, the number decides."""

    value: float
    low: float = np.nan
    high: float = np.nan
    name: str = ""
    exact: bool = False

    @property
    def has_interval(self) -> bool:
        return not np.isnan(self.low) and not np.isnan(self.high)

    @property
    def is_sure(self) -> bool:
        return self.exact or self.has_interval

    def __neg__(self) -> "Measured":
        return replace(self, value=-self.value, low=-self.high, high=-self.low)

    def __str__(self) -> str:
        interval = f" [{shown(self.low)}, {shown(self.high)}]" if self.has_interval else ""
        name = f"{self.name}: " if self.name else ""
        return f"{name}{shown(self.value)}{interval}"


@dataclass(frozen=True)
class Outcome:
    """A verdict with the numbers behind it.

    `p_for` and `p_against` are two-sided p-values: how easily chance alone would speak for the
    statement (against it) as clearly. Without sampling error they are 0 or 1.
    """

    verdict: str
    numbers: str = ""
    how: str = ""
    p_for: float = 1.0
    p_against: float = 1.0
    # False: no sampling error, so there is no p-value to report.
    sampled: bool = False
    # The number that decided.
    measured: Measured | None = None

    @classmethod
    def by_p(
        cls,
        p_for: float,
        p_against: float,
        numbers: str,
        how: str,
        measured: Measured | None = None,
        sampled: bool = True,
    ) -> "Outcome":
        # An interval that ends on the bound has p = 5 % up to rounding: not decided.
        sure = LEVEL - 1e-9
        verdict = HOLDS if p_for < sure else FAILS if p_against < sure else UNDECIDED
        return cls(verdict, numbers, how, p_for, p_against, sampled, measured)

    @property
    def p(self) -> float:
        return min(self.p_for, self.p_against) if self.sampled else float("nan")


def untestable(reason: str) -> Outcome:
    return Outcome(UNTESTABLE, how=reason)


def all_of(*parts: Outcome) -> Outcome:
    """Every part must hold: the largest p counts. That one fails is claimed of several, so
    against it the smallest p counts times their number (Bonferroni)."""
    weakest, worst = max(parts, key=_FOR), min(parts, key=_AGAINST)
    return _combined(parts, weakest.p_for, _corrected(worst.p_against, parts), weakest, worst)


def any_of(*parts: Outcome) -> Outcome:
    """One part is enough: its p counts times their number (Bonferroni); that all fail has the
    largest p."""
    best, last = min(parts, key=_FOR), max(parts, key=_AGAINST)
    return _combined(parts, _corrected(best.p_for, parts), last.p_against, best, last)


def _corrected(p: float, parts: Sequence[Outcome]) -> float:
    return min(1.0, len(parts) * p)


def _combined(
    parts: Sequence[Outcome], p_for: float, p_against: float, holding: Outcome, failing: Outcome
) -> Outcome:
    """Numbers of all parts, or of the deciding one where there are many."""
    whole = Outcome.by_p(p_for, p_against, "", joined(part.how for part in parts))
    deciding = failing if whole.verdict == FAILS else holding
    numbers = joined(part.numbers for part in (parts if len(parts) <= 4 else [deciding]))
    if len(parts) > 4:
        agreeing = sum(part.verdict == HOLDS for part in parts)
        numbers = f"{agreeing} of {len(parts)} hold; {numbers}"
    return replace(whole, numbers=numbers, sampled=deciding.sampled, measured=deciding.measured)


def same(name: str, first: Outcome, second: Outcome) -> Outcome:
    """Two tests have one verdict: a statement is as true in one place as in another."""
    known = {first.verdict, second.verdict}
    verdict = UNDECIDED if UNDECIDED in known else FAILS if len(known) > 1 else HOLDS
    words = first.verdict if len(known) == 1 else f"{first.verdict}, there {second.verdict}"
    p_for, p_against = float(verdict != HOLDS), float(verdict != FAILS)
    how = "the verdicts are the same"
    return Outcome(verdict, f"{name} {words}", how, p_for, p_against)


def joined(texts) -> str:
    """Texts in a row, none twice."""
    return "; ".join(dict.fromkeys(text for text in texts if text))


def shown(value: float) -> str:
    """Four digits are enough to see what decided."""
    if value != 0 and (abs(value) >= 1e6 or abs(value) < 1e-4):
        return f"{value:.2e}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")
