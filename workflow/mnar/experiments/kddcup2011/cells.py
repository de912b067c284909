"""Columns and cells that the tables of kddcup2011 share."""

import numpy as np
import pandas as pd

from mnar.reporting.table_format import with_error

TIDY = ["dataset", "method", "measure", "mean", "sem", "n", "published", "difference"]


def completed(tidy: pd.DataFrame) -> pd.DataFrame:
    """The columns that every table has come first."""
    for name in TIDY:
        if name not in tidy:
            tidy[name] = np.nan
    tidy["difference"] = tidy["mean"] - tidy["published"]
    return tidy[[*TIDY, *(name for name in tidy.columns if name not in TIDY)]]


def cell(row: pd.Series) -> str:
    return with_error(row["mean"], row["sem"])


def gain_cell(row: pd.Series) -> str:
    if pd.isna(row["gain"]):
        return "–"
    text = f"{row['gain']:+.4f} [{row['gain_low']:+.4f}, {row['gain_high']:+.4f}]"
    return text.replace("-", "−")


def percent(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:+.1f}".replace("-", "−")


def plain(value: float) -> str:
    if pd.isna(value):
        return "–"
    text = f"{value:,.0f}" if value == round(value) else f"{value:.4g}"
    return text.replace("-", "−")
