"""Nearest neighbours, of items or of users: the one is the other on the transposed matrix."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings
from mnar.models._baseline import Baseline, fit_baseline, user_biases
from mnar.models._relevant import relevant_part
from mnar.models._settings import OneOf, Real, Whole
from mnar.models._similarity import cosine, keep_nearest, nearest, pearson
from mnar.models._square import check_side, relevance_matrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SETTINGS = (
    OneOf("mode", "what is predicted", options=("ratings", "ranking"), default="ratings"),
    Whole("k", "neighbours that count", default=50),
    Real("shrinkage", "common ratings by which a similarity is halved", least=0, default=100.0),
)
# Users scored at a time, so that a row of similarities serves them all from the first cache.
BLOCK = 64

Side = Literal["items", "users"]


@dataclass(frozen=True, eq=False)
class RankingNeighbours:
    """score = left · right: relevance × item weights, or user weights × relevance."""

    left: "csr_array"
    right: "csr_array"

    @property
    def n_users(self) -> int:
        return self.left.shape[0]

    @property
    def n_items(self) -> int:
        return self.right.shape[1]

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        return (self.left[users] @ self.right).toarray()


@dataclass(frozen=True, eq=False)
class RatingNeighbours:
    """Baseline + weighted mean of the residuals of the k nearest that are known."""

    side: Side
    baseline: Baseline
    # Rated by a user (side items), or raters of an item (side users); values are residuals.
    known: Ratings
    alike: NDArray[np.float32]
    k: int

    @property
    def n_users(self) -> int:
        return len(self.baseline.user_bias)

    @property
    def n_items(self) -> int:
        return len(self.baseline.item_bias)

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        rows, others = (users, items) if self.side == "items" else (items, users)
        found = np.empty(len(users))
        self._run(predict_pairs, rows, others, found)
        return self.baseline.of(users, items) + found

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        items = np.arange(self.n_items)
        scores = np.empty((len(users), self.n_items), np.float32)
        for first in range(0, len(users), BLOCK):
            some = users[first : first + BLOCK]
            block = np.empty((len(some), self.n_items))
            if self.side == "items":
                self._run(predict_block, some, items, block)
            else:
                self._run(predict_block, items, some, block.T)
            scores[first : first + BLOCK] = self.baseline.of(some[:, None], items) + block
        return scores

    def _run(self, kernel: Callable, rows: NDArray, others: NDArray, found: NDArray) -> None:
        """Fill `found` by a kernel for rows of what is known and those whose likeness counts."""
        known = self.known
        kernel(rows, others, known.indptr, known.items, known.values, self.alike, self.k, found)


def predicts_ratings(settings: Mapping[str, Any]) -> bool:
    return settings["mode"] == "ratings"


def fit(method: str, side: Side, train: Ratings, settings: dict[str, Any], threads: int) -> Any:
    mode, k = settings.get("mode", "ratings"), settings.get("k", 50)
    shrinkage = float(settings.get("shrinkage", 100.0))
    check_side(method, side, train.n_items if side == "items" else train.n_users)
    if mode == "ranking":
        return _fit_ranking(side, train, k, shrinkage, threads)
    if mode != "ratings":
        raise UserError(f"Method {method}: mode is {mode!r}; it must be ratings or ranking.")
    baseline = fit_baseline(train)
    residuals = _residuals(train, baseline)
    rows, columns = residuals.by_item, residuals
    if side == "users":
        rows, columns = columns, rows
    return RatingNeighbours(side, baseline, columns, pearson(rows, columns, shrinkage, threads), k)


def fold_in_users(model: Any, ratings: Ratings) -> Any:
    """The users of `ratings`, with the likeness of items held fixed (side items only)."""
    if isinstance(model, RankingNeighbours):
        return replace(model, left=relevance_matrix(ratings))
    baseline = user_biases(model.baseline, ratings)
    return replace(model, baseline=baseline, known=_residuals(ratings, baseline))


def _residuals(ratings: Ratings, baseline: Baseline) -> Ratings:
    return replace(ratings, values=baseline.residuals(ratings).astype(np.float32))


def _fit_ranking(
    side: Side, train: Ratings, k: int, shrinkage: float, threads: int
) -> RankingNeighbours:
    from scipy.sparse import csr_array

    relevant = relevant_part(train)
    rows, columns = relevant.by_item, relevant
    if side == "users":
        rows, columns = columns, rows
    alike = cosine(rows, columns, shrinkage, threads)
    near = nearest(alike, min(k, len(alike)), threads)
    row, place = np.nonzero(near >= 0)
    other = near[row, place]
    weights = csr_array((alike[row, other], (row, other)), alike.shape)
    if side == "users":
        return RankingNeighbours(weights, relevance_matrix(train))
    return RankingNeighbours(relevance_matrix(train), weights.T.tocsr())


@njit(cache=True, nogil=True)
def mean_of_nearest(alike, known, residuals, keys, places):
    """Σ s e / Σ s over the most similar of those known, as many as `keys` has room for."""
    size = 0
    for at in range(len(known)):
        if alike[known[at]] > 0:
            size = keep_nearest(keys, places, size, alike[known[at]], at)
    total = 0.0
    weight = 0.0
    for n in range(size):
        total += np.float64(keys[n]) * residuals[places[n]]
        weight += keys[n]
    return total / weight if size > 0 else 0.0


@njit(cache=True, nogil=True)
def predict_pairs(rows, others, indptr, known, residuals, alike, k, found):
    """For pairs (row of `known`, the one whose likeness counts)."""
    keys, places = np.empty(k, np.float32), np.empty(k, np.int64)
    for n in range(len(rows)):
        start, stop = indptr[rows[n]], indptr[rows[n] + 1]
        found[n] = mean_of_nearest(
            alike[others[n]], known[start:stop], residuals[start:stop], keys, places
        )


@njit(cache=True, nogil=True)
def predict_block(rows, others, indptr, known, residuals, alike, k, found):
    """For every row with every other; `found` is rows × others."""
    keys, places = np.empty(k, np.float32), np.empty(k, np.int64)
    for m in range(len(others)):
        for n in range(len(rows)):
            start, stop = indptr[rows[n]], indptr[rows[n] + 1]
            found[n, m] = mean_of_nearest(
                alike[others[m]], known[start:stop], residuals[start:stop], keys, places
            )
