"""Kinds of settings: a method or protocol lists those it knows, and a config is checked by them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

REQUIRED: Any = object()
# Models are in single precision: a larger number would be infinite there.
LARGEST = 3.4e38


@dataclass(frozen=True)
class Setting:
    """A setting of any kind: its name, what it means, and its default if it may be left out."""

    name: str
    meaning: str
    default: Any = field(default=REQUIRED, kw_only=True)
    # Values where a search ends by nature, besides the least one allowed.
    ends: tuple[float, ...] = field(default=(), kw_only=True)
    # Whether a search may try values beyond those given; not so of budgets and scales.
    goes_on: bool = field(default=True, kw_only=True)

    @property
    def natural_ends(self) -> tuple[float, ...]:
        """An optimum at one of these is no sign that the search was too narrow."""
        least = getattr(self, "least", None)
        return self.ends if least is None else (least, *self.ends)

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def expected(self) -> str:
        """The values that are allowed, in words."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Whole(Setting):
    """A whole number."""

    least: int = field(default=1, kw_only=True)
    # Kernels count in 64 bits.
    most: int = field(default=2**62, kw_only=True)

    @property
    def expected(self) -> str:
        bound = "up" if self.most >= 2**62 else f"to {self.most}"
        return f"a whole number from {self.least} {bound}"

    def accepts(self, value: Any) -> bool:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and self.least <= value <= self.most


@dataclass(frozen=True)
class Real(Setting):
    """A number, from `least` up or `above` a bound where one is given."""

    least: float | None = field(default=None, kw_only=True)
    above: float | None = field(default=None, kw_only=True)

    @property
    def expected(self) -> str:
        if self.above is not None:
            return f"a number above {self.above:g}"
        return "a number" if self.least is None else f"a number from {self.least:g} up"

    def accepts(self, value: Any) -> bool:
        return (
            finite(value)
            and (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
        )


@dataclass(frozen=True)
class Share(Setting):
    """A part of a whole: more than nothing, less than all."""

    @property
    def expected(self) -> str:
        return "a share between 0 and 1"

    def accepts(self, value: Any) -> bool:
        return finite(value) and 0 < value < 1


@dataclass(frozen=True)
class Switch(Setting):
    """True or false."""

    @property
    def expected(self) -> str:
        return "true or false"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class OneOf(Setting):
    """One of several words."""

    options: tuple[str, ...] = field(kw_only=True)

    @property
    def expected(self) -> str:
        return f"one of {', '.join(self.options)}"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.options


@dataclass(frozen=True)
class Levels(Setting):
    """A mapping from rating values to numbers from 0 up."""

    @property
    def expected(self) -> str:
        return "a mapping from rating values to numbers from 0 up"

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, Mapping):
            return False
        numbers = value.values()
        return all(_is_level(level) for level in value) and all(
            finite(number) and number >= 0 for number in numbers
        )


def text_hint(value: Any) -> str:
    """YAML reads 1e-4 as text; a number needs a point and a sign."""
    try:
        float(value)
    except (TypeError, ValueError):
        return ""
    return ", which is text in YAML (write 1.0e-4, not 1e-4)" if isinstance(value, str) else ""


def finite(value: Any) -> bool:
    """Whether this is a number, and a finite one in single precision."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= LARGEST


def _is_level(level: Any) -> bool:
    """A rating value; the keys of JSON are text."""
    try:
        return not isinstance(level, bool) and finite(float(level))
    except (TypeError, ValueError, OverflowError):
        return False
