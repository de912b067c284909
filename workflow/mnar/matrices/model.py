"""What measures ask of a model, and how they get scores from any of them.

A factor model is scored in tiles (factor_scores.py); any other model by its own `scores`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import Diverged

Indices = NDArray[np.integer]
Scores = NDArray[np.float32]

# The most users of a block of dense scores, and the most cells (16 MB).
_MOST_ROWS, _MOST_CELLS = 256, 1 << 22


class Model(Protocol):
    """Anything that scores all items for some users.

    `scores(users)` has a row for each user and a column for each item; a higher score is better, and
    equal scores are ties. Minus infinity means that the model does not list the item: such items are
    tied at the bottom. Several threads may call it at once, for different users. It must not change
    what it returned before, and must not call `for_blocks`.

    A model that predicts ratings may also have `predict(users, items)`, the predicted ratings of
    (user, item) pairs. Without it, the scores are the predictions. One whose predictions move with
    time may have `predict_at(users, items, times)`, for pairs whose moment is known.
    """

    @property
    def n_users(self) -> int: ...

    @property
    def n_items(self) -> int: ...

    def scores(self, users: Indices) -> Scores: ...


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The model that has all scores in a matrix (users × items)."""

    matrix: Scores
    # What it predicts, where `matrix` only has the order of it.
    values: NDArray | None = None

    @property
    def n_users(self) -> int:
        return self.matrix.shape[0]

    @property
    def n_items(self) -> int:
        return self.matrix.shape[1]

    def scores(self, users: Indices) -> Scores:
        return self.matrix[users]

    def predict(self, users: Indices, items: Indices) -> NDArray:
        return (self.matrix if self.values is None else self.values)[users, items]


def for_scores(
    model: Model,
    users: Indices,
    threads: int,
    work: Callable[[int, int, Scores, NDArray[np.int32]], None],
) -> None:
    """Call work(first, last, scores, columns) for blocks of `users`, which rise.

    `scores` has a row for each of users[first:last]; item i is in column columns[i].
    """
    if isinstance(model, FactorModel):
        scorer = model.item_scores

        def tiled(first: int, last: int) -> None:
            work(first, last, scorer(users[first:last]), scorer.columns)

        for_blocks(tiled, len(users), threads, scorer.rows_per_block)
        return
    columns = np.arange(model.n_items, dtype=np.int32)
    wrong: list[int] = []

    def dense(first: int, last: int) -> None:
        block = users[first:last]
        scores = _dense_scores(model, block)
        row = first_wrong_row(scores)
        if row < len(block):
            wrong.append(int(block[row]))
        else:
            work(first, last, scores, columns)

    for_blocks(dense, len(users), threads, rows_per_block(model.n_items))
    if wrong:
        raise Diverged(
            f"Some scores of user {min(wrong)} are NaN or plus infinity: a model must give every item "
            "a number, or minus infinity where it does not list the item."
        )


def rows_per_block(n_items: int) -> int:
    """How many users' dense scores are made at a time."""
    return max(1, min(_MOST_ROWS, _MOST_CELLS // max(n_items, 1)))


def _dense_scores(model: Model, users: Indices) -> Scores:
    scores = np.ascontiguousarray(model.scores(users), np.float32)
    if scores.shape != (len(users), model.n_items):
        raise UserError(
            f"{type(model).__name__}.scores gave an array of shape {scores.shape} for {len(users)} "
            f"users and {model.n_items} items; it must have a row a user and a column an item."
        )
    return scores


@njit(cache=True, nogil=True)
def first_wrong_row(scores):
    """The first row with NaN or plus infinity; the number of rows if there is none."""
    for row in range(scores.shape[0]):
        fine = True
        for column in range(scores.shape[1]):
            fine &= scores[row, column] < np.inf
        if not fine:
            return row
    return scores.shape[0]


def score_pairs(model: Model, users: Indices, items: Indices, threads: int = 1) -> Scores:
    """Scores of (user, item) pairs."""
    if isinstance(model, FactorModel):
        return model.score_pairs(users, items)
    found = np.empty(len(users), np.float32)
    wanted, row = np.unique(users, return_inverse=True)
    order = np.argsort(row, kind="stable")
    bounds = np.searchsorted(row[order], np.arange(len(wanted) + 1))

    def gather(first: int, last: int, scores: Scores, columns: NDArray[np.int32]) -> None:
        pairs = order[bounds[first] : bounds[last]]
        found[pairs] = scores[row[pairs] - first, columns[items[pairs]]]

    for_scores(model, wanted, threads, gather)
    return found


def predict_pairs(
    model: Model,
    users: Indices,
    items: Indices,
    threads: int = 1,
    times: NDArray[np.int64] | None = None,
) -> NDArray:
    """Predicted ratings of (user, item) pairs, at their times where the model makes use of them.

    By `predict_at` or `predict` where the model has it, else its scores.
    """
    if times is not None and hasattr(model, "predict_at"):
        return np.asarray(model.predict_at(users, items, times), np.float64)
    predict = getattr(model, "predict", None)
    if predict is None:
        return score_pairs(model, users, items, threads)
    return np.asarray(predict(users, items), np.float64)
