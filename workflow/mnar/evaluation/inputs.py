"""What `evaluate` is given, in any of its forms, as models and matrices of one shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mnar.core.errors import UserError
from mnar.exchange.score_files import listed_model, read_scores
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
        given = _read(Path(given), name)
    if isinstance(given, Triplets):
        return given
    if sparse.issparse(given):
        entries = given.tocoo()
        entries.sum_duplicates()
        return Triplets(
            name, entries.row, entries.col, entries.data.astype(float), None, given.shape
        )
    if isinstance(given, np.ndarray):
        if given.ndim != 2:
            raise UserError(f"{name} is an array of {given.ndim} dimensions; give users × items.")
        rows, columns = np.nonzero(np.nan_to_num(given))
        return Triplets(name, rows, columns, given[rows, columns].astype(float), None, given.shape)
    if not hasattr(given, "columns"):
        raise UserError(
            f"{name} is of type {type(given).__name__}; give a DataFrame with columns user and item, a "
            "sparse matrix, an array of users × items, or the path of a file."
        )
    named = list(given.columns)
    needed = ["user", "item", *(["score"] if value == "score" else [])]
    for column in needed:
        if column not in named:
            raise UserError(
                f"{name} has no column {column!r}; it has {', '.join(map(str, named))}. Rename its "
                f"columns to {', '.join(needed)}."
            )
    found = given[value].to_numpy() if value in named else None
    if found is not None and np.asarray(found).dtype.kind not in "iufb":
        raise UserError(f"Column {value!r} of {name} must hold numbers.")
    relevant = given["relevant"].to_numpy().astype(bool) if "relevant" in named else None
    users, items = (np.asarray(given[key].to_numpy()) for key in ("user", "item"))
    values = None if found is None else np.asarray(found, np.float64)
    return Triplets(name, users, items, values, relevant)


def _read(path: Path, name: str) -> Any:
    import polars as pl

    if path.suffix not in TABLES:
        raise UserError(f"{name}: {path} must end in one of {', '.join(TABLES)}.")
    if not path.is_file():
        raise UserError(f"{name}: {path} is not there; correct the path.")
    try:
        if path.suffix == ".parquet":
            return pl.read_parquet(path)
        text = {"user": pl.String, "item": pl.String}
        return pl.read_csv(
            path, separator="\t" if path.suffix == ".tsv" else ",", schema_overrides=text
        )
    except Exception as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"{name}: {path} cannot be read ({why}).") from error


def shared_ids(parts: Sequence[Triplets], shapes: Sequence[tuple[int, int]], items: Any) -> Ids:
    """The ids of all users and items; rows and columns where something is given as a matrix."""
    shapes = [*shapes, *(part.shape for part in parts if part.shape is not None)]
    if shapes:
        if len(set(shapes)) > 1:
            found = " and ".join(f"{rows} × {columns}" for rows, columns in sorted(set(shapes)))
            raise UserError(f"Matrices of users × items must have one shape; found {found}.")
        return Ids(np.arange(shapes[0][0]), np.arange(shapes[0][1]))
    extra = [] if items is None else [np.asarray(items)]
    users = _union([part.users for part in parts], parts)
    return Ids(users, _union([*(part.items for part in parts), *extra], parts))


def _union(columns: Sequence[NDArray], parts: Sequence[Triplets]) -> NDArray:
    """All ids in order; as text where some are text."""
    if all(column.dtype.kind in "iu" for column in columns):
        return np.unique(np.concatenate(columns))
    found: set[str] = set()
    for number, column in enumerate(columns):
        for one in dict.fromkeys(column.tolist()):
            if one is None or one != one:
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
    if not np.isfinite(values).all():
        row = int((~np.isfinite(values)).argmax())
        raise UserError(f"{part.name}, row {row + 1}: the rating is {values[row]}; give a number.")
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
        return ListedScores.of(part.users, part.items, part.values, part.shape)
    return listed_model(part.users, part.items, part.values, ids, name)


def _dense(matrix: NDArray, name: str) -> ScoreMatrix:
    """In single precision, or where that would make new ties, by the ranks of each row's scores."""
    if np.isnan(matrix).any() or np.isposinf(matrix).any():
        row = int((np.isnan(matrix) | np.isposinf(matrix)).any(axis=1).argmax())
        raise UserError(
            f"{name}, row {row}: a score is NaN or infinite; give every item a number, or −inf where "
            "the model does not list it."
        )
    single = matrix.astype(np.float32)
    if matrix.dtype != np.float32 and not np.array_equal(single, matrix):
        order = np.argsort(matrix, axis=1, kind="stable")
        rising = np.take_along_axis(matrix, order, axis=1)
        steps = np.cumsum(rising[:, 1:] != rising[:, :-1], axis=1, dtype=np.float32)
        np.put_along_axis(single, order[:, :1], 0, axis=1)
        np.put_along_axis(single, order[:, 1:], steps, axis=1)
        single[np.isneginf(matrix)] = -np.inf
    return ScoreMatrix(single, matrix)
