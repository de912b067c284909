"""What an interactive chart shows of a figure's data; `mnar.reporting.interactive` draws it."""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Chart:
    """Columns of the CSV behind a figure, and how they become a chart with one panel a value."""

    # lines: y against x; dots: an interval a name; bars: shares of a whole a name.
    kind: Literal["lines", "dots", "bars"]
    x: str
    y: str
    x_title: str
    y_title: str = ""
    # What can be filtered, and what the colours stand for.
    filter: str = "method"
    colour: str = "method"
    panel: tuple[str, ...] = ()
    # Ends of the interval of the number; or its standard error.
    low: str | None = None
    high: str | None = None
    error: str | None = None
    # Another line style for each of its values.
    dash: str | None = None
    log: bool = False
    # Columns that become rows, for bars.
    parts: tuple[str, ...] = ()
    # Further columns that hovering shows.
    more: tuple[str, ...] = ()
    # Rows to show: column -> values.
    only: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    # Label and colour of values that are neither a method nor a measure.
    looks: dict[str, tuple[str, str]] = field(default_factory=dict)
    title: str = ""
