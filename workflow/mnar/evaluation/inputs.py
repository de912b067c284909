"""What `evaluate` is given, read: tables, matrices, files, vectors and models."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from mnar.core.errors import UserError
from mnar.data import named_table
from mnar.evaluation.checked_model import CheckedModel
from mnar.exchange.score_files import FOLD, PartOfFactors, fold_of_parquet, read_vectors
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import Model, ScoreMatrix

# Models of the library keep their types, which kernels ask for.
OURS = (FactorModel, ListedScores, PartOfFactors, ScoreMatrix)
TABLES = (".parquet", ".csv", ".tsv")


@dataclass(frozen=True, eq=False)
class Triplets:
    """Pairs of ids with a value each; `marks` where a table says itself which are relevant."""

    name: str
    users: NDArray
    items: NDArray
    values: NDArray[np.float64] | None
    marks: NDArray | None = None
    # Given as a matrix: ids are rows and columns of this shape.
    shape: tuple[int, int] | None = None
    # The id of the fold, where a file or a frame carries one.
    fold: str = ""

    def place(self, at: int) -> str:
        """Where an entry stands, for messages."""
        if self.shape is None:
            return f"{self.name}, row {at + 1}"
        return f"{self.name}, row {self.users[at]}, column {self.items[at]}"


@dataclass(frozen=True, eq=False)
class Vectors:
    """The arrays of an .npz."""

    name: str
    arrays: dict[str, NDArray]
    fold: str
    source: str

    def place(self, at: int) -> str:
        return self.source


# What scores are read as; an array is one of numbers, users × items.
Form = Model | NDArray | Triplets | Vectors


def triplets(given: Any, name: str, value: str) -> Triplets:
    """Pairs from a table, a file, a sparse matrix or an array; `value` is the name of their column."""
    if sparse.issparse(given):
        _check_array(given, name)
        # A copy: adding up entries that are there twice would change what was given.
        entries = given.tocoo(copy=True)
        entries.sum_duplicates()
        return Triplets(
            name, entries.row, entries.col, entries.data.astype(float), None, given.shape
        )
    if isinstance(given, np.ndarray):
        given = _plain_array(given, name, 0)
        rows, columns = np.nonzero(np.nan_to_num(given))
        return Triplets(name, rows, columns, given[rows, columns].astype(float), None, given.shape)
    needed = ["user", "item", *(["score"] if value == "score" else [])]
    kind = "score" if value == "score" else "number"
    kinds = {"user": "id", "item": "id", value: kind, "relevant": "flag"}
    given, fold = _table(given, name, kinds, needed)
    named = list(given.columns)
    for column in kinds:
        if named.count(column) > 1:
            raise UserError(
                f"{name} has {named.count(column)} columns {column!r}; keep one of them."
            )
    for column in needed:
        if column not in named:
            raise UserError(
                f"{name} has no column {column!r}; it has {', '.join(map(repr, named))}. Rename its "
                f"columns to {', '.join(needed)}."
            )
    found = given[value].to_numpy() if value in named else None
    if found is not None and np.asarray(found).dtype.kind not in "iufb":
        raise UserError(f"Column {value!r} of {name} must hold numbers.")
    marks = np.asarray(given["relevant"].to_numpy()) if "relevant" in named else None
    users, items = (_ids(given[key], key, name) for key in ("user", "item"))
    values = None if found is None else np.asarray(found, np.float64)
    return Triplets(name, users, items, values, marks, None, fold)


def _table(
    given: Any, name: str, kinds: Mapping[str, str], needed: Sequence[str]
) -> tuple[Any, str]:
    """A frame of pandas or polars, and the id of its fold if it has one."""
    if isinstance(given, str | Path):
        path = Path(given)
        frame = _read(path, name, kinds, needed)
        return frame, fold_of_parquet(path) if path.suffix == ".parquet" else ""
    if type(given).__module__.startswith("polars") and hasattr(given, "collect"):
        try:
            given = given.collect()
        except Exception as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise UserError(f"{name} cannot be collected ({why}).") from error
    # Arrow tables have columns without names, and classes have no rows.
    if not hasattr(given, "columns") or not hasattr(given, "to_numpy") or isinstance(given, type):
        raise UserError(
            f"{name} is of type {type(given).__name__}; give a DataFrame with columns user and item, a "
            "sparse matrix, an array of users × items, or the path of a file."
        )
    noted = getattr(given, "attrs", None)
    return given, str(noted.get(FOLD, "")) if isinstance(noted, dict) else ""


def _ids(column: Any, key: str, name: str) -> NDArray:
    """The ids of a column: numbers or text, but nothing that holds several of them."""
    try:
        found = np.asarray(column.to_numpy())
    except pl.exceptions.InvalidOperationError:
        # Whole numbers of 128 bits, which numpy does not have.
        found = column.cast(pl.String).to_numpy()
    nested = found.dtype.kind == "V" or found.ndim != 1
    kinds = set(map(type, found.tolist())) if found.dtype.kind == "O" else set()
    if nested or any(map(_holds_several, kinds)):
        row = 0 if nested else [_holds_several(type(one)) for one in found.tolist()].index(True)
        raise UserError(
            f"{name}, row {row + 1}: the {key} is {_short(found[row])}; an id must be a number or text."
        )
    return found


def _holds_several(kind: type) -> bool:
    return issubclass(kind, Collection) and not issubclass(kind, str | bytes)


def _short(value: Any) -> str:
    return " ".join(repr(value).split())[:80]


def _check_array(given: Any, name: str) -> None:
    """A UserError unless an array or a sparse matrix holds real numbers, users × items."""
    if given.ndim != 2:
        raise UserError(f"{name} is an array of {given.ndim} dimensions; give users × items.")
    if given.dtype.kind not in "biuf":
        raise UserError(f"{name} is an array of {given.dtype}; give one of real numbers.")


def _plain_array(given: NDArray, name: str, absent: float) -> NDArray:
    """An array of numbers with `absent` where it is masked."""
    _check_array(given, name)
    masked = np.ma.getmaskarray(given)
    plain = np.asarray(np.ma.getdata(given))
    return np.where(masked, absent, plain) if masked.any() else plain


def items_of(given: Any) -> NDArray:
    """More items of the catalogue: a list of ids, or a table or file with a column `item`."""
    is_file = isinstance(given, str | Path) and Path(given).suffix in TABLES
    if is_file or hasattr(type(given), "columns"):
        table, _ = _table(given, "items", {"item": "id"}, ["item"])
        if "item" not in table.columns:
            raise UserError("items has no column 'item'; rename the column that has the ids.")
        return _ids(table["item"], "item", "items")
    listed = _listed(given)
    if listed is None:
        raise UserError(f"items is {given!r}; give a list of ids, or a table with a column item.")
    found = np.array(listed, None if listed else np.int64)
    # Beside text, or where no whole type of numpy holds them all, each id stays what it is.
    return found if found.dtype.kind in "iu" else np.array(listed, object)


def _listed(given: Any) -> list | None:
    """Numbers and words one after the other; None for anything else."""
    if isinstance(given, str | bytes | Path | dict) or not isinstance(given, Iterable):
        return None
    if isinstance(given, np.ndarray) and given.ndim != 1:
        return None
    listed = list(given)
    nested = any(isinstance(one, Collection) and not isinstance(one, str) for one in listed)
    return None if nested else listed


def _read(path: Path, name: str, kinds: Mapping[str, str], needed: Sequence[str]) -> Any:
    """Columns of a file, each of its kind; no record is lost without a word."""
    if path.suffix not in TABLES:
        raise UserError(f"{name}: {path} must end in one of {', '.join(TABLES)}.")
    if not path.is_file():
        raise UserError(f"{name}: {path} is not there; correct the path.")
    try:
        return named_table.read(path, kinds, needed)
    except UserError as error:
        raise UserError(f"{name}: {error}") from error


def form_of(given: Any, name: str) -> Form:
    """Scores in any form, read and of the right kind."""
    if callable(getattr(given, "scores", None)) and not isinstance(given, type):
        for size in ("n_users", "n_items"):
            if not isinstance(getattr(given, size, None), Integral):
                raise UserError(
                    f"{name} has `scores`, but no whole number `{size}`; say how many there are."
                )
        return given if isinstance(given, OURS) else CheckedModel(given, name)
    if isinstance(given, np.ndarray):
        return _plain_array(given, name, -np.inf)
    if isinstance(given, str | Path) and Path(given).suffix == ".npz":
        arrays, fold = read_vectors(Path(given))
        return Vectors(name, arrays, fold, str(given))
    return triplets(given, name, "score")
