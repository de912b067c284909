"""What was read, as models and matrices of one shape: the same users and items, in the same order."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.core.declared import LARGEST
from mnar.core.errors import UserError
from mnar.evaluation.arguments import ALL
from mnar.evaluation.inputs import Form, Triplets, Vectors, items_of
from mnar.exchange.score_files import vectors_model
from mnar.matrices.ids import Ids, plain, positions
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import Model, ScoreMatrix
from mnar.matrices.ratings import Ratings

# What a column `relevant` may hold, as text.
MARKS = {"true": True, "1": True, "false": False, "0": False}


def shared_ids(parts: Sequence[Form], items: Any) -> Ids:
    """The ids of all users and items; rows and columns where something is given as a matrix."""
    tables = [part for part in parts if isinstance(part, Triplets) and part.shape is None]
    vectors = [part for part in parts if isinstance(part, Vectors)]
    shapes = {shape for part in parts if (shape := _shape_of(part)) is not None}
    if len(shapes) > 1:
        found = " and ".join(f"{rows} × {columns}" for rows, columns in sorted(shapes))
        raise UserError(f"Matrices of users × items must have one shape; found {found}.")
    if shapes:
        if items is not None:
            raise UserError(
                "items belongs to tables, whose items have ids: the columns of a matrix are all items; "
                "leave it out."
            )
        [(rows, columns)] = shapes
        ids = Ids(np.arange(rows), np.arange(columns))
        for one in vectors:
            for what, known in (("user", ids.users), ("item", ids.items)):
                _check_known(one.arrays[f"{what}s"], known, what, one)
        return ids
    more = [] if items is None else [("items", items_of(items))]
    users = _union([(part.name, part.users) for part in tables])
    every = _union([*((part.name, part.items) for part in tables), *more])
    for one in vectors:
        users = _with_new(users, one.arrays["users"], one.name)
        every = _with_new(every, one.arrays["items"], one.name)
    return Ids(users, every)


def _shape_of(form: Form) -> tuple[int, int] | None:
    """Users × items of what has no ids."""
    if isinstance(form, Triplets):
        return form.shape
    if isinstance(form, Vectors):
        return None
    return form.shape if isinstance(form, np.ndarray) else (form.n_users, form.n_items)


def _union(columns: Sequence[tuple[str, NDArray]]) -> NDArray:
    """All ids in order; as text where some are text. Each column has a name, for messages."""
    if (whole := _whole([column for _, column in columns])) is not None:
        return np.unique(np.concatenate(whole))
    found: set[str] = set()
    for name, column in columns:
        for one in dict.fromkeys(column.tolist()):
            if pd.isna(one):
                raise UserError(f"{name} has a row without an id; leave it out.")
            if isinstance(one, float) and math.isinf(one):
                raise UserError(f"{name} has a row whose id is {one}; leave it out.")
            found.add(plain(one))
    return np.array(sorted(found), object)


def _whole(columns: Sequence[NDArray]) -> Sequence[NDArray] | None:
    """Columns of whole numbers in one type that holds all of them; None where there is no such type."""
    kinds = {column.dtype.kind for column in columns}
    if kinds in ({"i"}, {"u"}):
        return columns
    # numpy would make floating numbers of both kinds together, and those above 2**53 would be rounded.
    if kinds == {"i", "u"} and all(column.max(initial=0) < 2**63 for column in columns):
        return [column.astype(np.int64) for column in columns]
    return None


def _with_new(known: NDArray, given: NDArray, name: str) -> NDArray:
    """Ids that are not known yet are added; the others stay as they are spelt."""
    new = given[positions(known, given) < 0]
    return _union([("", known), (name, new)]) if len(new) else known


def _check_known(
    given: NDArray, known: NDArray, what: str, part: Triplets | Vectors
) -> NDArray[np.int64]:
    """Where ids stand among those of the matrices; a UserError for one that does not."""
    at = positions(known, given)
    if (at < 0).any():
        row = int((at < 0).argmax())
        raise UserError(
            f"{part.place(row)}: {what} {given[row]} is no {what} of the matrices, whose "
            f"ids are 0 to {len(known) - 1}."
        )
    return at


def check_folds(parts: Sequence[tuple[str, Any]]) -> None:
    """A UserError where files or frames come from different folds; most carry no fold id."""
    found = {name: part.fold for name, part in parts if getattr(part, "fold", "")}
    first = next(iter(found), "")
    for name, fold in found.items():
        if fold != found[first]:
            raise UserError(
                f"{first} is of fold {found[first]}, but {name} is of fold {fold}: their rows are others; "
                "take ratings and scores of one fold."
            )


def rows_and_columns(part: Triplets, ids: Ids) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of pairs; a UserError for an unknown id and for a pair that is there twice."""
    rows = _check_known(part.users, ids.users, "user", part)
    columns = _check_known(part.items, ids.items, "item", part)
    order = np.lexsort((columns, rows))
    again = (np.diff(rows[order]) == 0) & (np.diff(columns[order]) == 0)
    if again.any():
        row = int(order[1:][again].min())
        raise UserError(
            f"{part.place(row)}: user {part.users[row]} and item {part.items[row]} are there "
            "twice; keep one of them."
        )
    return rows, columns


def ratings_of(
    part: Triplets | None, ids: Ids, relevant: float | str | None, counted: str | None
) -> Ratings:
    """The ratings as a matrix; `relevant` says from which value on they are relevant.

    `counted` is who counts the relevant ones among them; where nobody does, all may count alike.
    """
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
            f"{part.place(row)}: the rating is {values[row]}; give a number between {-LARGEST:g} and "
            f"{LARGEST:g}."
        )
    if part.marks is not None and relevant is None:
        liked = _marked(part)
    elif relevant is None and counted is not None and len(np.unique(values)) > 1:
        why = "" if counted == part.name else f", since {counted} counts them"
        raise UserError(
            f"{part.name} has ratings from {values.min():g} to {values.max():g}: say which are "
            f"relevant{why}, relevant=4 for those from 4 on, or relevant='all'."
        )
    elif relevant is None or relevant == ALL:
        liked = np.ones(len(rows), np.bool_)
    else:
        liked = values >= float(relevant)
    return Ratings.from_triplets(rows, columns, values, liked, shape)


def _marked(part: Triplets) -> NDArray[np.bool_]:
    """The column `relevant`: true or false, 1 or 0."""
    assert part.marks is not None
    marks = part.marks
    if marks.dtype.kind == "b":
        return marks
    if marks.dtype.kind in "iuf":
        liked, known = marks == 1, (marks == 1) | (marks == 0)
    else:
        read = [MARKS.get(plain(one).strip().casefold()) for one in marks.tolist()]
        known = np.array([one is not None for one in read], np.bool_)
        liked = np.array([one is True for one in read], np.bool_)
    if not known.all():
        row = int((~known).argmax())
        raise UserError(
            f"{part.place(row)}: relevant is {marks[row]}; it must be true or false, or 1 or 0."
        )
    return liked


def model_of(form: Form, ids: Ids, name: str) -> Model:
    """A model from scores in any form."""
    if isinstance(form, np.ndarray):
        return _dense(form, name)
    if isinstance(form, Vectors):
        return vectors_model(form.arrays, ids, form.source)
    if not isinstance(form, Triplets):
        return form
    assert form.values is not None
    rows, columns = rows_and_columns(form, ids)
    wrong = ~(form.values < np.inf)
    if wrong.any():
        row = int(wrong.argmax())
        raise UserError(
            f"{form.place(row)}: the score is {form.values[row]}; give a finite number, or leave it out "
            "where the model does not list the item."
        )
    listed = form.values > -np.inf
    shape = (len(ids.users), len(ids.items))
    return ListedScores.of(rows[listed], columns[listed], form.values[listed], shape)


def _dense(matrix: NDArray, name: str) -> ScoreMatrix:
    """In single precision, or where that would make new ties, by the ranks of each row's scores."""
    wrong = ~(matrix < np.inf)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise UserError(
            f"{name}, row {row}, column {column}: a score is NaN or infinite; give every item a number, "
            "or −inf where the model does not list it."
        )
    # What is beyond single precision becomes infinite, and then goes by its rank.
    with np.errstate(over="ignore"):
        single = matrix.astype(np.float32)
    if matrix.dtype != np.float32 and not np.array_equal(single, matrix):
        order = np.argsort(matrix, axis=1, kind="stable")
        rising = np.take_along_axis(matrix, order, axis=1)
        steps = np.cumsum(rising[:, 1:] != rising[:, :-1], axis=1, dtype=np.float32)
        np.put_along_axis(single, order[:, :1], 0, axis=1)
        np.put_along_axis(single, order[:, 1:], steps, axis=1)
        single[np.isneginf(matrix)] = -np.inf
    return ScoreMatrix(single, matrix)
