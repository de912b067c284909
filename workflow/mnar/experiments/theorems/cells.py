"""Rows and cells that the tables of the theorems share."""

import pandas as pd

from mnar.core.files import read_csv
from mnar.reporting.results import Results
from mnar.reporting.table_format import number


def found(results: Results, name: str) -> pd.DataFrame:
    """The file of a simulation, with the columns that every tidy table has."""
    rows = read_csv(results.file("simulations", results.dataset, f"{name}.csv"))
    return with_usual_columns(rows, results)


def with_usual_columns(rows: pd.DataFrame, results: Results) -> pd.DataFrame:
    rows.insert(0, "dataset", results.dataset)
    if "measure" not in rows:
        rows.insert(2, "measure", "auc")
    return rows.assign(published=float("nan"), difference=float("nan"))


def taken_as_complete(results: Results) -> str:
    """A sentence about the stand-in for complete data."""
    if results.dataset in results.config["generated"]:
        return "Complete: the true relevant items of each user, except those the ranking was trained on."
    return (
        "Complete: a random half of each user's ratings is taken for it; the ranking was trained on "
        "the other half."
    )


def signed(value: float, digits: int = 1) -> str:
    text = number(value, digits)
    return f"+{text}" if text[0].isdigit() and float(text) != 0 else text


def ranged(low: float, high: float, digits: int) -> str:
    return f"{signed(low, digits)} to {signed(high, digits)}"
