"""Helpers for tests of claims: a number against a bound, and the interval decides.

The whole 95 % interval on the claimed side: holds. On the other side: does not hold. Else
undecided. A number without interval decides nothing unless it is exact, without sampling error.
"""

from collections.abc import Callable, Iterable
from functools import wraps

import numpy as np
import pandas as pd
from scipy.special import ndtr

from mnar.claims.outcome import REACH, Measured, Missing, Outcome, all_of, joined, shown

NO_INTERVAL = "no interval, so the number alone decides nothing"


def _each(judge: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Of several numbers each must pass."""

    @wraps(judge)
    def judged(measured: Measured | Iterable[Measured], *bounds: float, **named: float) -> Outcome:
        if isinstance(measured, Measured):
            return judge(measured, *bounds, **named)
        return all_of(*(judge(one, *bounds, **named) for one in measured))

    return judged


@_each
def above(measured: Measured, bound: float) -> Outcome:
    return _one_sided(measured, bound, f"> {shown(bound)}", inclusive=False)


@_each
def at_least(measured: Measured, bound: float) -> Outcome:
    return _one_sided(measured, bound, f"≥ {shown(bound)}", inclusive=True)


@_each
def below(measured: Measured, bound: float) -> Outcome:
    return _mirrored(measured, bound, f"< {shown(bound)}", inclusive=False)


@_each
def at_most(measured: Measured, bound: float) -> Outcome:
    return _mirrored(measured, bound, f"≤ {shown(bound)}", inclusive=True)


@_each
def between(measured: Measured, low: float, high: float) -> Outcome:
    """Both bounds must be kept. Only one can be broken, so neither side is corrected for two."""
    parts = at_least(measured, low), at_most(measured, high)
    p_for = max(part.p_for for part in parts)
    p_against = min(part.p_against for part in parts)
    how = joined([f"within [{shown(low)}, {shown(high)}]", _caveat(measured)])
    return Outcome.by_p(p_for, p_against, str(measured), how, measured, not measured.exact)


@_each
def close(measured: Measured, to: float, within: float) -> Outcome:
    """Equivalence: the whole interval lies within a margin. Absence of evidence is no agreement."""
    return between(measured, to - within, to + within)


def significant(measured: Measured, p: float) -> Outcome:
    """A difference above 0 by the two-sided p of another test than its interval."""
    p_for, p_against = (p, 1.0) if measured.value > 0 else (1.0, p)
    if np.isnan(p):
        p_for = p_against = 1.0
    numbers = f"{measured}, p {shown(p)}"
    return Outcome.by_p(p_for, p_against, numbers, "> 0 with p < 0.05", measured)


def share_of_samples(measured: Measured) -> Outcome:
    """Something is so in this share of bootstrap samples; in nearly all: holds."""
    share = measured.value
    p_for, p_against = min(1.0, 2 * (1 - share)), min(1.0, 2 * share)
    how = "in more than 97.5 % of the bootstrap samples"
    return Outcome.by_p(p_for, p_against, str(measured), how, measured)


def usual(measured: Measured) -> Outcome:
    """Something is so in this share of random divisions of the same data: nearly all, or hardly any.

    They are no samples of users, so there is no p-value.
    """
    share = measured.value
    how = "in more than 97.5 % of the random divisions holds, in less than 2.5 % does not"
    p_for, p_against = float(share <= 0.975), float(share >= 0.025)
    return Outcome.by_p(p_for, p_against, str(measured), how, measured, sampled=False)


def is_so(right: bool, numbers: str, how: str) -> Outcome:
    """A statement without sampling error: mathematics, or a fact of the paper's own data."""
    return Outcome.by_p(float(not right), float(right), numbers, how, sampled=False)


def unbiased(rows: pd.DataFrame, bias: str = "z") -> Outcome:
    """The bias in standard errors is within the bound for all rows at once."""
    z, bound = rows[bias].abs(), rows["bound"]
    numbers = f"largest |z| {z.max():.3g}, bound {bound.iloc[0]:.3g}, {len(rows)} rows"
    return is_so(bool((z < bound).all()), numbers, "|z| below its simultaneous 99 % bound")


def published(
    rows: pd.DataFrame, *, within: float = 0.0, relative: float = 0.0, errors: float = 0.0
) -> Outcome:
    """Every number that has a published one beside it is near to it; `relative` in per cent."""
    if "published" not in rows or rows["published"].isna().all():
        raise Missing("the paper has no number for this dataset")
    rows = rows[rows["published"].notna() & rows["mean"].notna()]
    if rows.empty:
        raise Missing("nothing of ours stands beside the paper's numbers")
    ours, theirs = rows["mean"].to_numpy(float), rows["published"].to_numpy(float)
    allowed = np.maximum(within, relative / 100 * np.abs(theirs))
    if errors:
        names = [name for name in ("sem", "published_sem") if name in rows]
        squares = sum(rows[name].fillna(0).to_numpy(float) ** 2 for name in names)
        allowed = np.maximum(allowed, errors * np.sqrt(squares))
    away = np.abs(ours - theirs)
    near = away <= allowed * (1 + 1e-9)
    worst = int(np.argmax(away - allowed))
    numbers = (
        f"{near.sum()} of {len(near)} near enough, farthest {shown(ours[worst])} against "
        f"{shown(theirs[worst])}"
    )
    sizes = {f"{within:g}": within, f"{relative:g} %": relative}
    sizes |= {f"{errors:g} standard errors": errors}
    words = " or ".join(text for text, size in sizes.items() if size) or "0"
    return is_so(bool(near.all()), numbers, f"|ours − published| ≤ {words}")


def difference(first: Measured, second: Measured) -> Measured:
    """First − second of independent samples: widths add in squares."""
    value, name = first.value - second.value, f"{first.name} − {second.name}"
    if not (first.is_sure and second.is_sure) or (first.exact and second.exact):
        return Measured(value, name=name, exact=first.exact and second.exact)
    (down, up), (other_down, other_up) = (
        (0.0, 0.0) if m.exact else (m.value - m.low, m.high - m.value) for m in (first, second)
    )
    low, high = value - np.hypot(down, other_up), value + np.hypot(up, other_down)
    return Measured(value, float(low), float(high), name)


def _one_sided(measured: Measured, bound: float, words: str, inclusive: bool) -> Outcome:
    how = joined([words, _caveat(measured)])
    if not measured.is_sure:
        return Outcome.by_p(1, 1, str(measured), how, measured)
    value = measured.value
    low, high = (value, value) if measured.exact else (measured.low, measured.high)
    p_for = _p(value - bound, value - low, inclusive)
    p_against = _p(bound - value, high - value, not inclusive)
    return Outcome.by_p(p_for, p_against, str(measured), how, measured, not measured.exact)


def _mirrored(measured: Measured, bound: float, words: str, inclusive: bool) -> Outcome:
    """The same from the other side, with the number itself shown."""
    found = _one_sided(-measured, -bound, words, inclusive)
    return Outcome.by_p(
        found.p_for, found.p_against, str(measured), found.how, measured, found.sampled
    )


def _p(distance: float, reach: float, inclusive: bool) -> float:
    """Two-sided p of a number that lies this far on one side of a bound.

    By the normal distribution, from the end of the interval that points to the bound: p is below
    5 % exactly where the interval excludes it.
    """
    if distance < 0 or (distance == 0 and not inclusive):
        return 1.0
    if reach <= 0:
        return 0.0
    p = 2 * float(ndtr(-REACH * distance / reach))
    # An interval that ends on a bound that may be reached keeps it.
    return p * (1 - 1e-6) if inclusive else p


def _caveat(measured: Measured) -> str:
    return "" if measured.is_sure else NO_INTERVAL
