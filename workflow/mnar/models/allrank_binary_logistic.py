"""AllRank-Binary-Logistic (steck2010 Eq. 10): logistic likelihood of the 0/1 relevance matrix.

The sum goes over all entries. One side at a time climbs Böhning's quadratic lower bound, whose
curvature is that of the logistic at its steepest, 1/4: its maximum is one weighted least-squares
solve, and no step can lower the objective.

λ = 0 is refused: where factors can tell the relevant entries from the others, the likelihood has no
maximum.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mnar.core.palette import PURPLE
from mnar.core.parallel import for_blocks
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models._about import About
from mnar.models._allrank import FIRST_SWEEPS, FIRST_WEIGHT, Settings, relevant_entries
from mnar.models._als import Floats, Side, check_size, padded, side_of, solve
from mnar.models._common_settings import CONVERGED, FACTORS, MISSING_WEIGHT, PENALTY, sweeps
from mnar.models._descent import Beginnings, Sweep, Vectors, along_paths, descend
from mnar.models._logistic_kernels import (
    sum_logarithms,
    sum_positive,
    weigh_missing,
    weigh_relevant,
)

CURVATURE = 0.25
SWEEPS = 30
FOLD_STEPS = 30
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
    family="missing ratings, too",
    settings=(FACTORS, MISSING_WEIGHT, PENALTY, sweeps(SWEEPS), CONVERGED),
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
    """One model for each point, with one transposed matrix.

    A fixed number of sweeps from a random start; where `converged` is given, sweeps along the path of
    the point until the objective has converged.
    """
    training = _Training(relevant_entries(train), seed, threads)
    converging = all(settings.get("converged", 0) for settings in points)
    alone = (training.sweep_from_random(settings) for settings in points)
    fitted = along_paths(points, training.begin, training.go_on) if converging else alone
    for settings, vectors in zip(points, fitted, strict=True):
        users, items = (side[:, : settings["factors"]] for side in vectors)
        yield FactorModel.without_biases(users, items)


@dataclass
class _Training:
    """Sweeps over one set of ratings, with the vectors that paths of the same settings begin with."""

    ratings: Ratings
    seed: int
    threads: int
    beginnings: Beginnings = field(default_factory=Beginnings)

    def sweep_at(self, settings: Settings) -> Sweep:
        users, items = (likelihood(rows, settings) for rows in (self.ratings, self.ratings.by_item))
        return lambda vectors: sweep(users, items, vectors, settings["factors"], self.threads)

    def start(self, settings: Settings) -> Vectors:
        users = _als.start(self.ratings.n_users, settings["factors"], self.seed)
        return users, np.zeros((self.ratings.n_items, users.shape[1]), users.dtype)

    def sweep_from_random(self, settings: Settings) -> Vectors:
        """A fixed number of sweeps."""
        one, vectors = self.sweep_at(settings), self.start(settings)
        for _ in range(settings.get("sweeps", SWEEPS)):
            vectors, _ = one(vectors)
        return vectors

    def begin(self, settings: Settings) -> Vectors:
        """Some sweeps from random users, the same for all w_m."""
        return self.beginnings.of(settings, self._begin)

    def _begin(self, settings: Settings) -> Vectors:
        first = settings | {"missing_weight": FIRST_WEIGHT}
        return descend(self.sweep_at(first), self.start(first), FIRST_SWEEPS, 0)

    def go_on(self, settings: Settings, vectors: Vectors) -> Vectors:
        """Sweeps from `vectors` until the objective has converged."""
        most, bound = settings.get("sweeps", SWEEPS), settings["converged"]
        return descend(self.sweep_at(settings), vectors, most, bound)


def sweep(
    users: Likelihood, items: Likelihood, vectors: Vectors, factors: int, threads: int
) -> tuple[Vectors, float]:
    """One step of the items, then one of the users, and the cost between the two.

    The scores of the users' step give that cost. Their step lowers it, so it lies above the cost
    of the vectors given back, and below that of the vectors given.
    """
    costs = np.zeros(len(vectors[0]))
    item_vectors = climb(items, vectors[1], vectors[0], factors, threads)
    user_vectors = climb(users, vectors[0], item_vectors, factors, threads, costs)
    between = costs.sum() + penalty(users, vectors[0]) + penalty(items, item_vectors)
    return (user_vectors, item_vectors), float(between)


def penalty(rows: Likelihood, vectors: Floats) -> float:
    return float(0.5 * rows.ones.ridge @ np.sum(vectors**2, axis=1, dtype=np.float64))


def objectives(train: Ratings, settings: Settings, seed: int, threads: int) -> Iterator[float]:
    """Eq. 10 with its sign turned, after each sweep, without end."""
    ratings = relevant_entries(train)
    users, items = likelihood(ratings, settings), likelihood(ratings.by_item, settings)
    factors = settings["factors"]
    user_vectors: Floats = _als.start(ratings.n_users, factors, seed)
    vectors = user_vectors, np.zeros((ratings.n_items, user_vectors.shape[1]), np.float32)
    while True:
        vectors, _ = sweep(users, items, vectors, factors, threads)
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


def climb(
    rows: Likelihood,
    vectors: Floats,
    design: Floats,
    factors: int,
    threads: int,
    costs: NDArray[np.float64] | None = None,
) -> Floats:
    """The rows at the maximum of their bound, which touches the objective at `vectors`."""
    ridge = rows.ones.ridge.astype(vectors.dtype)[:, None]
    slope = gradient(rows, vectors, design, threads, costs) - ridge * vectors
    return vectors + solve(rows.bound, design, factors, threads, pull=slope)


def gradient(
    rows: Likelihood,
    vectors: Floats,
    design: Floats,
    threads: int,
    costs: NDArray[np.float64] | None = None,
) -> Floats:
    """Σ_i W (Y − σ(Ŷ)) q_i for each row, over all columns i.

    Where `costs` are asked for, Σ W (log(1 + e^Ŷ) − Y Ŷ) is added to them, in any of a block's rows.
    """
    slopes = np.zeros_like(vectors)
    ones, weight = rows.ones, rows.missing_weight
    counted = np.zeros(0) if costs is None else costs

    def work(first: int, last: int) -> None:
        turned = -vectors[first:last]
        for left in range(0, len(design) if weight else 0, COLUMNS):
            some = design[left : left + COLUMNS]
            errors = turned @ some.T
            if costs is not None:
                costs[first] += weight * sum_positive(errors)
            weigh_missing(errors, -weight)
            if costs is not None:
                costs[first] += weight * sum_logarithms(errors, -weight)
            slopes[first:last] += errors @ some
        given = (first, last, ones.indptr, ones.columns, weight, vectors, design)
        weigh_relevant(*given, slopes, counted)

    for_blocks(work, len(vectors), threads, ROWS)
    return slopes


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
