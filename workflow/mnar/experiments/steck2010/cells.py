"""Cells and notes that several tables of steck2010 share."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from mnar import models
from mnar.reporting.results import Results
from mnar.reporting.table_format import number
from mnar.statistics.bootstrap import SAMPLES
from mnar.statistics.comparison import mean_and_error

SPREAD = (
    "Mean over the seeds of split and initial values, standard deviation over the seeds in brackets "
    "(the paper: all below 0.005)."
)
INTERVALS = (
    f"95 % intervals: bootstrap over users with all their held-out pairs ({SAMPLES} samples), the "
    "same in all rows, so that differences are paired."
)


def about_method(results: Results, method: str) -> models.About:
    return models.about_entry(method, results.config["methods"])


def spread(values: Iterable[float]) -> dict[str, Any]:
    """Mean, standard deviation, standard error and number of values over seeds."""
    values = np.asarray(list(values), float)
    mean, sem = mean_and_error(values)
    return {"mean": mean, "sem": sem, "n": len(values), "sd": sem * np.sqrt(len(values))}


def with_sd(row: Any, digits: int = 4) -> str:
    text = number(row["mean"], digits)
    return text if pd.isna(row["sd"]) else f"{text} ({number(row['sd'], digits)})"
