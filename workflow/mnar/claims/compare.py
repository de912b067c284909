"""Which verdicts differ between runs, e.g. with other seeds.

python -m mnar.claims.compare first/claims.csv second/claims.csv … [--output claims_stability.csv]
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from mnar.claims import report
from mnar.errors import UserError
from mnar.files import atomic

KEYS = ["id", "dataset"]


def compared(runs: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """One row for each claim and dataset: the verdicts in the order of the runs."""
    verdicts = [run.set_index(KEYS)["verdict"] for run in runs]
    table = pd.concat(verdicts, axis=1, sort=False).fillna("not there")
    return pd.DataFrame(
        {
            "stable": table.nunique(axis=1) == 1,
            "verdicts": table.agg(" | ".join, axis=1),
        }
    ).reset_index()


def _read(name: str) -> pd.DataFrame:
    try:
        rows = report.read(name)
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}.") from error
    if not {*KEYS, "verdict"} <= set(rows.columns):
        raise UserError(f"{name} is not a claims.csv: it needs columns id, dataset and verdict.")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="List verdicts that differ between runs.")
    parser.add_argument("runs", nargs="+", help="claims.csv of each run, two at least")
    parser.add_argument("--output", type=Path, help="write all verdicts there, for the page")
    options = parser.parse_args(arguments)
    if len(options.runs) < 2:
        parser.error("give the claims.csv of at least two runs")
    try:
        table = compared([_read(name) for name in options.runs])
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    changed = table[~table["stable"]]
    for row in changed.itertuples():
        print(f"{row.id} {row.dataset}: {row.verdicts}")
    print(f"{len(table) - len(changed)} of {len(table)} verdicts are the same in all runs.")
    if options.output:
        with atomic(options.output) as temporary:
            table.to_csv(temporary, index=False, lineterminator="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
