"""AllRank-Binary-Logistic (steck2010 Eq. 10): logistic likelihood of the 0/1 relevance matrix.

The sum goes over all entries. One side at a time climbs Böhning's quadratic lower bound, whose
curvature is that of the logistic at its steepest, 1/4: its maximum is one weighted least-squares
solve, and no step can lower the objective.

λ = 0 is refused: where factors can tell the relevant entries from the others, the likelihood has no
maximum.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import factorial, log

import numpy as np
from numpy.typing import NDArray

from mnar.core.palette import PURPLE
from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models._about import About
from mnar.models._allrank import Settings, relevant_entries
from mnar.models._als import Floats, Side, check_size, padded, side_of, solve
from mnar.models._common_settings import FACTORS, MISSING_WEIGHT, PENALTY, sweeps

CURVATURE = 0.25
SWEEPS = 10
FOLD_STEPS = 30
# Of 2^f = Σ_k C[k] f^k, to the last digit for |f| ≤ 1/2 in single precision.
C = tuple(np.float32(log(2) ** k / factorial(k)) for k in range(7))
PER_BIT = np.float32(1 / log(2))
# Powers of two that are normal numbers.
LARGEST = np.float32(126)
HALF, ONE = np.float32(0.5), np.float32(1)
# Rows and columns whose scores are held at a time: what fits the second cache.
ROWS = 128
COLUMNS = 512
# Operations of an exponential, a division and the weighing of one entry.
PER_PROBABILITY = 12

ABOUT = About(
    label="AllRank-Binary-Logistic",
    description="Logistic likelihood of the 0/1 relevance matrix, all that is not relevant with weight w_m.",
    colour=PURPLE,
    marker="P",
    settings=(FACTORS, MISSING_WEIGHT, PENALTY, sweeps(SWEEPS)),
    by_nature={"imputed": 0.0},
)


@dataclass(frozen=True)
class Likelihood:
    """Eq. 10 as the rows of one side see it: relevant entries, w_m and the ridge λ·tr(W)."""

    ones: Side
    missing_weight: float

    @property
    def bound(self) -> Side:
        """The quadratic form of the bound; its linear part is given as a pull on the rows."""
        curved = CURVATURE * self.missing_weight
        weights = np.full(1, CURVATURE)
        nothing = np.zeros_like(self.ones.values)
        return replace(self.ones, weights=weights, missing_weight=curved, values=nothing)


def likelihood(rows: Ratings, settings: Settings) -> Likelihood:
    missing_weight = settings["missing_weight"]
    ones = side_of(rows, missing_weight, 0.0, settings["lambda"], np.ones(1))
    return Likelihood(ones, missing_weight)


def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[Settings], seed: int, threads: int
) -> Iterator[FactorModel]:
    """One model for each point, all from the same start, with one transposed matrix."""
    ratings = relevant_entries(train)
    for settings in points:
        users, items = likelihood(ratings, settings), likelihood(ratings.by_item, settings)
        factors = settings["factors"]
        trained = swept(users, items, factors, seed, threads)
        last = settings.get("sweeps", SWEEPS) - 1
        user_vectors, item_vectors = next(islice(trained, last, None))
        yield FactorModel.without_biases(user_vectors[:, :factors], item_vectors[:, :factors])


def swept(
    users: Likelihood, items: Likelihood, factors: int, seed: int, threads: int
) -> Iterator[tuple[Floats, Floats]]:
    """Users and items after each sweep, without end."""
    user_vectors: Floats = _als.start(users.ones.n_rows, factors, seed)
    item_vectors: Floats = np.zeros((items.ones.n_rows, user_vectors.shape[1]), np.float32)
    while True:
        item_vectors = climb(items, item_vectors, user_vectors, factors, threads)
        user_vectors = climb(users, user_vectors, item_vectors, factors, threads)
        yield user_vectors, item_vectors


def objectives(train: Ratings, settings: Settings, seed: int, threads: int) -> Iterator[float]:
    """Eq. 10 with its sign turned, after each sweep, without end."""
    ratings = relevant_entries(train)
    users, items = likelihood(ratings, settings), likelihood(ratings.by_item, settings)
    for vectors in swept(users, items, settings["factors"], seed, threads):
        yield -objective(users, items, *vectors)


def operations(train: Ratings, settings: Settings) -> int:
    """Additions and multiplications of one sweep.

    Every entry is scored and pulls on its row, once for the users and once for the items.
    """
    factors = settings["factors"]
    counts_missing = settings["missing_weight"] > 0
    rows = train.n_users + train.n_items
    total = _als.operations(int(train.relevant.sum()), rows, factors, counts_missing)
    return total + 2 * train.n_users * train.n_items * (4 * factors + PER_PROBABILITY)


def fold_in(model: FactorModel, ratings: Ratings, settings: Settings, threads: int) -> FactorModel:
    """Users for the rows of `ratings`, the items held fixed: some steps from zero."""
    check_size("items", model.n_items, ratings.n_items)
    rows = likelihood(relevant_entries(ratings), settings)
    factors = model.item_vectors.shape[1]
    design = padded(model.item_vectors)
    vectors = np.zeros((ratings.n_users, design.shape[1]), np.float32)
    for _ in range(FOLD_STEPS):
        vectors = climb(rows, vectors, design, factors, threads)
    return replace(
        model,
        user_vectors=np.ascontiguousarray(vectors[:, :factors]),
        user_bias=np.zeros(ratings.n_users, np.float32),
    )


def climb(rows: Likelihood, vectors: Floats, design: Floats, factors: int, threads: int) -> Floats:
    """The rows at the maximum of their bound, which touches the objective at `vectors`."""
    ridge = rows.ones.ridge.astype(vectors.dtype)[:, None]
    slope = gradient(rows, vectors, design, threads) - ridge * vectors
    return vectors + solve(rows.bound, design, factors, threads, pull=slope)


def gradient(rows: Likelihood, vectors: Floats, design: Floats, threads: int) -> Floats:
    """Σ_i W (Y − σ(Ŷ)) q_i for each row, over all columns i."""
    slopes = np.zeros_like(vectors)
    ones = rows.ones

    def work(first: int, last: int) -> None:
        turned = -vectors[first:last]
        for left in range(0, len(design), COLUMNS):
            some = design[left : left + COLUMNS]
            errors = turned @ some.T
            weigh_missing(errors, -rows.missing_weight)
            slopes[first:last] += errors @ some
        weigh_relevant(
            first, last, ones.indptr, ones.columns, rows.missing_weight, vectors, design, slopes
        )

    for_blocks(work, len(vectors), threads, ROWS)
    return slopes


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def weigh_missing(numbers, weight):
    """numbers = weight / (1 + e^numbers), in place: weight × σ(Ŷ) for −Ŷ.

    e^x = 2^n 2^f for the whole number n next to x / ln 2: 2^n is put together from its bits, 2^f is a
    polynomial. In vector registers, which a call of an exponential function is not.
    """
    lines = numbers.reshape(-1)
    for place in range(len(lines)):
        power = min(max(lines[place] * PER_BIT, -LARGEST), LARGEST)
        whole = np.floor(power + HALF)
        f = power - whole
        part = C[6]
        for k in range(5, -1, -1):
            part = part * f + C[k]
        times = np.int32((np.int32(whole) + np.int32(127)) << np.int32(23)).view(np.float32)
        lines[place] = np.float32(weight) / (ONE + part * times)


@njit(cache=True, nogil=True)
def weigh_relevant(first, last, indptr, columns, missing_weight, vectors, design, slopes):
    """Relevant entries have the slope 1 − σ(Ŷ) instead of −w_m σ(Ŷ): add the difference."""
    for row in range(first, last):
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            score = np.float32(0)
            for k in range(vectors.shape[1]):
                score += vectors[row, k] * design[column, k]
            more = 1 - (1 - missing_weight) / (1 + np.exp(-score))
            for k in range(vectors.shape[1]):
                slopes[row, k] += np.float32(more) * design[column, k]


def _relevant(ones: Side, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Row within the block and column of each relevant entry."""
    begin, end = ones.indptr[first], ones.indptr[last]
    rows = np.repeat(np.arange(last - first), np.diff(ones.indptr[first : last + 1]))
    return rows, ones.columns[begin:end]


def objective(
    users: Likelihood, items: Likelihood, user_vectors: Floats, item_vectors: Floats
) -> float:
    """Eq. 10 in double precision."""
    p, q = user_vectors.astype(np.float64), item_vectors.astype(np.float64)
    total = -0.5 * (
        users.ones.ridge @ np.sum(p**2, axis=1) + items.ones.ridge @ np.sum(q**2, axis=1)
    )
    for first in range(0, len(p), ROWS):
        last = min(first + ROWS, len(p))
        scores = p[first:last] @ q.T
        costs = np.logaddexp(0, scores)
        relevant = _relevant(users.ones, first, last)
        total -= users.missing_weight * costs.sum()
        total += np.sum(scores[relevant] - (1 - users.missing_weight) * costs[relevant])
    return float(total)
