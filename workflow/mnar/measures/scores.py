"""Scores of all items for blocks of users, such that equal items have equal scores."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnar.compiled import njit
from mnar.errors import UserError
from mnar.factor_model import FactorModel

# Enough rows for BLAS to be at its best, few enough to share a small set of users among threads.
_MOST_ROWS = 128
# 64 MB of scores in each thread, however large the catalogue.
_MOST_CELLS = 1 << 24
# No score is larger than the lengths of two vectors multiplied (Cauchy and Schwarz): below this, far
# from the largest number there is, nothing overflows on the way either.
_SAFE = 1e30
# Sums in any order, so that they run in vector registers; infinities stay what they are.
_SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True)
def all_finite(scores):
    """Whether no score is infinite or NaN."""
    finite = True
    for row in range(scores.shape[0]):
        for item in range(scores.shape[1]):
            finite &= abs(scores[row, item]) < np.inf
    return finite


@njit(cache=True, nogil=True, fastmath=_SUMS)
def multiply_pairs(user_vectors, item_vectors, users, items, products):
    """products[n] = user_vectors[users[n]] · item_vectors[items[n]]."""
    for pair in range(len(users)):
        total = np.float32(0)
        for k in range(user_vectors.shape[1]):
            total += user_vectors[users[pair], k] * item_vectors[items[pair], k]
        products[pair] = total


class ItemScores:
    """The scores of all items for given users, but for what is the same for all items of a user.

    Items stand in falling order of their mean score: item i has column columns[i]. So high scores are
    next to each other, and most items need not be looked at when a high score is ranked.

    The item bias is one more factor, so that one matrix product does it all. BLAS rounds equal
    items differently near the edges of a matrix; they would not be tied, so each copy of an item
    gets the score of the first of its kind.
    """

    def __init__(self, model: FactorModel) -> None:
        self.user_vectors = model.user_vectors
        # Adding zero turns -0.0 into 0.0: the two are equal, but their bytes are not.
        table = np.column_stack((model.item_vectors, model.item_bias)).astype(np.float32) + 0
        with np.errstate(over="ignore", invalid="ignore"):
            means = np.einsum("nk,k->n", table, np.append(model.user_vectors.mean(axis=0), 1))
        order = np.argsort(-means, kind="stable")
        self.columns = np.empty(len(table), np.int32)
        self.columns[order] = np.arange(len(table), dtype=np.int32)
        table = table[order]
        rows = table.view(f"V{table.itemsize * table.shape[1]}").ravel()
        _, firsts, kinds = np.unique(rows, return_index=True, return_inverse=True)
        originals = firsts[kinds]
        self.copies = np.flatnonzero(originals != np.arange(len(table)))
        self.originals = originals[self.copies]
        self.factors = np.ascontiguousarray(table.T)
        self.surely_finite = _longest(model.user_vectors) * _longest(table) < _SAFE

    @property
    def rows_per_block(self) -> int:
        return max(1, min(_MOST_ROWS, _MOST_CELLS // self.factors.shape[1]))

    def __call__(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        """Scores of shape (users, items)."""
        ones = np.ones((len(users), 1), np.float32)
        # What overflows is found below, with a clearer message than numpy's.
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.hstack((self.user_vectors[users], ones)) @ self.factors
        if len(self.copies):
            scores[:, self.copies] = scores[:, self.originals]
        if not self.surely_finite:
            check_finite(scores, users)
        return scores


def _longest(vectors: NDArray[np.float32]) -> np.float64:
    """The length of the longest vector, with one more factor that is 1."""
    squares = np.einsum("nk,nk->n", vectors, vectors, dtype=np.float64)
    return np.sqrt(squares.max(initial=0) + 1)


@lru_cache(maxsize=1)
def item_scores(model: FactorModel) -> ItemScores:
    """Made once for each model: several held-out sets in a row are scored with one."""
    return ItemScores(model)


def predict_pairs(
    model: FactorModel, users: NDArray[np.integer], items: NDArray[np.integer]
) -> NDArray[np.float32]:
    """Predicted ratings of (user, item) pairs."""
    products = np.empty(len(users), np.float32)
    multiply_pairs(model.user_vectors, model.item_vectors, users, items, products)
    with np.errstate(over="ignore", invalid="ignore"):
        predicted = model.offset + model.user_bias[users] + model.item_bias[items] + products
    check_finite(predicted[:, np.newaxis], users)
    return predicted


def score_pairs(
    model: FactorModel, users: NDArray[np.integer], items: NDArray[np.integer]
) -> NDArray[np.float32]:
    """Predictions, but for what is the same for all items of a user.

    Offset and user bias do not change the order; adding them would round scores into ties.
    """
    plain = replace(model, offset=0.0, user_bias=np.zeros_like(model.user_bias))
    return predict_pairs(plain, users, items)


def check_finite(scores: NDArray[np.float32], users: NDArray[np.integer]) -> None:
    """Raise a UserError that names the first user with a score that is no finite number."""
    if not all_finite(scores):
        user = users[np.isfinite(scores).all(axis=1).argmin()]
        raise UserError(
            f"Some scores of user {user} are not finite numbers: the training of the model has "
            "diverged; use a smaller learning rate or a stronger regularisation."
        )
