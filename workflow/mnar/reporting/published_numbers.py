"""The numbers that the papers print, one CSV file a table, in the folder of each paper."""

from pathlib import Path

import pandas as pd

_EXPERIMENTS = Path(__file__).parents[1] / "experiments"


def published_files(experiment: str) -> list[Path]:
    return sorted((_EXPERIMENTS / experiment / "published").glob("*.csv"))


def all_published_files() -> list[Path]:
    """Those of every paper: claims of all papers are read, whatever the config includes."""
    return sorted(_EXPERIMENTS.glob("*/published/*.csv"))


def read_published(experiment: str, table: str) -> pd.DataFrame:
    return pd.read_csv(_EXPERIMENTS / experiment / "published" / f"{table}.csv")
