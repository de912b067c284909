"""The tidy tables of one dataset, as the tests of claims read them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from mnar.claims.outcome import REACH, Measured, Missing
from mnar.core.errors import UserError
from mnar.reporting.difference_table import label_or_name

Interval = tuple[str, str] | str | None
# Columns that a number is named by, others that say nothing, a method that is all of them, and words
# before values.
NAMED = ("fact", "method", "minus", "against", "measure", "at")
UNNAMED = ("kind", "study", "set", "catalogue", "candidates")
EVERY = "all systems"
PREFIXES = {"minus": "− ", "against": "− ", "other_weight": "− ", "at": "at "}


class Files:
    """The files that may be read, by the end of their path, such as lim2015/coat/table1.csv."""

    def __init__(self, paths: Iterable[str | Path]):
        self._paths: dict[str, Path] = {}
        for path in map(Path, paths):
            for parts in (2, 3):
                self._paths["/".join(path.parts[-parts:])] = path
        self._frames: dict[str, pd.DataFrame] = {}

    def has(self, name: str) -> bool:
        return name in self._paths and self._paths[name].is_file()

    def frame(self, name: str) -> pd.DataFrame:
        if name not in self._frames:
            if not self.has(name):
                raise Missing(f"{name} is not there")
            try:
                self._frames[name] = pd.read_csv(self._paths[name])
            except pd.errors.EmptyDataError:
                raise Missing(f"{name} is empty") from None
        return self._frames[name]


@dataclass(frozen=True)
class Data:
    """The input of a test: the tables that its claim names, of one dataset.

    A table is called by its name where the paper's own experiment makes it (`table1`), else with
    the experiment before it (`theorems/bias`).
    """

    files: Files
    paper: str
    dataset: str
    # Tables that the claim names under `files`; others are refused.
    named: tuple[str, ...]

    def frame(self, table: str) -> pd.DataFrame:
        if table not in self.named:
            raise UserError(f"A claim of {self.paper} reads {table}; name it under its `files`.")
        return self.files.frame(path_of(table, self.paper, self.dataset))

    def rows(self, table: str, **filters: Any) -> pd.DataFrame:
        """The rows that all filters let through, at least one.

        A filter is a value, a list of values, or a function of the column. A column whose name is
        a word of Python takes an underscore (class_).
        """
        frame = self.frame(table)
        keep = np.ones(len(frame), bool)
        for key, wanted in filters.items():
            column = _column(frame, table, key.removesuffix("_"))
            keep &= np.asarray(_passes(column, wanted), bool)
        if not keep.any():
            words = ", ".join(f"{key} {_words(wanted)}" for key, wanted in filters.items())
            raise Missing(f"{table} of {self.dataset} has no row with {words}")
        return frame[keep]

    def each(
        self, table: str, column: str = "mean", *, interval: Interval = None,
        exact: bool = False, **filters: Any,
    ) -> list[Measured]:  # fmt: skip
        """The number of every row, with its interval; rows without a number are skipped."""
        rows = self.rows(table, **filters)
        values = numeric(_column(rows, table, column))
        found = [
            _measured(rows.iloc[position], float(value), column, interval, exact, filters)
            for position, value in enumerate(values)
            if not np.isnan(value)
        ]
        if not found:
            raise Missing(f"{table} of {self.dataset} has no value there")
        return found

    def pick(
        self, table: str, column: str = "mean", *, interval: Interval = None,
        exact: bool = False, **filters: Any,
    ) -> Measured:  # fmt: skip
        """The number of one row, with its interval."""
        found = self.each(table, column, interval=interval, exact=exact, **filters)
        if len(found) > 1:
            words = ", ".join(f"{key} {_words(wanted)}" for key, wanted in filters.items())
            raise Missing(f"{table} of {self.dataset} has {len(found)} rows for {words}")
        return found[0]

    def number(self, table: str, column: str = "mean", **filters: Any) -> float:
        return self.pick(table, column, exact=True, **filters).value


def path_of(table: str, paper: str, dataset: str) -> str:
    experiment, _, name = table.rpartition("/")
    return f"{experiment or paper}/{dataset}/{name}.csv"


def _column(frame: pd.DataFrame, table: str, name: str) -> pd.Series:
    if name not in frame:
        raise Missing(f"{table} has no column {name}")
    return frame[name]


def _passes(column: pd.Series, wanted: Any) -> Any:
    if callable(wanted):
        return wanted(column)
    options = wanted if isinstance(wanted, (list, tuple)) else [wanted]
    return np.any([_equal(column, option) for option in options], axis=0)


def _equal(values: pd.Series, wanted: Any) -> np.ndarray:
    if wanted == "":
        return values.isna().to_numpy()
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return np.isclose(numeric(values), wanted, rtol=1e-9, atol=1e-12)
    return (values.astype(str) == str(wanted)).to_numpy()


def _measured(
    row: pd.Series, value: float, column: str, interval: Interval, exact: bool, filters: Any
) -> Measured:
    """Ends from named columns or those beside the column; `sem`: by the standard error over users;
    `folds`: by Student's t over folds, where no values of users were kept."""
    name = _label(column, filters, row)
    if exact:
        return Measured(value, name=name, exact=True)
    if interval == "folds":
        return Measured(value, *_over_folds(row, value), name)
    if interval == "sem":
        return Measured(value, value - REACH * row["sem"], value + REACH * row["sem"], name)
    if not isinstance(interval, tuple):
        interval = ("low", "high") if column == "mean" else (f"{column}_low", f"{column}_high")
    low, high = (float(row.get(end, np.nan)) for end in interval)
    return Measured(value, low, high, name)


def _over_folds(row: pd.Series, value: float) -> tuple[float, float]:
    """One fold has no interval."""
    n = row.get("n", 0)
    if not n > 1 or pd.isna(row.get("sem")):
        return np.nan, np.nan
    reach = float(stdtrit(n - 1, 0.975)) * row["sem"]
    return value - reach, value + reach


def _label(column: str, filters: Mapping[str, Any], row: pd.Series) -> str:
    """A short name: the subject of the row, and the column."""
    asked = [key.removesuffix("_") for key in filters]
    name = ""
    prefixes = PREFIXES | ({"minus": "/ "} if row.get("fact") == "ratio" else {})
    keys = dict.fromkeys([*asked, *NAMED])
    for key in sorted(keys, key=lambda one: one == "against"):
        value = row.get(key)
        if key in UNNAMED or pd.isna(value) or value == EVERY:
            continue
        between = f" {prefixes[key]}" if key in prefixes else ", "
        name += (between if name else "") + _named(key, value)
    return f"{name}, {column}" if column != "mean" else name


def _named(key: str, value: Any) -> str:
    """A measure as tables print it; a number with its name, unless its prefix has that."""
    if key in ("measure", "against"):
        return label_or_name(str(value))
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if is_number and key not in PREFIXES:
        return f"{key.replace('_', ' ')} {value:g}"
    return _words(value)


def _words(wanted: Any) -> str:
    if isinstance(wanted, (list, tuple)):
        return " or ".join(map(str, wanted))
    if callable(wanted):
        return "as asked"
    return f"{wanted:g}" if isinstance(wanted, float) else str(wanted)


def numeric(values: pd.Series) -> np.ndarray:
    """Numbers where there are any: columns may also hold words."""
    if values.dtype == object:
        values = values.replace({"True": 1, "False": 0, True: 1, False: 0})
    return pd.to_numeric(values, errors="coerce").to_numpy(float)
