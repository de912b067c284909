"""Fold new users (or new items) into a trained model by one solve each (steck2010 section 4.1).

    python -m mnar fold-in --model results/models/<study>/<dataset>/<method>/<fold>.npz \\
        --ratings new.csv [--new users|items] [--top 10] [--skip-unknown]

`new.csv` has the columns user, item, rating. For each new user the best items that it has not rated
are printed, for each new item the users it suits best: new, known, score.
"""

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from mnar import models
from mnar.core.declared import finite
from mnar.core.errors import UserError
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.tuning.chosen_models import StoredModel

COLUMNS = ("user", "item", "rating")
# Line number and fields by column.
Row = tuple[int, dict[str, str]]


def fold_in_users(stored: StoredModel, ratings: Ratings, threads: int = 1) -> FactorModel:
    """The model with the rows of `ratings` as its users; its items are those of the model."""
    return _solver(stored, "fold_in")(stored.model, ratings, stored.choice.settings, threads)


def fold_in_items(stored: StoredModel, ratings: Ratings, threads: int = 1) -> FactorModel:
    """The model with the columns of `ratings` as its items; its users are those of the model."""
    return _solver(stored, "fold_in_items")(stored.model, ratings, stored.choice.settings, threads)


def _solver(stored: StoredModel, name: str):
    module = models.load(stored.choice.module)
    if not hasattr(module, name):
        new = "items" if name.endswith("items") else "users"
        raise UserError(
            f"Method {stored.choice.module} cannot fold new {new} in; use an AllRank one."
        )
    return getattr(module, name)


def read_ratings(
    path: str | Path, stored: StoredModel, new: str, skip_unknown: bool = False
) -> tuple[Ratings, list[str]]:
    """Ratings of new users on known items, or of known users on new items, and the new ids."""
    known_ids = stored.item_ids if new == "users" else stored.user_ids
    positions = {str(one): position for position, one in enumerate(known_ids)}
    old = "item" if new == "users" else "user"
    rows = _of_known(path, list(_rows(path)), old, positions, skip_unknown)
    names = list(dict.fromkeys(row[new[:-1]] for _, row in rows))
    number = {name: position for position, name in enumerate(names)}
    mine = np.array([number[row[new[:-1]]] for _, row in rows], np.int32)
    known = np.array([positions[row[old]] for _, row in rows], np.int32)
    values = np.array([float(row["rating"]) for _, row in rows], np.float32)
    _refuse_twice(path, mine, known, rows)
    users, items = (mine, known) if new == "users" else (known, mine)
    shape = (len(names), len(known_ids)) if new == "users" else (len(known_ids), len(names))
    relevant = values >= stored.relevant_from
    return Ratings.from_triplets(users, items, values, relevant, shape), names


def _of_known(
    path: str | Path, rows: list[Row], old: str, positions: dict[str, int], skip_unknown: bool
) -> list[Row]:
    """The rows whose item (or user) the model knows; the others are refused, or counted by choice."""
    kept = [(line, row) for line, row in rows if row[old] in positions]
    if len(kept) < len(rows) and not skip_unknown:
        line, row = next((line, row) for line, row in rows if row[old] not in positions)
        raise UserError(
            f"{path}, line {line}: the model does not know {old} {row[old][:80]!r}; leave the line out, or "
            "skip all such lines by --skip-unknown."
        )
    if not kept:
        raise UserError(f"{path} has no rating of {_known_of(old)}; there is nothing to fold in.")
    if len(kept) < len(rows):
        print(f"{len(rows) - len(kept)} lines of unknown {old}s were skipped.", file=sys.stderr)
    return kept


def _known_of(old: str) -> str:
    return f"{'an' if old == 'item' else 'a'} {old} that the model knows"


def _rows(path: str | Path) -> Iterator[Row]:
    """Line number and fields of each line."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8; save the file as UTF-8.") from error
    # An id may be long.
    csv.field_size_limit(2**31 - 1)
    # A line ends where csv says so, not at every character that Unicode calls a line end.
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise UserError(
                f"{path} has no column {missing[0]!r}; its first line must name "
                f"{', '.join(COLUMNS)}."
            )
        for row in reader:
            _check_row(f"{path}, line {reader.line_num}", row)
            yield reader.line_num, row
    except csv.Error as error:
        raise UserError(f"{path}, near line {reader.line_num}: {error}; correct it.") from error


def _check_row(where: str, row: dict[str, str]) -> None:
    for name in ("user", "item"):
        if not row[name]:
            raise UserError(f"{where}: there is no {name}; give its id, or leave the line out.")
    if None in row:
        raise UserError(f"{where}: it has more columns than the first line; correct the line.")
    try:
        fits = finite(float(row["rating"]))
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise UserError(f"{where}: rating {row['rating']!r} is no number; correct the line.")


def _refuse_twice(path: str | Path, mine: NDArray, known: NDArray, rows: list[Row]) -> None:
    pairs = np.stack([mine, known], axis=1)
    _, first, counts = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        line = rows[int(first[counts > 1][0])][0]
        raise UserError(f"{path}: the pair of line {line} is there twice; keep one of them.")


def best_matches(
    stored: StoredModel, ratings: Ratings, names: list[str], new: str, top: int
) -> Iterator[tuple[str, str, float]]:
    """New id, known id and score, best first (equal scores: in the order of the model)."""
    if new == "users":
        model, rated, known = fold_in_users(stored, ratings), ratings, stored.item_ids
    else:
        model, rated, known = fold_in_items(stored, ratings), ratings.by_item, stored.user_ids
    positions = np.arange(len(known))
    for number, name in enumerate(names):
        mine = np.full(len(known), number)
        users, items = (mine, positions) if new == "users" else (positions, mine)
        scores = model.predict(users, items)
        scores[rated.items[rated.indptr[number] : rated.indptr[number + 1]]] = -np.inf
        for position in np.argsort(-scores, kind="stable")[:top]:
            if np.isfinite(scores[position]):
                yield name, str(known[position]), float(scores[position])


def _count(text: str) -> int:
    """A whole number from 1 up."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 up, found {text!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mnar fold-in", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--model", required=True, help="a file of results/models")
    parser.add_argument("--ratings", required=True, help="a csv file: user,item,rating")
    parser.add_argument("--new", choices=("users", "items"), default="users")
    parser.add_argument("--top", type=_count, default=10, help="how many to print for each (10)")
    parser.add_argument(
        "--skip-unknown", action="store_true", help="leave out what the model does not know"
    )
    asked = parser.parse_args(arguments)
    try:
        if not Path(asked.model).exists():
            raise UserError(f"{asked.model} is not there; make it: snakemake {asked.model}.")
        stored = StoredModel.load(asked.model)
        ratings, names = read_ratings(asked.ratings, stored, asked.new, asked.skip_unknown)
        writer = csv.writer(out, lineterminator="\n")
        old = "item" if asked.new == "users" else "user"
        writer.writerow([asked.new[:-1], old, "score"])
        for one, other, score in best_matches(stored, ratings, names, asked.new, asked.top):
            writer.writerow([one, other, f"{score:.4f}"])
    except UserError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0
