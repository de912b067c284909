"""Tables of differences: what a claim compares, one number with its interval a line."""

from collections.abc import Mapping
from functools import cache

import pandas as pd

from mnar import measures
from mnar.core.errors import UserError


def shown_differences(tidy: pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """The columns under their headings, then the value and its 95 % interval, all as text."""
    shown = tidy[list(columns)].astype(object)
    shown = shown.where(shown.notna(), "")
    if "measure" in shown:
        shown["measure"] = [label_or_name(str(name)) for name in shown["measure"]]
    shown = shown.rename(columns=dict(columns))
    shown["value"] = [_text(value) for value in tidy["mean"]]
    ends = zip(tidy["low"], tidy["high"], strict=True)
    shown["95 % interval"] = [
        "–" if pd.isna(low) else f"{_text(low)} to {_text(high)}" for low, high in ends
    ]
    return shown.reset_index(drop=True)


@cache
def label_or_name(name: str) -> str:
    """A measure as tables print it; facts may have names that are none."""
    try:
        measures.check(name)
    except UserError:
        return name
    return measures.label(name)


def _text(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")
