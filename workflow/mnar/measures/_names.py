"""The names that measures have in the config: which family they belong to, how they are shown.

Every file of this folder is a family, except those that start with an underscore.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from math import isfinite
from pathlib import Path

from mnar.core.errors import UserError
from mnar.matrices.context import NEEDS, Context
from mnar.measures._measure import Measure, Numbers, RankingMeasure


@dataclass(frozen=True)
class NumberInName:
    """What stands for <k>, <share>, … in a spelling."""

    pattern: str
    convert: Callable[[str], float]
    allowed: Callable[[float], bool]
    meaning: str
    example: str
    # Shown in place of the number.
    letter: str


_REAL = r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
_WHOLE = r"[0-9]+"
# Kernels count ranks in 32 bits.
MOST = 2**31 - 1

NUMBERS = {
    "<share>": NumberInName(_REAL, float, lambda share: share <= 1, "from 0 to 1", "0.2", "x"),
    "<k>": NumberInName(_WHOLE, int, lambda k: 1 <= k <= MOST, f"from 1 to {MOST}", "10", "k"),
    "<beta>": NumberInName(_REAL, float, isfinite, "at least 0 and finite", "0.5", "β"),
    "<sample>": NumberInName(_WHOLE, int, lambda n: 2 <= n <= MOST, f"from 2 to {MOST}", "5", "n"),
}


@dataclass(frozen=True)
class Named:
    """A name taken apart: recall@10(0.5) is the measure recall@<k>(<beta>) with 10 and 0.5."""

    measure: Measure
    numbers: Numbers
    module: str
    # What comes after a tilde: the weighting of its pairs, as mnar.estimators.estimator_names has it.
    scheme: str | None = None


def modules() -> list[str]:
    """The modules of all families."""
    stems = sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))
    return [f"mnar.measures.{stem}" for stem in stems]


@cache
def known() -> dict[str, tuple[Measure, str]]:
    """All measures and their modules, by spelling."""
    found: dict[str, tuple[Measure, str]] = {}
    for module in modules():
        for measure in import_module(module).MEASURES:
            if measure.spelling in found:
                other = found[measure.spelling][1]
                raise UserError(
                    f"{module} and {other} both have a measure {measure.spelling}; rename one."
                )
            found[measure.spelling] = measure, module
    return found


@cache
def _pattern(spelling: str) -> re.Pattern[str]:
    pattern = re.escape(spelling)
    for mark, number in NUMBERS.items():
        pattern = pattern.replace(mark, f"({number.pattern})")
    return re.compile(pattern)


@cache
def parse(name: str) -> Named:
    """The measure that a name stands for; adg~snips(popularity) is adg with other weights."""
    if "~" in name:
        plain, _, given = name.partition("~")
        named = parse(plain)
        if not isinstance(named.measure, RankingMeasure) or named.scheme:
            raise UserError(f"Measure {plain!r} of {name!r} takes no weights.")
        return replace(named, scheme=given)
    for spelling, (measure, module) in known().items():
        if match := _pattern(spelling).fullmatch(name):
            marks = re.findall("<[a-z]+>", spelling)
            pairs = [
                (NUMBERS[mark], text) for mark, text in zip(marks, match.groups(), strict=True)
            ]
            if all(number.allowed(float(text)) for number, text in pairs):
                numbers = tuple(number.convert(text) for number, text in pairs)
                weighting = getattr(measure, "weighting", None)
                scheme = weighting.format(*numbers) if weighting else None
                return Named(measure, numbers, module, scheme)
    limits = ", ".join(f"{mark} {number.meaning}" for mark, number in NUMBERS.items())
    near = get_close_matches(name, examples(), n=1)
    asked = f"did you mean {near[0]!r}? Known" if near else "known"
    raise UserError(f"Unknown measure {name!r}; {asked} are {', '.join(known())}, with {limits}.")


def spelt_out(name: str) -> str:
    """recall@10(0.5), which has weights of its own, is recall@10~snips(popularity,gamma=0.5)."""
    named = parse(name)
    if "~" in name or not isinstance(named.measure, RankingMeasure) or named.measure.weighs is None:
        return name
    return f"{named.measure.weighs.format(*named.numbers)}~{named.scheme}"


def known_measures() -> dict[str, Measure]:
    """What each measure says of itself, by spelling."""
    return {spelling: measure for spelling, (measure, _) in known().items()}


def check(name: str) -> None:
    """Raise a UserError unless `name` is a measure."""
    parse(name)


def examples() -> list[str]:
    """One name of each measure, with some numbers in it."""
    names = []
    for spelling in known():
        for mark, number in NUMBERS.items():
            spelling = spelling.replace(mark, number.example)
        names.append(spelling)
    return names


def modules_of(names: Iterable[str]) -> list[str]:
    """The modules of the families that these measures belong to."""
    return sorted({parse(name).module for name in names})


def label(name: str) -> str:
    """The name as figures and tables show it."""
    named = parse(name)
    text = named.measure.label.format(*named.numbers)
    return f"{text} ~ {named.scheme}" if "~" in name else text


def colour(name: str) -> str | None:
    """The colour that figures give the measure, if it has one."""
    return parse(name).measure.colour


def higher_is_better(name: str) -> bool:
    """False for errors; head_<k> describes a ranking, for it neither side is better."""
    return parse(name).measure.better != "lower"


def unbiased(name: str) -> bool:
    """Whether relevant items missing at random leave the expectation of the measure as it is."""
    named = parse(name)
    return named.measure.unbiased and not named.scheme


def fits(name: str, context: Context) -> bool:
    """Whether the context has what the measure needs."""
    needs = _needed(parse(name))
    return needs is None or getattr(context, needs) is not None


def _needed(named: Named) -> str | None:
    """The field of the context without which a measure cannot be taken."""
    return "weigh" if named.scheme else named.measure.needs


def check_fits(name: str, context: Context) -> None:
    """Raise a UserError unless the context has what the measure needs."""
    if not fits(name, context):
        named = parse(name)
        needs = _needed(named)
        assert needs is not None
        spelling = name if "~" in name else named.measure.spelling
        raise UserError(
            f"Measure {spelling} needs {NEEDS[needs]}, which are not there; leave it out."
        )
