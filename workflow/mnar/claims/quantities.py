"""What a test looks at: a number from a table, or one made of several, with its interval.

A *pick* names rows by the values of their columns, e.g. {method: svd, measure: adg}, and may say
    column     what to read (default: mean)
    less       a column to subtract from it, row by row
    absolute   true: without its sign
    take       of several rows: largest, smallest, median, mean, share (of true ones), count
    interval   [low, high] columns, `sem`, or `none` (default: what goes with the column)
    file       another file than the claim's own
Everywhere a pick can stand, a number or another quantity can.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from mnar.claims.outcome import Missing, joined, shown
from mnar.claims.tables import Tables, numeric
from mnar.statistics import correlation

OPTIONS = ("column", "less", "absolute", "take", "interval", "file")
# Columns of tables of differences that say what was subtracted.
SUBTRACTED = ("minus", "against", "other_weight")
TAKES: dict[str, Callable[[np.ndarray], float]] = {
    "largest": np.max,
    "smallest": np.min,
    "median": np.median,
    "mean": np.mean,
    "share": np.mean,
    "count": len,
}


@dataclass(frozen=True)
class Measured:
    """A number, its 95 % interval (NaN: not known), what it is, where the interval is from."""

    value: float
    low: float
    high: float
    name: str
    source: str = ""

    @property
    def has_interval(self) -> bool:
        return not np.isnan(self.low) and not np.isnan(self.high)

    def widened(self, family: int) -> "Measured":
        """The interval for several tests at once (Bonferroni, by the normal distribution)."""
        if family == 1 or not self.has_interval:
            return self
        from scipy.special import ndtri

        factor = float(ndtri(1 - 0.025 / family) / ndtri(0.975))
        low = self.value - factor * (self.value - self.low)
        high = self.value + factor * (self.high - self.value)
        return replace(
            self, low=low, high=high, source=f"{self.source}, for {family} tests at once"
        )

    def __str__(self) -> str:
        interval = f" [{shown(self.low)}, {shown(self.high)}]" if self.has_interval else ""
        return f"{self.name} {shown(self.value)}{interval}".strip()


def exact(value: float, name: str = "") -> Measured:
    return Measured(float(value), np.nan, np.nan, name)


def measured(tables: Tables, what: Any) -> Measured:
    """A number, a pick or a quantity."""
    if isinstance(what, (int, float)):
        return exact(what)
    kind = kind_of(what)
    if kind:
        return QUANTITIES[kind](tables, what[kind])
    return picked(tables, what)


def kind_of(what: Mapping[str, Any]) -> str | None:
    return next((name for name in what if name in QUANTITIES), None)


def split(pick: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Filters and options of a pick."""
    filters = {name: value for name, value in pick.items() if name not in OPTIONS}
    return filters, {name: value for name, value in pick.items() if name in OPTIONS}


def series(tables: Tables, pick: Mapping[str, Any]) -> tuple[pd.DataFrame, np.ndarray]:
    """The rows of a pick and their numbers; rows without one are left out."""
    filters, options = split(pick)
    rows = tables.rows(filters, options.get("file"))
    values = _column(tables, rows, options.get("column", "mean"), options)
    if "less" in options:
        values = values - _column(tables, rows, options["less"], options)
    if options.get("absolute"):
        values = np.abs(values)
    known = ~np.isnan(values)
    if not known.any():
        raise Missing(f"{tables.name(options.get('file'))} has no value there")
    return (rows, values) if known.all() else (rows[known], values[known])


def _column(
    tables: Tables, rows: pd.DataFrame, name: str, options: Mapping[str, Any]
) -> np.ndarray:
    if name not in rows:
        raise Missing(f"{tables.name(options.get('file'))} has no column {name}")
    if rows[name].dtype == bool:
        return rows[name].to_numpy(float)
    if rows[name].dtype == object:
        return numeric(rows[name].replace({"True": 1, "False": 0, True: 1, False: 0}))
    return numeric(rows[name])


def picked(tables: Tables, pick: Mapping[str, Any]) -> Measured:
    """One number; of several rows what `take` says."""
    rows, values = series(tables, pick)
    _, options = split(pick)
    name = label(pick)
    if "take" in options:
        value = float(TAKES[options["take"]](values))
        return Measured(value, np.nan, np.nan, f"{options['take']} {name}", f"n = {len(values)}")
    if len(rows) > 1:
        raise Missing(f"{tables.name(options.get('file'))} has {len(rows)} rows for {name}")
    return each_row(rows, values, pick)[0]


def each_row(rows: pd.DataFrame, values: np.ndarray, pick: Mapping[str, Any]) -> list[Measured]:
    """The number of every row with its own interval."""
    _, options = split(pick)
    name = label(pick)
    found = []
    for place, value in enumerate(values):
        low, high, source = _interval(rows.iloc[place], float(value), options)
        found.append(Measured(float(value), low, high, name, source))
    return found


def label(pick: Mapping[str, Any]) -> str:
    """A short name: what the filters ask for."""
    filters, options = split(pick)
    words = [_words_of(name, value) for name, value in filters.items()]
    column = options.get("column", "mean")
    if column != "mean":
        words.append(column if "less" not in options else f"{column} − {options['less']}")
    elif "less" in options:
        words.append(f"− {options['less']}")
    return " ".join(word for word in words if word)


def _words_of(name: str, value: Any) -> str:
    if isinstance(value, list):
        names = list(map(str, value))
        return "/".join(names if len(names) <= 3 else [names[0], "…", names[-1]])
    if isinstance(value, Mapping):
        return ""
    if name in SUBTRACTED:
        return f"− {value}" if value != "" else ""
    return f"{name} {value}" if isinstance(value, (int, float)) else value


def _interval(row: pd.Series, value: float, options: Mapping[str, Any]) -> tuple[float, float, str]:
    """From named columns; else low and high beside the column; else Student's t over folds."""
    wanted = options.get("interval")
    if wanted == "none" or options.get("absolute") or ("less" in options and not wanted):
        return np.nan, np.nan, ""
    column = options.get("column", "mean")
    if isinstance(wanted, list):
        names = tuple(wanted)
    else:
        names = ("low", "high") if column == "mean" else (f"{column}_low", f"{column}_high")
    if wanted != "sem" and all(name in row and pd.notna(row[name]) for name in names):
        return float(row[names[0]]), float(row[names[1]]), "95 % interval over users"
    if column == "mean" and pd.notna(row.get("sem")) and row.get("n", 0) > 1:
        reach = _student(row["n"]) * row["sem"]
        source = f"95 % interval by Student's t over n = {row['n']:.0f}"
        return value - reach, value + reach, source
    return np.nan, np.nan, ""


def _student(n: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, 0.975))


def _two(tables: Tables, pair: list[Any]) -> tuple[Measured, Measured]:
    first, second = (measured(tables, what) for what in pair)
    return first, second


def difference(tables: Tables, pair: list[Any]) -> Measured:
    """First − second. Widths add in squares: as if not paired, so rather too wide."""
    first, second = _two(tables, pair)
    value = first.value - second.value
    name = _name_of_two(pair, first, second)
    sides = [side for side in (first, second) if side.has_interval]
    if not sides:
        return exact(value, name)
    below = np.sqrt(sum(_reach(side, side is second) ** 2 for side in sides))
    above = np.sqrt(sum(_reach(side, side is first) ** 2 for side in sides))
    source = sides[0].source if len(sides) == 1 else f"{sides[0].source}, unpaired"
    return Measured(value, value - below, value + above, name, source)


def _name_of_two(pair: list[Any], first: Measured, second: Measured) -> str:
    """What the two have in common is said once, at the end."""
    plain = all(isinstance(what, Mapping) and not kind_of(what) for what in pair)
    own = (
        [{k: v for k, v in what.items() if pair[1 - n].get(k) != v} for n, what in enumerate(pair)]
        if plain
        else []
    )
    if not own or not all(label(what) for what in own):
        return f"{first.name} − {second.name or shown(second.value)}"
    common = label({k: v for k, v in pair[0].items() if k not in own[0]})
    return joined([f"{label(own[0])} − {label(own[1])}", common]).replace("; ", ", ")


def _reach(side: Measured, upward: bool) -> float:
    return side.high - side.value if upward else side.value - side.low


def ratio(tables: Tables, pair: list[Any]) -> Measured:
    """First / second."""
    first, second = _two(tables, pair)
    if first.value == second.value == 0:
        raise Missing(f"{first.name} and {second.name} are both 0")
    value = first.value / second.value if second.value else np.inf * np.sign(first.value)
    return exact(value, f"{first.name} / {second.name}")


def gain(tables: Tables, pair: list[Any]) -> Measured:
    """First over second, in per cent more."""
    found = ratio(tables, pair)
    return exact(100 * (found.value - 1), f"{found.name}, gain in %")


def argmax(tables: Tables, curve: Mapping[str, Any]) -> Measured:
    """Where along a column a curve is highest; `over` or `minus` another column of that row."""
    return _extreme(tables, curve, np.argmax, "argmax")


def argmin(tables: Tables, curve: Mapping[str, Any]) -> Measured:
    return _extreme(tables, curve, np.argmin, "argmin")


def _extreme(tables: Tables, curve: Mapping[str, Any], find: Callable, name: str) -> Measured:
    pick = {key: value for key, value in curve.items() if key not in ("along", "over", "minus")}
    rows, values = series(tables, pick)
    row = rows.iloc[int(find(values))]
    place = float(row[curve["along"]])
    words = f"{name} over {curve['along']} of {label(pick)}".strip()
    if "over" in curve:
        return exact(place / row[curve["over"]], f"{words} ({shown(place)}) over {curve['over']}")
    if "minus" in curve:
        return exact(place - row[curve["minus"]], f"{words} ({shown(place)}) − {curve['minus']}")
    return exact(place, words)


def _paired(tables: Tables, spec: Mapping[str, Any]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Keys, and the numbers of one or two picks that have them in common."""
    parts = []
    for pick in spec["of"]:
        rows, values = series(tables, pick)
        keys = numeric(rows[spec["key"]])
        named = rows[spec["key"]].to_numpy() if np.isnan(keys).any() else keys
        parts.append(pd.Series(values, index=named))
    both = pd.concat(parts, axis=1, join="inner").sort_index()
    if len(both) < 2:
        raise Missing(f"fewer than two values of {spec['key']} to compare")
    return both.index.to_numpy(), [both[column].to_numpy() for column in both]


def spearman(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """Rank correlation of a pick (or of the first over the second) with the key."""
    keys, values = _paired(tables, spec)
    curve = values[0] if len(values) == 1 else values[0] / values[1]
    names = " / ".join(label(pick) for pick in spec["of"])
    if np.ptp(curve) == 0:
        raise Missing(f"{names} does not vary")
    rho = correlation.spearman(keys.astype(float), curve)
    return Measured(rho, np.nan, np.nan, f"Spearman of {spec['key']} and {names}", _n(keys))


def kendall(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """Rank correlation of two picks over what they have in common."""
    keys, (first, second) = _paired(tables, spec)
    if not np.ptp(first) or not np.ptp(second):
        raise Missing("a constant has no rank correlation")
    tau = correlation.kendall(first, second)
    names = " and ".join(label(pick) for pick in spec["of"])
    return Measured(tau, np.nan, np.nan, f"Kendall of {names} over {spec['key']}", _n(keys))


def _n(keys: np.ndarray) -> str:
    return f"n = {len(keys)}"


def largest_gap(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """max |first − second| over the key, with the interval of the two that are farthest apart."""
    keys, (first, second) = _paired(tables, spec)
    place = int(np.argmax(np.abs(first - second)))
    sides = [{**pick, spec["key"]: _plain(keys[place])} for pick in spec["of"]]
    gap = difference(tables, sides)
    sign = 1 if gap.value >= 0 else -1
    low, high = sorted([sign * gap.low, sign * gap.high]) if gap.has_interval else (gap.low,) * 2
    name = f"largest |{label(spec['of'][0])} − {label(spec['of'][1])}| (at {keys[place]})"
    return Measured(abs(gap.value), low, high, name, joined([_n(keys), gap.source]))


def steps_apart(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """How many values of a grid lie from one number to the other."""
    numbers = [measured(tables, what) for what in spec["of"]]
    _, values = series(tables, spec["among"])
    grid = np.unique(values)
    first, second = (int(np.abs(grid - number.value).argmin()) for number in numbers)
    places = " and ".join(str(number) for number in numbers)
    return exact(abs(first - second), f"steps of the grid between {places}:")


def _plain(key: Any) -> Any:
    return key if isinstance(key, str) else float(key)


def smallest_lead(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """min (first − second) over the key."""
    keys, (first, second) = _paired(tables, spec)
    leads = first - second
    name = f"smallest {label(spec['of'][0])} − {label(spec['of'][1])}"
    return Measured(float(leads.min()), np.nan, np.nan, name, _n(keys))


def lead_from(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """The smallest key from which on the first is always above the second."""
    keys, (first, second) = _paired(tables, spec)
    behind = np.flatnonzero(first <= second)
    start = 0 if not len(behind) else int(behind[-1]) + 1
    value = float(keys[start]) if start < len(keys) else np.inf
    name = f"{label(spec['of'][0])} above {label(spec['of'][1])} from {spec['key']}"
    return Measured(value, np.nan, np.nan, name, _n(keys))


def shortfall(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """How far a curve is below its maximum at one place."""
    pick = {key: value for key, value in spec.items() if key not in ("along", "at")}
    rows, values = series(tables, pick)
    there = np.isclose(numeric(rows[spec["along"]]), spec["at"])
    if not there.any():
        raise Missing(f"{spec['along']} = {spec['at']} was not tried")
    value = float(values.max() - values[there].max())
    return exact(value, f"maximum − value at {spec['along']} {spec['at']}")


def worst_rise(tables: Tables, spec: Mapping[str, Any]) -> Measured:
    """The largest rise on the way from the maximum to either end; 0 if there is none."""
    pick = {key: value for key, value in spec.items() if key != "along"}
    rows, values = series(tables, pick)
    curve = values[np.argsort(numeric(rows[spec["along"]]), kind="stable")]
    top = int(curve.argmax())
    rise = max(_rise(curve[top:]), _rise(curve[: top + 1][::-1]))
    return exact(rise, "largest rise away from the maximum")


def _rise(curve: np.ndarray) -> float:
    return float(np.max(curve - np.minimum.accumulate(curve)))


QUANTITIES: dict[str, Callable[[Tables, Any], Measured]] = {
    function.__name__: function
    for function in (
        difference, ratio, gain, argmax, argmin, spearman, kendall,
        largest_gap, steps_apart, smallest_lead, lead_from, shortfall, worst_rise,
    )
}  # fmt: skip
