"""Kinds of settings: a method lists those it knows, and a config is checked by them."""

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

    @property
    def expected(self) -> str:
        return f"a whole number from {self.least} up"

    def accepts(self, value: Any) -> bool:
        whole = isinstance(value, int) and not isinstance(value, bool)
        # Kernels count in 64 bits.
        return whole and self.least <= value < 2**62


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
