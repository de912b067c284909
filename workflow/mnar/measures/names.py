"""The names measures have in the config: what they mean, how they are shown (docs/measures.md)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from mnar.core.errors import UserError


@dataclass(frozen=True)
class NumberInName:
    """What stands for <k>, <share>, … in a spelling."""

    pattern: str
    convert: Callable[[str], float]
    allowed: Callable[[float], bool]
    meaning: str


@dataclass(frozen=True)
class Kind:
    """A family of measures: how its names are spelt and shown."""

    spelling: str
    label: str
    # An unbiased estimate of its value on complete data (lim2015 section 5, steck2010 section 2.2).
    unbiased: bool = False


@dataclass(frozen=True)
class Measure:
    """A name taken apart: recall@10(0.5) is the kind stratified_recall with the numbers 10, 0.5."""

    kind: str
    numbers: tuple[float, ...]


_REAL = r"\d+(?:\.\d+)?(?:e-?\d+)?"
_WHOLE = r"\d+"

NUMBERS = {
    "<share>": NumberInName(_REAL, float, lambda share: share <= 1, "from 0 to 1"),
    "<k>": NumberInName(_WHOLE, int, lambda k: k >= 1, "at least 1"),
    "<beta>": NumberInName(_REAL, float, lambda beta: True, "at least 0"),
    "<sample>": NumberInName(_WHOLE, int, lambda sample: sample >= 2, "at least 2"),
}

KINDS = {
    "atop": Kind("atop", "ATOP", unbiased=True),
    "sampled_atop": Kind("sampled_atop(<sample>)", "ATOP, Ñ = {0}", unbiased=True),
    "topk": Kind("topk(<share>)", "TOPK({0:.10g})", unbiased=True),
    "sampled_topk": Kind(
        "sampled_topk(<share>,<sample>)", "TOPK({0:.10g}), Ñ = {1}", unbiased=True
    ),
    "auc": Kind("auc", "AUC"),
    "auc_aman": Kind("auc_aman", "AUC-AMAN"),
    "auc_rand": Kind("auc_rand", "AUC-rand"),
    "adg": Kind("adg", "ADG", unbiased=True),
    "ndcg": Kind("ndcg", "NDCG"),
    "map": Kind("map", "MAP"),
    "recall": Kind("recall@<k>", "Recall@{0}", unbiased=True),
    "stratified_recall": Kind("recall@<k>(<beta>)", "Recall@{0}, β = {1:.10g}"),
    "head": Kind("head_<k>", "Head items in top {0}"),
    "rmse": Kind("rmse", "RMSE"),
    "track2_error": Kind("track2_error", "Track 2 error"),
}

# Errors, not gains: less is better.
_ERRORS = ("rmse", "track2_error")


@cache
def _pattern(spelling: str) -> re.Pattern[str]:
    pattern = re.escape(spelling)
    for mark, number in NUMBERS.items():
        pattern = pattern.replace(mark, f"({number.pattern})")
    return re.compile(pattern)


@cache
def parse(name: str) -> Measure:
    """The measure that a name stands for."""
    for kind, about in KINDS.items():
        if match := _pattern(about.spelling).fullmatch(name):
            found = re.findall("<[a-z]+>", about.spelling)
            pairs = [(NUMBERS[one], text) for one, text in zip(found, match.groups(), strict=True)]
            numbers = tuple(number.convert(text) for number, text in pairs)
            if all(number.allowed(float(text)) for number, text in pairs):
                return Measure(kind, numbers)
    known = ", ".join(about.spelling for about in KINDS.values())
    limits = ", ".join(f"{one} {number.meaning}" for one, number in NUMBERS.items())
    raise UserError(f"Unknown measure {name!r}; known are {known}, with {limits}.")


def check(name: str) -> None:
    """Raise a UserError unless `name` is a measure."""
    parse(name)


def label(name: str) -> str:
    """The name as figures and tables show it."""
    measure = parse(name)
    return KINDS[measure.kind].label.format(*measure.numbers)


def higher_is_better(name: str) -> bool:
    """False for errors; head_<k> describes a ranking, for it neither side is better."""
    return parse(name).kind not in _ERRORS


def unbiased(name: str) -> bool:
    """Whether relevant items missing at random leave the expectation of the measure as it is."""
    return KINDS[parse(name).kind].unbiased
