"""Tests as claims.yaml has them, checked when the list is read and applied to tables later.

{<quantity>: …, above | at_least | below | at_most: number, inside: [a, b], contains: number}
    a quantity within bounds: its whole interval must be, else it is undecided; without an
    interval, or with `by: point`, the number alone decides. With `contains` the interval must
    hold a number, and not be wider than `widest`. `every: true`: each row of the pick.
{significant: pick, p: column, direction: greater | less | none}
    a tested difference: p below 5 % in that direction, or in none
{order: {key: column, sequence: [a, b, …], …pick}, step: number}
    values rise from one to the next by more than the step
{published: pick, within: number, relative: per cent, errors: number}
    every number that has a published one beside it is near to it
{all: [tests]}, {any: [tests]}, {each: {name: [values]}, test: …}
    several; in `each`, {name} in the test is filled in, `where_known: true` skips what is missing
{same: {name: [test, test]}}
    of each pair both have the same verdict, holds or does not hold
{in: file, test: …}
    a test on another file than the claim's own
{identity: name}, {untestable: reason}
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, Protocol

import numpy as np

from mnar.claims import identities, quantities
from mnar.claims.outcome import (
    FAILS,
    HOLDS,
    UNDECIDED,
    UNTESTABLE,
    Missing,
    Outcome,
    all_of,
    any_of,
    joined,
    shown,
)
from mnar.claims.quantities import Measured, measured
from mnar.claims.tables import COMPARISONS, Tables
from mnar.core.errors import UserError

LEVEL = 0.05
DIRECTIONS = ("greater", "less", "not greater", "none")
SIGNS = {"above": ">", "at_least": "≥", "below": "<", "at_most": "≤"}


class Test(Protocol):
    def apply(self, tables: Tables) -> Outcome: ...


@dataclass(frozen=True)
class Several:
    parts: tuple[Test, ...]
    combine: Callable[[list[Outcome]], Outcome]
    where_known: bool = False

    def apply(self, tables: Tables) -> Outcome:
        found, missing = [], []
        for part in self.parts:
            try:
                found.append(part.apply(tables))
            except Missing as reason:
                if not self.where_known:
                    raise
                missing.append(str(reason))
        if not found:
            raise Missing(joined(missing))
        return self.combine(found)


@dataclass(frozen=True)
class Same:
    """Two tests with one verdict: what was so in one place is so in another."""

    name: str
    pair: tuple[Test, Test]

    def apply(self, tables: Tables) -> Outcome:
        first, second = (test.apply(tables) for test in self.pair)
        known = {first.verdict, second.verdict}
        verdict = UNDECIDED if UNDECIDED in known else FAILS if len(known) > 1 else HOLDS
        words = first.verdict if len(known) == 1 else f"{first.verdict}, there {second.verdict}"
        return Outcome(verdict, f"{self.name} {words}", "the verdicts are the same")


@dataclass(frozen=True)
class Elsewhere:
    """A test on another file."""

    file: str
    test: Test

    def apply(self, tables: Tables) -> Outcome:
        return self.test.apply(tables.of(self.file))


@dataclass(frozen=True)
class Bounded:
    """A quantity against bounds."""

    what: Mapping[str, Any]
    bounds: Mapping[str, Any]
    by_point: bool
    every: bool
    family: int
    undecided_else: bool

    def apply(self, tables: Tables) -> Outcome:
        if self.every:
            rows, values = quantities.series(tables, self.what)
            all_rows = quantities.each_row(rows, values, self.what)
            found = [
                self._decide(one, {name: _limit(row, b) for name, b in self.bounds.items()})
                for one, (_, row) in zip(all_rows, rows.iterrows(), strict=True)
            ]
            return _over_rows(found)
        return self._decide(measured(tables, self.what), self.bounds)

    def _decide(self, found: Measured, bounds: Mapping[str, Any]) -> Outcome:
        found = found.widened(self.family)
        low, high = found.low, found.high
        if self.by_point or not found.has_interval:
            low = high = found.value
        verdicts = [_against(name, bound, low, high) for name, bound in _limits(bounds)]
        if "contains" in bounds:
            verdicts.append(_contains(bounds, low, high))
        verdict = next(v for v in (FAILS, UNDECIDED, HOLDS) if v in verdicts)
        if verdict == FAILS and self.undecided_else:
            verdict = UNDECIDED
        words = [f"{SIGNS[name]} {shown(bound)}" for name, bound in _limits(bounds)]
        if "contains" in bounds:
            wide = f" and is narrower than {shown(bounds['widest'])}" if "widest" in bounds else ""
            words.append(f"interval holds {bounds['contains']}{wide}")
        alone = "" if found.has_interval and not self.by_point else "by the number alone"
        source = joined([alone, "" if self.by_point else found.source])
        return Outcome(verdict, str(found), joined([" and ".join(words), source]))


def _limit(row: Any, bound: Any) -> Any:
    """A bound that names a column, perhaps times a number, is that row's."""
    if not isinstance(bound, str):
        return bound
    *factor, column = bound.split(" * ")
    if column not in row:
        raise Missing(f"there is no column {column}")
    return float(row[column]) * float(factor[0] if factor else 1)


def _limits(bounds: Mapping[str, Any]) -> list[tuple[str, float]]:
    pairs = [(name, bounds[name]) for name in SIGNS if name in bounds]
    if "inside" in bounds:
        pairs += [("at_least", bounds["inside"][0]), ("at_most", bounds["inside"][1])]
    return pairs


def _against(name: str, bound: float, low: float, high: float) -> str:
    ends = [bool(COMPARISONS[name](end, bound)) for end in (low, high)]
    return HOLDS if all(ends) else FAILS if not any(ends) else UNDECIDED


def _contains(bounds: Mapping[str, Any], low: float, high: float) -> str:
    if not low <= bounds["contains"] <= high:
        return FAILS
    return UNDECIDED if high - low > bounds.get("widest", np.inf) else HOLDS


def _over_rows(found: list[Outcome]) -> Outcome:
    """All must hold; the row that decides is shown, with how many there are."""
    combined = all_of(found)
    if len(found) == 1:
        return combined
    agreeing = sum(one.verdict == HOLDS for one in found)
    worst = next(one for one in found if one.verdict == combined.verdict)
    numbers = f"{agreeing} of {len(found)} rows, e.g. {worst.numbers}"
    return Outcome(combined.verdict, numbers, f"every row: {worst.how}")


@dataclass(frozen=True)
class Significant:
    """A difference with a two-sided p that is corrected for its family."""

    pick: Mapping[str, Any]
    p: str
    direction: str

    def apply(self, tables: Tables) -> Outcome:
        found = measured(tables, self.pick)
        two_sided = measured(tables, {**self.pick, "column": self.p, "interval": "none"}).value
        greater = two_sided / 2 if found.value > 0 else 1 - two_sided / 2
        how = "corrected resampled t-test over folds, Holm over the family"
        if self.direction == "none":
            numbers = f"{found}, two-sided p {shown(two_sided)}"
            return Outcome(FAILS if two_sided < LEVEL else HOLDS, numbers, f"{how}, p ≥ 0.05")
        one_sided = greater if self.direction == "greater" else 1 - greater
        numbers = f"{found}, one-sided p {shown(one_sided)}"
        if self.direction == "not greater":
            numbers = f"{found}, one-sided p {shown(greater)}"
            return Outcome(FAILS if greater < LEVEL else HOLDS, numbers, f"{how}, not > 0")
        verdict = HOLDS if one_sided < LEVEL else FAILS if one_sided > 1 - LEVEL else UNDECIDED
        sign = ">" if self.direction == "greater" else "<"
        return Outcome(verdict, numbers, f"{how}, {sign} 0 with p < 0.05")


@dataclass(frozen=True)
class Share:
    """The share of resampled data sets in which something is so."""

    pick: Mapping[str, Any]

    def apply(self, tables: Tables) -> Outcome:
        found = measured(tables, self.pick)
        verdict = (
            HOLDS if found.value >= 1 - LEVEL else FAILS if found.value <= LEVEL else UNDECIDED
        )
        return Outcome(verdict, str(found), "share of bootstrap samples ≥ 95 %")


@dataclass(frozen=True)
class Published:
    """Ours beside published: how many are near enough."""

    pick: Mapping[str, Any]
    within: float = 0.0
    relative: float = 0.0
    errors: float = 0.0

    def apply(self, tables: Tables) -> Outcome:
        rows, values = quantities.series(tables, self.pick)
        if "published" not in rows or rows["published"].isna().all():
            raise Missing("the paper has no number for this dataset")
        known = rows["published"].notna().to_numpy()
        rows, values = rows[known], values[known]
        theirs = rows["published"].to_numpy(float)
        allowed = np.maximum(self.within, self.relative / 100 * np.abs(theirs))
        if self.errors:
            squares = sum(
                rows[name].fillna(0).to_numpy(float) ** 2
                for name in ("sem", "published_sem")
                if name in rows
            )
            allowed = np.maximum(allowed, self.errors * np.sqrt(squares))
        away = np.abs(values - theirs)
        near = away <= allowed * (1 + 1e-9)
        worst = int(np.argmax(away - allowed))
        numbers = (
            f"{near.sum()} of {len(near)} near enough, farthest {shown(values[worst])} against "
            f"{shown(theirs[worst])}"
        )
        parts = [
            (self.within, f"{self.within:g}"),
            (self.relative, f"{self.relative:g} %"),
            (self.errors, f"{self.errors:g} standard errors"),
        ]
        words = " or ".join(text for size, text in parts if size) or "exactly"
        return Outcome(HOLDS if near.all() else FAILS, numbers, f"|ours − published| ≤ {words}")


@dataclass(frozen=True)
class Identity:
    name: str

    def apply(self, tables: Tables) -> Outcome:
        right, numbers, how = identities.IDENTITIES[self.name]()
        return Outcome(HOLDS if right else FAILS, numbers, how)


@dataclass(frozen=True)
class Untestable:
    reason: str

    def apply(self, tables: Tables) -> Outcome:
        return Outcome(UNTESTABLE, "", self.reason)


# Reading


@dataclass
class Parser:
    """Makes a test of what is written; an error says in which claim it is."""

    place: str
    kinds: dict[str, Callable[[dict[str, Any]], Test]] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = {
            "all": self._all,
            "any": self._any,
            "each": self._each,
            "same": self._same,
            "in": self._elsewhere,
            "order": self._order,
            "significant": self._significant,
            "share": self._share,
            "published": self._published,
            "identity": self._identity,
            "untestable": self._untestable,
        }

    def parse(self, test: Any) -> Test:
        if not isinstance(test, dict) or not test:
            raise self._error(f"a test must be a mapping, not {test!r}")
        names = [name for name in test if name in self.kinds]
        if names:
            return self.kinds[names[0]](test)
        return self._bounded(test)

    def _error(self, text: str) -> UserError:
        return UserError(f"{self.place}: {text}")

    def _only(self, test: dict[str, Any], *allowed: str) -> None:
        for name in test:
            if name not in allowed:
                raise self._error(f"{name!r} has no place in a test with {allowed[0]!r}")

    def _bounded(self, test: dict[str, Any]) -> Test:
        kinds = [name for name in test if name == "value" or name in quantities.QUANTITIES]
        if len(kinds) != 1:
            known = ", ".join([*self.kinds, "value", *quantities.QUANTITIES])
            raise self._error(f"a test needs one of {known}; found {', '.join(map(str, test))}")
        kind = kinds[0]
        bounds = {
            name: test[name] for name in (*SIGNS, "inside", "contains", "widest") if name in test
        }
        options = ("by", "every", "family", "else")
        self._only(test, kind, *SIGNS, "inside", "contains", "widest", *options)
        if not set(bounds) - {"widest"}:
            raise self._error(f"a test of {kind!r} needs a bound, e.g. above: 0")
        if test.get("every") and kind != "value":
            raise self._error("`every` goes with `value` only")
        if test.get("by", "point") != "point":
            raise self._error(f"`by` can only be point, not {test['by']!r}")
        if test.get("else", UNDECIDED) != UNDECIDED:
            raise self._error(f"`else` can only be undecided, not {test['else']!r}")
        words = [value for value in bounds.values() if isinstance(value, str)]
        if words and not test.get("every"):
            raise self._error(f"a column as a bound ({words[0]}) needs `every: true`")
        what = test["value"] if kind == "value" else {kind: test[kind]}
        self._check(what)
        return Bounded(
            what,
            bounds,
            "by" in test,
            bool(test.get("every")),
            int(test.get("family", 1)),
            "else" in test,
        )

    def _check(self, what: Any) -> None:
        """A quantity is made of what it should be."""
        if isinstance(what, (int, float)):
            return
        if not isinstance(what, dict):
            raise self._error(f"{what!r} is neither a number nor a selection of rows")
        kind = quantities.kind_of(what)
        if kind is None:
            if what.get("take", "mean") not in quantities.TAKES:
                raise self._error(f"`take` can be {', '.join(quantities.TAKES)}")
            return
        spec = what[kind]
        if kind in ("difference", "ratio", "gain"):
            if not isinstance(spec, list) or len(spec) != 2:
                raise self._error(f"{kind!r} needs a list of two")
            for one in spec:
                self._check(one)
            return
        needed = {"argmax": "along", "argmin": "along", "worst_rise": "along", "shortfall": "at"}
        if not isinstance(spec, dict) or needed.get(kind, "of") not in spec:
            raise self._error(f"{kind!r} needs {needed.get(kind, 'of')!r}")

    def _several(self, parts: Any, combine: Callable, where_known: bool = False) -> Test:
        if not isinstance(parts, list) or not parts:
            raise self._error("a list of tests is needed")
        return Several(tuple(self.parse(part) for part in parts), combine, where_known)

    def _all(self, test: dict[str, Any]) -> Test:
        self._only(test, "all")
        return self._several(test["all"], all_of)

    def _any(self, test: dict[str, Any]) -> Test:
        self._only(test, "any")
        return self._several(test["any"], any_of)

    def _each(self, test: dict[str, Any]) -> Test:
        self._only(test, "each", "test", "where_known")
        names, lists = list(test["each"]), list(test["each"].values())
        if "test" not in test or not all(isinstance(one, list) for one in lists):
            raise self._error("`each` needs lists of values, and a `test` beside it")
        parts = [
            filled(test["test"], dict(zip(names, values, strict=True)))
            for values in product(*lists)
        ]
        return self._several(parts, all_of, bool(test.get("where_known")))

    def _same(self, test: dict[str, Any]) -> Test:
        self._only(test, "same")
        pairs = test["same"]
        if not isinstance(pairs, dict) or not pairs:
            raise self._error("`same` needs names, each with two tests")
        parts = []
        for name, pair in pairs.items():
            if not isinstance(pair, list) or len(pair) != 2:
                raise self._error(f"`same` needs two tests for {name}")
            parts.append(Same(name, (self.parse(pair[0]), self.parse(pair[1]))))
        return Several(tuple(parts), all_of)

    def _elsewhere(self, test: dict[str, Any]) -> Test:
        self._only(test, "in", "test")
        if not isinstance(test["in"], str) or "test" not in test:
            raise self._error("`in` needs a file, and a `test` beside it")
        return Elsewhere(test["in"], self.parse(test["test"]))

    def _order(self, test: dict[str, Any]) -> Test:
        self._only(test, "order", "step", "by")
        spec = dict(test["order"])
        key, sequence = spec.pop("key", None), spec.pop("sequence", None)
        if key is None or not isinstance(sequence, list) or len(sequence) < 2:
            raise self._error("`order` needs a key and a sequence of at least two")
        more = {"by": test["by"]} if "by" in test else {}
        parts = [
            {
                "difference": [{key: after, **spec}, {key: before, **spec}],
                "above": test.get("step", 0),
            }
            | more
            for before, after in pairwise(sequence)
        ]
        return self._several(parts, all_of)

    def _significant(self, test: dict[str, Any]) -> Test:
        self._only(test, "significant", "p", "direction")
        direction = test.get("direction", "greater")
        if direction not in DIRECTIONS or "p" not in test:
            known = ", ".join(DIRECTIONS)
            raise self._error(f"`significant` needs p: a column, and a direction: {known}")
        return Significant(test["significant"], test["p"], direction)

    def _share(self, test: dict[str, Any]) -> Test:
        self._only(test, "share")
        self._check(test["share"])
        return Share(test["share"])

    def _published(self, test: dict[str, Any]) -> Test:
        self._only(test, "published", "within", "relative", "errors")
        return Published(
            test["published"] or {},
            *(float(test.get(name, 0)) for name in ("within", "relative", "errors")),
        )

    def _identity(self, test: dict[str, Any]) -> Test:
        self._only(test, "identity")
        if test["identity"] not in identities.IDENTITIES:
            known = ", ".join(identities.IDENTITIES)
            raise self._error(f"no identity {test['identity']!r}; there are {known}")
        return Identity(test["identity"])

    def _untestable(self, test: dict[str, Any]) -> Test:
        self._only(test, "untestable")
        return Untestable(str(test["untestable"]))


def filled(what: Any, values: Mapping[str, Any]) -> Any:
    """{name} replaced throughout; alone in its text it may also become a number or a list."""
    if isinstance(what, dict):
        return {key: filled(value, values) for key, value in what.items()}
    if isinstance(what, list):
        return [filled(value, values) for value in what]
    if isinstance(what, str):
        for name, value in values.items():
            if what == f"{{{name}}}":
                return value
            what = what.replace(f"{{{name}}}", str(value))
    return what
