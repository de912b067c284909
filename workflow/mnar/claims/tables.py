"""The tidy tables of one dataset, as the tests of claims read them."""

from collections.abc import Mapping
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


class Tables:
    """CSV files of results/; {dataset} in a name is filled in, `file` is the claim's own."""

    def __init__(
        self, results: Path, dataset: str, file: str, read: dict[str, pd.DataFrame] | None = None
    ):
        self.results, self.dataset, self.file = results, dataset, file
        # Many claims look at the same file: `read` keeps what was read before.
        self._read = {} if read is None else read

    def of(self, file: str) -> "Tables":
        """The same with another file as the claim's own."""
        return Tables(self.results, self.dataset, file, self._read)

    def name(self, file: str | None = None) -> str:
        return (file or self.file).replace("{dataset}", self.dataset)

    def frame(self, file: str | None = None) -> pd.DataFrame:
        name = self.name(file)
        if name not in self._read:
            path = self.results / name
            if not path.exists():
                raise Missing(f"{name} is not there")
            try:
                self._read[name] = pd.read_csv(path)
            except pd.errors.EmptyDataError:
                raise Missing(f"{name} is empty") from None
        return self._read[name]

    def rows(self, filters: Mapping[str, Any], file: str | None = None) -> pd.DataFrame:
        """The rows that all filters let through, at least one."""
        frame = self.frame(file)
        keep = np.ones(len(frame), bool)
        for column, wanted in filters.items():
            if column not in frame:
                raise Missing(f"{self.name(file)} has no column {column}")
            keep &= _passes(frame, column, wanted)
        if not keep.any():
            words = ", ".join(f"{column} {_words(wanted)}" for column, wanted in filters.items())
            raise Missing(f"{self.name(file)} has no row with {words}")
        return frame[keep]


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
