"""The tidy tables of one dataset, as the tests of claims read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mnar.claims.outcome import Missing

COMPARISONS = {
    "above": np.greater,
    "at_least": np.greater_equal,
    "below": np.less,
    "at_most": np.less_equal,
}


@dataclass(frozen=True)
class Known:
    """What was read and picked before: many claims look at the same files, and at the same rows."""

    frames: dict[str, pd.DataFrame] = field(default_factory=dict)
    # By file, column and what is wanted of it.
    passing: dict[tuple[str, str, str], np.ndarray] = field(default_factory=dict)


class Tables:
    """CSV files of results/; {dataset} in a name is filled in, `file` is the claim's own."""

    def __init__(self, results: Path, dataset: str, file: str, known: Known | None = None):
        self.results, self.dataset, self.file = results, dataset, file
        self._known = known or Known()

    def of(self, file: str) -> "Tables":
        """The same with another file as the claim's own."""
        return Tables(self.results, self.dataset, file, self._known)

    def name(self, file: str | None = None) -> str:
        return (file or self.file).replace("{dataset}", self.dataset)

    def frame(self, file: str | None = None) -> pd.DataFrame:
        name, frames = self.name(file), self._known.frames
        if name not in frames:
            path = self.results / name
            if not path.exists():
                raise Missing(f"{name} is not there")
            try:
                frames[name] = pd.read_csv(path)
            except pd.errors.EmptyDataError:
                raise Missing(f"{name} is empty") from None
        return frames[name]

    def rows(self, filters: Mapping[str, Any], file: str | None = None) -> pd.DataFrame:
        """The rows that all filters let through, at least one."""
        frame = self.frame(file)
        keep = np.ones(len(frame), bool)
        for column, wanted in filters.items():
            if column not in frame:
                raise Missing(f"{self.name(file)} has no column {column}")
            keep &= self._passing(frame, file, column, wanted)
        if not keep.any():
            words = ", ".join(f"{column} {_words(wanted)}" for column, wanted in filters.items())
            raise Missing(f"{self.name(file)} has no row with {words}")
        return frame[keep]

    def _passing(
        self, frame: pd.DataFrame, file: str | None, column: str, wanted: Any
    ) -> np.ndarray:
        key = (self.name(file), column, repr(wanted))
        if key not in self._known.passing:
            self._known.passing[key] = _passes(frame, column, wanted)
        return self._known.passing[key]


def _words(wanted: Any) -> str:
    if isinstance(wanted, Mapping):
        return " and ".join(f"{name.replace('_', ' ')} {bound}" for name, bound in wanted.items())
    return " or ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)


def _passes(frame: pd.DataFrame, column: str, wanted: Any) -> np.ndarray:
    """A value, a list of values, or bounds (numbers or other columns): which rows have it?"""
    values = frame[column]
    if isinstance(wanted, Mapping):
        keep = np.ones(len(frame), bool)
        for name, bound in wanted.items():
            if name == "not":
                keep &= ~_equal(values, bound)
            else:
                limit = numeric(frame[bound]) if isinstance(bound, str) else bound
                keep &= COMPARISONS[name](numeric(values), limit)
        return keep
    options = wanted if isinstance(wanted, list) else [wanted]
    return np.any([_equal(values, option) for option in options], axis=0)


def _equal(values: pd.Series, wanted: Any) -> np.ndarray:
    if wanted == "":
        return values.isna().to_numpy()
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return np.isclose(numeric(values), wanted, rtol=1e-9, atol=1e-12)
    return (values.astype(str) == str(wanted)).to_numpy()


def numeric(values: pd.Series) -> np.ndarray:
    """Numbers where there are any: columns may also hold words."""
    return pd.to_numeric(values, errors="coerce").to_numpy(float)
