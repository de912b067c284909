"""Scores that were made elsewhere: pairs (Parquet or csv) or vectors (.npz), with the ids of the data."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ids import Ids, positions
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import Model

COLUMNS = ("user", "item", "score")
ENDINGS = (".parquet", ".csv", ".npz")
# Its key in the metadata of a Parquet file, and its name in an .npz.
FOLD = "fold"
# The arrays of an .npz and how many dimensions each has; those of NEEDED must be there.
DIMENSIONS = {
    **{"users": 1, "items": 1, "user_vectors": 2, "item_vectors": 2},
    **{"user_bias": 1, "item_bias": 1, "offset": 0},
}
NEEDED = ("users", "items", "user_vectors", "item_vectors")


@dataclass(frozen=True, eq=False)
class PartOfFactors:
    """A factor model of some users and items: the other items stand below, tied."""

    model: FactorModel
    # The row or column of each user and item in the model; −1: it has none.
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]

    @property
    def n_users(self) -> int:
        return len(self.rows)

    @property
    def n_items(self) -> int:
        return len(self.columns)

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        found = np.full((len(users), self.n_items), -np.inf, np.float32)
        there, known = self.rows[users] >= 0, self.columns >= 0
        mine = self.model.scores(self.rows[users][there])
        found[np.ix_(there, known)] = mine[:, self.columns[known]]
        return found

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        rows, columns = self.rows[users], self.columns[items]
        return np.where((rows >= 0) & (columns >= 0), self.model.predict(rows, columns), np.nan)

    def lists(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> bool:
        return bool((self.rows[users] >= 0).all() and (self.columns[items] >= 0).all())

    def of_users(self, users: NDArray[np.integer]) -> "PartOfFactors":
        return PartOfFactors(self.model, self.rows[users], self.columns)


def read_scores(path: str | Path, ids: Ids) -> Model:
    """A model of all users and items that `ids` has; wrong files end with a sentence that says why."""
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise UserError(f"{path}: scores are read from files that end in {', '.join(ENDINGS)}.")
    found, fold = _read(path, _load_arrays if path.suffix == ".npz" else _read_table)
    if fold and ids.fold is not None and fold != ids.fold():
        raise UserError(
            f"{path} was made for fold {fold}, but this fold is {ids.fold()}: its rows are others; "
            "export the folds again, train on them, and write the scores again."
        )
    if path.suffix == ".npz":
        check_vectors(found, str(path))
        return vectors_model(found, ids, str(path))
    return listed_model(found["user"], found["item"], found["score"], ids, str(path))


def read_vectors(path: Path) -> tuple[dict[str, NDArray], str]:
    """The arrays of an .npz, which fit together, and the id of their fold if the file has one."""
    arrays, fold = _read(path, _load_arrays)
    check_vectors(arrays, str(path))
    return arrays, fold


def _read(
    path: Path, read: Callable[[Path], tuple[dict[str, NDArray], str]]
) -> tuple[dict[str, NDArray], str]:
    if not path.is_file():
        raise UserError(f"{path} is not there; write the scores there, or correct the path.")
    try:
        return read(path)
    except UserError:
        raise
    except Exception as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"{path} cannot be read ({why}); write it again.") from error


def _load_arrays(path: Path) -> tuple[dict[str, NDArray], str]:
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return arrays, str(arrays.pop(FOLD, ""))


def _read_table(path: Path) -> tuple[dict[str, NDArray], str]:
    """The three columns, and the id of the fold if the file has one."""
    # Imported here, since every start of Snakemake imports this file.
    from mnar.data import named_table

    frame = named_table.read(path, {"user": "id", "item": "id", "score": "score"}, COLUMNS)
    if not len(frame):
        raise UserError(f"{path} has no scores; write some, or leave the method out.")
    fold = fold_of_parquet(path) if path.suffix == ".parquet" else ""
    return {name: frame[name].to_numpy() for name in COLUMNS}, fold


def fold_of_parquet(path: Path) -> str:
    """The id of the fold in the metadata, where polars or pandas would put it; empty if there is none."""
    import polars as pl

    metadata = pl.read_parquet_metadata(path)
    return str(metadata.get(FOLD) or json.loads(metadata.get("PANDAS_ATTRS", "{}")).get(FOLD, ""))


def listed_model(users: Any, items: Any, scores: NDArray, ids: Ids, source: str) -> ListedScores:
    """A model from pairs in any order; `source` is named in messages."""
    values = np.asarray(scores, np.float64)
    rows, columns = positions(ids.users, users), positions(ids.items, items)
    if not ids.all_items:
        keep = columns >= 0
        users, items = np.asarray(users)[keep], np.asarray(items)[keep]
        values, rows, columns = values[keep], rows[keep], columns[keep]
    for what, found, given in (("user", rows, users), ("item", columns, items)):
        if (found < 0).any():
            row = int((found < 0).argmax())
            raise UserError(
                f"{source}, row {row + 1}: {what} {np.asarray(given)[row]} is not in the data; use the "
                "ids of the exported folds."
            )
    wrong = ~(values < np.inf)
    if wrong.any():
        row = int(wrong.argmax())
        raise UserError(
            f"{source}, row {row + 1}: the score is {values[row]}; give a finite number, or leave the "
            "row out if the model does not list the item."
        )
    order = np.lexsort((columns, rows))
    again = (np.diff(rows[order]) == 0) & (np.diff(columns[order]) == 0)
    if again.any():
        row = int(order[1:][again].min())
        user, item = np.asarray(users)[row], np.asarray(items)[row]
        raise UserError(
            f"{source}, row {row + 1}: user {user} and item {item} are there twice; keep one of them."
        )
    listed = values > -np.inf
    shape = (len(ids.users), len(ids.items))
    return ListedScores.of(rows[listed], columns[listed], values[listed], shape)


def check_vectors(arrays: dict[str, NDArray], source: str) -> None:
    """A UserError unless the arrays of an .npz are those of a factor model."""
    for name in NEEDED:
        if name not in arrays:
            raise UserError(f"{source} has no array {name!r}; it needs {', '.join(NEEDED)}.")
    for name, array in arrays.items():
        if name not in DIMENSIONS:
            raise UserError(f"{source}: unknown array {name!r}; known are {', '.join(DIMENSIONS)}.")
        what, kinds = ("ids", "iufU") if name in ("users", "items") else ("real numbers", "fiu")
        if array.dtype.kind not in kinds:
            words = "numbers or text" if what == "ids" else what
            raise UserError(f"{source}: {name} holds {array.dtype}; it must hold {words}.")
        if array.ndim != DIMENSIONS[name]:
            form = ("one number", "a list", "a table of rows and columns")[DIMENSIONS[name]]
            raise UserError(f"{source}: {name} has the shape {array.shape}; it must be {form}.")
        if what != "ids" and not np.isfinite(_single(array)).all():
            raise UserError(
                f"{source}: {name} has numbers that are not finite in single precision; correct the "
                "model."
            )
    for side in ("user", "item"):
        size = len(arrays[f"{side}s"])
        if not size:
            raise UserError(f"{source} has no {side}s; write some, or leave the method out.")
        for name in (f"{side}_vectors", f"{side}_bias"):
            if name in arrays and len(arrays[name]) != size:
                raise UserError(
                    f"{source}: {name} has {len(arrays[name])} rows for {size} {side}s."
                )
    widths = arrays["user_vectors"].shape[1], arrays["item_vectors"].shape[1]
    if widths[0] != widths[1]:
        raise UserError(
            f"{source}: vectors of users and of items differ in length ({widths[0]} and {widths[1]})."
        )


def _single(array: NDArray) -> NDArray[np.float32]:
    """As models are computed; a number beyond single precision becomes infinite."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, np.float32)


def vectors_model(arrays: dict[str, NDArray], ids: Ids, source: str) -> Model:
    """A factor model from checked vectors with the ids of their rows, and biases where there are any."""
    whole = {"offset": np.zeros(())} | arrays
    for side in ("user", "item"):
        whole.setdefault(f"{side}_bias", np.zeros(len(arrays[f"{side}s"])))
    rows = _among_given(ids.users, whole["users"], "user", source, True)
    columns = _among_given(ids.items, whole["items"], "item", source, ids.all_items)
    model = FactorModel(
        _single(whole["user_vectors"]),
        _single(whole["item_vectors"]),
        _single(whole["item_bias"]),
        _single(whole["user_bias"]),
        float(whole["offset"]),
    )
    if (rows < 0).any() or (columns < 0).any():
        return PartOfFactors(model, rows, columns)
    return FactorModel(
        model.user_vectors[rows],
        model.item_vectors[columns],
        model.item_bias[columns],
        model.user_bias[rows],
        model.offset,
    )


def _among_given(
    known: NDArray, given: NDArray, what: str, source: str, strict: bool
) -> NDArray[np.int64]:
    """For each known id its position among the given ones; −1 for those that are not given."""
    found = positions(known, given)
    if strict and (found < 0).any():
        one = given[int((found < 0).argmax())]
        raise UserError(
            f"{source}: {what} {one} is not in the data; use the ids of the exported folds."
        )
    there = np.flatnonzero(found >= 0)
    if len(np.unique(found[there])) < len(there):
        raise UserError(f"{source}: an id of the {what}s is there twice; keep one of them.")
    at = np.full(len(known), -1, np.int64)
    at[found[there]] = there
    return at
