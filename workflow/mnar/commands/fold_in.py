"""Fold new users (or new items) into a trained model by one solve each (steck2010 section 4.1).

    python -m mnar fold-in --model results/models/<study>/<dataset>/<method>/<fold>.npz \\
        --ratings new.csv [--new users|items] [--top 10] [--skip-unknown]

`new.csv` has the columns user, item, rating. For each new user the best items that it has not rated
are printed, for each new item the users it suits best: new, known, score.
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar import models
from mnar.core.errors import UserError
from mnar.data import named_table
from mnar.data.sources import Source
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.tuning.chosen_models import StoredModel

# How an .npz starts.
ARCHIVE = b"PK"
KINDS = {"user": "id", "item": "id", "rating": "rating"}


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
    table = _of_known(path, _table(path), old, positions, skip_unknown)
    names = list(dict.fromkeys(table[new[:-1]]))
    number = {name: position for position, name in enumerate(names)}
    mine = np.array([number[one] for one in table[new[:-1]]], np.int32)
    known = np.array([positions[one] for one in table[old]], np.int32)
    values = table["rating"].to_numpy()
    _refuse_twice(path, mine, known, table)
    users, items = (mine, known) if new == "users" else (known, mine)
    shape = (len(names), len(known_ids)) if new == "users" else (len(known_ids), len(names))
    relevant = values >= stored.relevant_from
    return Ratings.from_triplets(users, items, values, relevant, shape), names


def _of_known(
    path: str | Path, table: pl.DataFrame, old: str, positions: dict[str, int], skip_unknown: bool
) -> pl.DataFrame:
    """The rows whose item (or user) the model knows; the others are refused, or counted by choice."""
    known = np.array([one in positions for one in table[old]], np.bool_)
    if not known.all() and not skip_unknown:
        one = table[old][int((~known).argmax())]
        raise UserError(
            f"{path}: the model does not know {old} {one[:80]!r}; leave its lines out, or skip the lines "
            "of all that it does not know by --skip-unknown."
        )
    if not known.any():
        raise UserError(f"{path} has no rating of {_known_of(old)}; there is nothing to fold in.")
    if not known.all():
        print(f"{int((~known).sum())} lines of unknown {old}s were skipped.", file=sys.stderr)
    return table.filter(known)


def _known_of(old: str) -> str:
    return f"{'an' if old == 'item' else 'a'} {old} that the model knows"


def _table(path: str | Path) -> pl.DataFrame:
    if not Path(path).is_file():
        raise UserError(f"{path} is not there, or no file; correct the path.")
    table = named_table.read(Path(path), KINDS, list(KINDS))
    # Parquet has ids as numbers, and those of the model are compared as text.
    return table.with_columns(pl.col("user", "item").cast(pl.String))


def _refuse_twice(path: str | Path, mine: NDArray, known: NDArray, table: pl.DataFrame) -> None:
    pairs = np.stack([mine, known], axis=1)
    _, first, counts = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        user, item, _ = table.select(list(KINDS)).row(int(first[counts > 1].min()))
        raise UserError(
            f"{path}: the pair of user {user[:80]!r} and item {item[:80]!r} is there twice; keep one of them."
        )


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


def _check_model(path: Path) -> None:
    """A UserError for what is no archive of arrays: nobody should be told to delete it."""
    if not path.exists():
        raise UserError(f"{path} is not there; make it: snakemake {path}.")
    if not path.is_file():
        return
    with Source(path).as_it_lies() as stream:
        start = stream.read(len(ARCHIVE))
    if start != ARCHIVE:
        raise UserError(f"{path} is not a model of this project; give a file of results/models.")


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
        _check_model(Path(asked.model))
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
