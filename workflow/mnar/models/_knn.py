"""Nearest neighbours, of items or of users: the one is the other on the transposed matrix."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import OneOf, Real, Whole
from mnar.core.errors import UserError
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings
from mnar.models._baseline import Baseline, fit_baseline, user_biases
from mnar.models._relevant import relevant_part
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
        """Fill `found` by a kernel, from the known entries of rows and their similar rows."""
        known = self.known
        kernel(rows, others, known.indptr, known.items, known.values, self.alike, self.k, found)


def predicts_ratings(settings: Mapping[str, Any]) -> bool:
    return settings["mode"] == "ratings"


def square_bytes(side: int) -> int:
    """Two matrices of similarities, as a model lives until the next is trained, and room to spare."""
    return 14 * side**2


def fit_grid(
    method: str, side: Side, train: Ratings, points: list[dict[str, Any]], threads: int
) -> Iterator[Any]:
    """Similarities are found once for settings that follow each other and differ in k alone."""
    check_side(method, side, train.n_items if side == "items" else train.n_users)
    before, alike = None, None
    for settings in points:
        mode, k = settings.get("mode", "ratings"), settings.get("k", 50)
        shared = mode, float(settings.get("shrinkage", 100.0))
        if alike is None or shared != before:
            # Let go first: two of these matrices may be more than there is room for.
            alike = None
            before, alike = shared, Similarities.of(method, side, train, *shared, threads)
        yield alike.model(k, threads)


@dataclass(frozen=True, eq=False)
class Similarities:
    """What settings that differ in k share."""

    side: Side
    train: Ratings
    alike: NDArray[np.float32]
    # Where ratings are predicted.
    baseline: Baseline | None = None
    known: Ratings | None = None

    @classmethod
    def of(
        cls, method: str, side: Side, train: Ratings, mode: str, shrinkage: float, threads: int
    ) -> "Similarities":
        if mode == "ranking":
            rows, columns = _sides(relevant_part(train), side)
            return cls(side, train, cosine(rows, columns, shrinkage, threads))
        if mode != "ratings":
            raise UserError(f"Method {method}: mode is {mode!r}; it must be ratings or ranking.")
        baseline = fit_baseline(train)
        rows, columns = _sides(_residuals(train, baseline), side)
        return cls(side, train, pearson(rows, columns, shrinkage, threads), baseline, columns)

    def model(self, k: int, threads: int) -> Any:
        if self.baseline is None or self.known is None:
            return _ranking(self.side, self.train, self.alike, k, threads)
        return RatingNeighbours(self.side, self.baseline, self.known, self.alike, k)


def _sides(ratings: Ratings, side: Side) -> tuple[Ratings, Ratings]:
    """Those whose likeness is asked for as rows, and the same transposed."""
    return (ratings.by_item, ratings) if side == "items" else (ratings, ratings.by_item)


def fold_in_users(model: Any, ratings: Ratings) -> Any:
    """The users of `ratings`, with the likeness of items held fixed (side items only)."""
    if isinstance(model, RankingNeighbours):
        return replace(model, left=relevance_matrix(ratings))
    baseline = user_biases(model.baseline, ratings)
    return replace(model, baseline=baseline, known=_residuals(ratings, baseline))


def _residuals(ratings: Ratings, baseline: Baseline) -> Ratings:
    return replace(ratings, values=baseline.residuals(ratings).astype(np.float32))


def _ranking(
    side: Side, train: Ratings, alike: NDArray[np.float32], k: int, threads: int
) -> RankingNeighbours:
    from scipy.sparse import csr_array

    near = nearest(alike, min(k, len(alike)), threads)
    row, position = np.nonzero(near >= 0)
    other = near[row, position]
    weights = csr_array((alike[row, other], (row, other)), alike.shape)
    if side == "users":
        return RankingNeighbours(weights, relevance_matrix(train))
    return RankingNeighbours(relevance_matrix(train), weights.T.tocsr())


@njit(cache=True, nogil=True)
def mean_of_nearest(alike, known, residuals, keys, positions):
    """Σ s e / Σ s over the most similar of those known, as many as `keys` has room for."""
    size = 0
    for at in range(len(known)):
        if alike[known[at]] > 0:
            size = keep_nearest(keys, positions, size, alike[known[at]], at)
    total = 0.0
    weight = 0.0
    for n in range(size):
        total += np.float64(keys[n]) * residuals[positions[n]]
        weight += keys[n]
    return total / weight if size > 0 else 0.0


@njit(cache=True, nogil=True)
def predict_pairs(rows, others, indptr, known, residuals, alike, k, found):
    """For pairs (row of `known`, the one whose likeness counts)."""
    keys, positions = np.empty(k, np.float32), np.empty(k, np.int64)
    for n in range(len(rows)):
        start, stop = indptr[rows[n]], indptr[rows[n] + 1]
        found[n] = mean_of_nearest(
            alike[others[n]], known[start:stop], residuals[start:stop], keys, positions
        )


@njit(cache=True, nogil=True)
def predict_block(rows, others, indptr, known, residuals, alike, k, found):
    """For every row with every other; `found` is rows × others."""
    keys, positions = np.empty(k, np.float32), np.empty(k, np.int64)
    for m in range(len(others)):
        for n in range(len(rows)):
            start, stop = indptr[rows[n]], indptr[rows[n] + 1]
            found[n, m] = mean_of_nearest(
                alike[others[m]], known[start:stop], residuals[start:stop], keys, positions
            )
