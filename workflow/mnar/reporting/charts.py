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
    # Rows with x up to here.
    upto: float | None = None
    # A column that is true at the best point of a line, and the two lines between whose stars all is grey.
    star: str | None = None
    band: tuple[str, ...] = ()
    # A line at 0; a dashed one for each colour, at the values of a column.
    zero: bool = False
    reach: str | None = None
    # Names at the ends of lines instead of a legend.
    named: bool = False
    # One scale of values for all panels, so that they can be compared.
    same_scale: bool = False
    # Label and colour of values that are neither a method nor a measure.
    looks: dict[str, tuple[str, str]] = field(default_factory=dict)
    title: str = ""
    # What it shows, where that is not what the figure's caption says of the still picture.
    caption: str = ""
