"""Verdicts, and how several of them combine to one."""

from collections.abc import Sequence
from dataclasses import dataclass

HOLDS = "holds"
FAILS = "does not hold"
UNDECIDED = "undecided"
UNTESTABLE = "cannot be tested here"
VERDICTS = (HOLDS, FAILS, UNDECIDED, UNTESTABLE)


class Missing(Exception):
    """What a test needs and does not find: a file, a row, a column, a value."""


@dataclass(frozen=True)
class Outcome:
    """A verdict with the numbers that decided it and how they did."""

    verdict: str
    numbers: str
    how: str


def all_of(parts: Sequence[Outcome]) -> Outcome:
    """Every part must hold: one that fails decides, else one that is undecided."""
    return _combined(parts, (FAILS, UNDECIDED, HOLDS))


def any_of(parts: Sequence[Outcome]) -> Outcome:
    """One part is enough: one that holds decides, else one that is undecided."""
    return _combined(parts, (HOLDS, UNDECIDED, FAILS))


def _combined(parts: Sequence[Outcome], order: tuple[str, str, str]) -> Outcome:
    verdict = next(verdict for verdict in order if any(p.verdict == verdict for p in parts))
    return Outcome(verdict, joined(p.numbers for p in parts), joined(p.how for p in parts))


def joined(texts) -> str:
    """Texts in a row, none twice."""
    return "; ".join(dict.fromkeys(text for text in texts if text))


def shown(value: float) -> str:
    """Four digits are enough to see what decided."""
    if value != 0 and (abs(value) >= 1e6 or abs(value) < 1e-4):
        return f"{value:.2e}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")
