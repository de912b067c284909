"""Measures of scores in a file, of one system or of several with their differences from the first."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from mnar.core.errors import UserError
from mnar.core.files import atomic
from mnar.evaluation import MEASURES, evaluate
from mnar.evaluation.inputs import TABLES

if TYPE_CHECKING:
    import pandas as pd

OUTPUTS = (".csv", ".parquet")
EPILOGUE = """\
example:
  mnar evaluate --train train.parquet --test test.csv --relevant 4 \\
    --scores ours=ours.parquet --scores theirs=theirs.npz --measures adg recall@10

Files of ratings have the columns user, item and rating; files of scores user, item and score, or they
are an .npz of vectors. docs/evaluate.md has all of it.
"""


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="mnar evaluate",
        description=__doc__,
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = found.add_argument
    add("--scores", action="append", required=True, metavar="[NAME=]FILE", help="once a system")
    add("--test", required=True, metavar="FILE", help="held-out ratings (.parquet, .csv, .tsv)")
    add("--train", metavar="FILE", help="ratings that the systems have seen")
    add("--random", metavar="FILE", help="ratings of randomly selected items, for auc_rand")
    add("--items", metavar="FILE", help="a column item: more items, that nobody rated or scored")
    usual = " ".join(MEASURES)
    add("--measures", nargs="*", default=list(MEASURES), metavar="NAME", help=f"default: {usual}")
    add("--estimators", nargs="*", default=[], metavar="NAME", help="such as adg~snips(popularity)")
    add("--gamma", type=float, help="how wrong each weight of an estimator may be")
    add("--relevant", help="ratings from here on are relevant; or: all")
    add("--candidates", choices=("unseen", "all"), default="unseen")
    add("--average", choices=("user", "pair"), default="user")
    add("--samples", type=int, default=1000, help="of the bootstrap over users (1000; 0: none)")
    add("--seed", type=int, default=0)
    add("--threads", type=int, default=1)
    add("--output", metavar="FILE", help="a .csv or .parquet to write; default: the screen")
    return found


def main(arguments: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    asked = parser().parse_args(arguments)
    try:
        systems = _systems(asked.scores)
        given = [*systems.values(), asked.train, asked.test, asked.random, asked.items]
        _check_output(asked.output, [path for path in given if path is not None])
        frame = evaluate(
            systems,
            asked.train,
            asked.test,
            measures=asked.measures,
            estimators=asked.estimators,
            gamma=asked.gamma,
            relevant=_relevant(asked.relevant),
            candidates=asked.candidates,
            average=asked.average,
            random=asked.random,
            items=_items(asked.items),
            samples=asked.samples,
            seed=asked.seed,
            threads=asked.threads,
        )
        _write(frame, asked.output, out)
        for note in frame.attrs["notes"]:
            print(f"Note: {note}", file=sys.stderr)
    except UserError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def _check_output(path: str | None, inputs: Sequence[str]) -> None:
    """Before anything is measured."""
    if path is None:
        return
    if Path(path).suffix not in OUTPUTS:
        raise UserError(f"--output {path} must end in {' or '.join(OUTPUTS)}.")
    for one in inputs:
        if Path(path).exists() and Path(one).exists() and Path(path).samefile(one):
            raise UserError(f"--output {path} is the input {one}; name another file.")


def _write(frame: "pd.DataFrame", path: str | None, out: TextIO) -> None:
    if path is None:
        print(frame.to_string(index=False, float_format="%.6f", na_rep=""), file=out)
        return
    try:
        with atomic(path) as temporary:
            if temporary.suffix == ".parquet":
                frame.to_parquet(temporary, index=False)
            else:
                frame.to_csv(temporary, index=False, lineterminator="\n")
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror or error}).") from error


def _systems(given: Sequence[str]) -> dict[str, str]:
    """Files by name; the name is that of the file unless another one stands before it."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not equals:
            name, file = Path(text).stem, text
        if not name or not file:
            raise UserError(f"--scores is {text!r}; write NAME=FILE, or the file alone.")
        if name in found:
            raise UserError(f"Two systems are called {name!r}; write --scores NAME={file}.")
        found[name] = file
    return found


def _relevant(text: str | None) -> float | str | None:
    if text is None or text == "all":
        return text
    try:
        return float(text)
    except ValueError:
        raise UserError(f"--relevant is {text!r}; give a number, or all.") from None


def _items(text: str | None) -> Path | None:
    if text is not None and Path(text).suffix not in TABLES:
        raise UserError(f"--items {text} must end in one of {', '.join(TABLES)}.")
    return None if text is None else Path(text)
