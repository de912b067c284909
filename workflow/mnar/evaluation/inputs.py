"""What `evaluate` is given, in any of its forms, as models and matrices of one shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mnar.core.declared import LARGEST
from mnar.core.errors import UserError
from mnar.data import named_table
from mnar.exchange.score_files import listed_model, read_scores, wrong_scores
from mnar.matrices.ids import Ids, plain, positions
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import Model, ScoreMatrix
from mnar.matrices.ratings import Ratings

TABLES = (".parquet", ".csv", ".tsv")
# Ratings that all count as relevant.
ALL = "all"


@dataclass(frozen=True, eq=False)
class Triplets:
    """Pairs of ids with a value each; `relevant` where a table says so itself."""

    name: str
    users: NDArray
    items: NDArray
    values: NDArray[np.float64] | None
    relevant: NDArray[np.bool_] | None = None
    # Given as a matrix: ids are rows and columns of this shape.
    shape: tuple[int, int] | None = None


def triplets(given: Any, name: str, value: str) -> Triplets:
    """Pairs from a table, a file, a sparse matrix or an array; `value` is the name of their column."""
    if isinstance(given, str | Path):
        given = _read(Path(given), name, value)
    if isinstance(given, Triplets):
        return given
    if sparse.issparse(given):
        check_matrix(given, name)
        entries = given.tocoo(copy=True)
        entries.sum_duplicates()
        return Triplets(
            name, entries.row, entries.col, entries.data.astype(float), None, given.shape
        )
    if isinstance(given, np.ndarray):
        check_matrix(given, name)
        rows, columns = np.nonzero(np.nan_to_num(given))
        return Triplets(name, rows, columns, given[rows, columns].astype(float), None, given.shape)
    if not hasattr(given, "columns"):
        raise UserError(
            f"{name} is of type {type(given).__name__}; give a DataFrame with columns user and item, a "
            "sparse matrix, an array of users × items, or the path of a file."
        )
    named = list(given.columns)
    needed = _needed(value)
    for column in needed:
        if column not in named:
            raise UserError(
                f"{name} has no column {column!r}; it has {', '.join(map(str, named))}. Rename its "
                f"columns to {', '.join(needed)}."
            )
    found = given[value].to_numpy() if value in named else None
    if found is not None and np.asarray(found).dtype.kind not in "iufb":
        raise UserError(f"Column {value!r} of {name} must hold numbers.")
    relevant = _flags(given["relevant"], name) if "relevant" in named else None
    users, items = (_ids(given[key], f"Column {key!r} of {name}") for key in ("user", "item"))
    values = None if found is None else np.asarray(found, np.float64)
    return Triplets(name, users, items, values, relevant)


def check_matrix(given: Any, name: str) -> None:
    """A UserError unless it is a matrix of numbers."""
    if given.ndim != 2:
        raise UserError(f"{name} is an array of {given.ndim} dimensions; give users × items.")
    if given.dtype.kind not in "iufb":
        raise UserError(f"{name} is a matrix of {given.dtype}; give one of numbers.")


def _ids(column: Any, where: str) -> NDArray:
    found = np.asarray(column.to_numpy())
    if any(isinstance(one, list | dict | np.ndarray) for one in found[:1]):
        raise UserError(f"{where} holds {type(found[0]).__name__}s; give numbers or text.")
    return found


def _flags(column: Any, name: str) -> NDArray[np.bool_]:
    """Zeros and ones, or truth values; text would always be true."""
    try:
        found = np.asarray(column.to_numpy(), np.float64)
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if not np.isin(found, (0, 1)).all():
        raise UserError(f"Column 'relevant' of {name} must hold true or false in every row.")
    return found == 1


def _needed(value: str) -> list[str]:
    """The columns that a table must have: of ratings the pairs are enough."""
    return ["user", "item", *(["score"] if value == "score" else [])]


def _read(path: Path, name: str, value: str) -> Any:
    if path.suffix not in TABLES:
        raise UserError(f"{name}: {path} must end in one of {', '.join(TABLES)}.")
    if not path.is_file():
        raise UserError(f"{name}: {path} is not there; correct the path.")
    kind = "score" if value == "score" else "number"
    kinds = {"user": "id", "item": "id", value: kind, "relevant": "flag"}
    try:
        return named_table.read(path, kinds, _needed(value))
    except UserError as error:
        raise UserError(f"{name}: {error}") from error


def shared_ids(parts: Sequence[Triplets], shapes: Sequence[tuple[int, int]], items: Any) -> Ids:
    """The ids of all users and items; rows and columns where something is given as a matrix."""
    shapes = [*shapes, *(part.shape for part in parts if part.shape is not None)]
    if shapes:
        if len(set(shapes)) > 1:
            found = " and ".join(f"{rows} × {columns}" for rows, columns in sorted(set(shapes)))
            raise UserError(f"Matrices of users × items must have one shape; found {found}.")
        return Ids(np.arange(shapes[0][0]), np.arange(shapes[0][1]))
    extra = [] if items is None else [np.asarray(items)]
    if any(column.ndim != 1 for column in extra):
        raise UserError("items must be a list of ids.")
    users = _union([part.users for part in parts], parts)
    return Ids(users, _union([*(part.items for part in parts), *extra], parts))


def _union(columns: Sequence[NDArray], parts: Sequence[Triplets]) -> NDArray:
    """All ids in order; as text where some are text."""
    if all(column.dtype.kind in "iu" for column in columns):
        return np.unique(np.concatenate(columns))
    import pandas as pd

    found: set[str] = set()
    for number, column in enumerate(columns):
        for one in dict.fromkeys(column.tolist()):
            if pd.isna(one) or one in (np.inf, -np.inf):
                name = parts[number].name if number < len(parts) else "items"
                raise UserError(f"{name} has a row without an id; leave it out.")
            found.add(plain(one))
    return np.array(sorted(found), object)


def rows_and_columns(part: Triplets, ids: Ids) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of pairs; a UserError for an unknown id and for a pair that is there twice."""
    found = []
    for what, given, known in (("user", part.users, ids.users), ("item", part.items, ids.items)):
        at = positions(known, given)
        if (at < 0).any():
            row = int((at < 0).argmax())
            raise UserError(
                f"{part.name}, row {row + 1}: {what} {given[row]} is no {what} of the matrices, whose "
                f"ids are 0 to {len(known) - 1}."
            )
        found.append(at)
    rows, columns = found
    order = np.lexsort((columns, rows))
    again = (np.diff(rows[order]) == 0) & (np.diff(columns[order]) == 0)
    if again.any():
        row = int(order[1:][again].min())
        raise UserError(
            f"{part.name}, row {row + 1}: user {part.users[row]} and item {part.items[row]} are there "
            "twice; keep one of them."
        )
    return rows, columns


def ratings_of(part: Triplets | None, ids: Ids, relevant: float | str | None) -> Ratings:
    """The ratings as a matrix; `relevant` says from which value on they are relevant."""
    shape = (len(ids.users), len(ids.items))
    if part is None:
        none = np.zeros(0, np.int64)
        return Ratings.from_triplets(none, none, none.astype(float), none.astype(bool), shape)
    rows, columns = rows_and_columns(part, ids)
    values = np.ones(len(rows)) if part.values is None else part.values
    wrong = ~(np.abs(values) <= LARGEST)
    if wrong.any():
        row = int(wrong.argmax())
        raise UserError(
            f"{part.name}, row {row + 1}: the rating is {values[row]}; give a number between "
            f"{-LARGEST:g} and {LARGEST:g}."
        )
    if part.relevant is not None and relevant is None:
        liked = part.relevant
    elif relevant == ALL or (relevant is None and len(np.unique(values)) <= 1):
        liked = np.ones(len(rows), np.bool_)
    elif relevant is None:
        raise UserError(
            f"{part.name} has ratings from {values.min():g} to {values.max():g}: say which are "
            "relevant, relevant=4 for those from 4 on, or relevant='all'."
        )
    else:
        liked = values >= float(relevant)
    return Ratings.from_triplets(rows, columns, values, liked, shape)


def is_model(given: Any) -> bool:
    return callable(getattr(given, "scores", None)) and hasattr(given, "n_items")


def model_of(given: Any, ids: Ids, name: str) -> Model:
    """A model from scores in any form."""
    if is_model(given):
        return given
    if isinstance(given, np.ndarray):
        return _dense(given, name)
    if isinstance(given, str | Path) and Path(given).suffix == ".npz":
        return read_scores(given, ids)
    part = triplets(given, name, "score")
    assert part.values is not None
    if part.shape is not None:
        _check_scores(part.values, part.users, name)
        listed = part.values > -np.inf
        pairs = part.users[listed], part.items[listed]
        return ListedScores.of(*pairs, part.values[listed], part.shape)
    return listed_model(part.users, part.items, part.values, ids, name)


def _dense(matrix: NDArray, name: str) -> ScoreMatrix:
    """In single precision, or where that would make new ties, by the ranks of each row's scores."""
    check_matrix(matrix, name)
    _check_scores(matrix, np.arange(len(matrix)), name)
    single = matrix.astype(np.float32)
    if matrix.dtype != np.float32 and not np.array_equal(single, matrix):
        order = np.argsort(matrix, axis=1, kind="stable")
        rising = np.take_along_axis(matrix, order, axis=1)
        steps = np.cumsum(rising[:, 1:] != rising[:, :-1], axis=1, dtype=np.float32)
        np.put_along_axis(single, order[:, :1], 0, axis=1)
        np.put_along_axis(single, order[:, 1:], steps, axis=1)
        single[np.isneginf(matrix)] = -np.inf
    return ScoreMatrix(single, matrix)


def _check_scores(scores: NDArray, rows: NDArray, name: str) -> None:
    """A UserError with the row of a score that is none."""
    wrong = wrong_scores(scores)
    if wrong.any():
        row = rows[np.unravel_index(int(wrong.argmax()), wrong.shape)[0]]
        raise UserError(
            f"{name}, row {row}: a score is NaN or infinite in single precision; give every item a number, "
            "or −inf where the model does not list it."
        )
