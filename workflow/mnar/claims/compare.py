"""Which verdicts differ between runs with other seeds.

python -m mnar.claims.compare 2015=first/claims.csv 2016=second/claims.csv … [--output file.csv]

The output has a row for each claim and dataset and a column for each run; the page shows it from
workflow/mnar/claims/stability.csv. Its column made_by tells the code and config of the runs: where they
are others now, the page says so and compares nothing. A claim that has changed since is not compared.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import yaml

from mnar.claims import verdict_files
from mnar.claims.made_by import made_by
from mnar.core.errors import UserError
from mnar.core.files import atomic

KEYS = list(verdict_files.KEYS)
ABSENT = "not there"


def compared(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row for each claim and dataset: the verdict in each run, by its name."""
    verdicts = [run.set_index(KEYS)["verdict"].rename(name) for name, run in runs.items()]
    return pd.concat(verdicts, axis=1, sort=False).fillna(ABSENT).reset_index()


def steady(table: pd.DataFrame) -> pd.Series:
    """Whether all runs agree, row by row."""
    return table.drop(columns=KEYS).nunique(axis=1) == 1


def _read(text: str) -> tuple[str, pd.DataFrame]:
    name, equals, path = text.partition("=")
    if not equals:
        raise UserError(f"{text!r} names no run; write its seed before it, as in 2015={text}.")
    try:
        rows = verdict_files.read(path)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    if not {*KEYS, "verdict"} <= set(rows.columns):
        wanted = ", ".join([*KEYS, "verdict"])
        raise UserError(f"{path} is not a claims.csv: it needs columns {wanted}.")
    return name, rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="List verdicts that differ between runs.")
    parser.add_argument("runs", nargs="+", help="seed=claims.csv of each run, two at least")
    parser.add_argument("--output", type=Path, help="write all verdicts there, for the page")
    parser.add_argument("--config", type=Path, default=Path("config.yaml"), help="of the runs")
    options = parser.parse_args(arguments)
    try:
        runs = dict(_read(text) for text in options.runs)
        if len(runs) < 2:
            raise UserError("Two runs at least can be compared; give each its own seed.")
        lists = [set(zip(run["id"], run["fingerprint"], strict=True)) for run in runs.values()]
        if any(one != lists[0] for one in lists):
            raise UserError("The runs were judged by different lists of claims; run them again.")
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    table = compared(runs)
    same = steady(table)
    for row in table[~same].itertuples(index=False):
        print(f"{row.id} {row.dataset}: {' | '.join(row[len(KEYS) :])}")
    print(f"{same.sum()} of {len(table)} verdicts are the same in all runs.")
    if options.output:
        table["made_by"] = made_by(yaml.safe_load(options.config.read_text(encoding="utf-8")))
        with atomic(options.output) as temporary:
            table.to_csv(temporary, index=False, lineterminator="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
