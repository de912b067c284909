"""The AllRank family: steck2010 Eq. 13 by alternating least squares, with four choices of terms."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mnar.core.declared import Levels
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models._als import Floats, Side, check_size, padded, side_of, solve, start
from mnar.models._blocks import improve
from mnar.models._common_settings import (
    CONVERGED,
    FACTORS,
    IMPUTED,
    MISSING_WEIGHT,
    PENALTY_FROM_0,
    sweeps,
)
from mnar.models._descent import Beginnings, Vectors, along_paths, descend
from mnar.models._relevant import relevant_part

# Where the objective decides, it has converged by then nearly everywhere.
SWEEPS = 30
# A path begins with sweeps at this weight of missing ratings, whatever weight comes after: a random
# start at the point itself may end in a saddle point where w_m is large, and is slow where it is small.
FIRST_WEIGHT = 0.03
FIRST_SWEEPS = 15

Settings = dict[str, Any]

# Of allrank-regression, and of methods that do the same on other entries.
REGRESSION_SETTINGS = (
    FACTORS,
    MISSING_WEIGHT,
    IMPUTED,
    PENALTY_FROM_0,
    Levels(
        "weights", "w(r), the weight of a rating by its value, 1 where none is given", default=None
    ),
    sweeps(SWEEPS),
    CONVERGED,
)


@dataclass(frozen=True)
class Terms:
    """The terms of Eq. 13: w_m, r_m (which is the offset, too), λ, and w(r) where it is not 1."""

    missing_weight: float
    imputed: float
    penalty: float
    weights: Mapping[Any, float] | None = None

    def side(self, rows: Ratings) -> Side:
        weights = np.ones(1) if self.weights is None else _weigh(rows.values, self.weights)
        return side_of(rows, self.missing_weight, self.imputed, self.penalty, weights)


def regression_terms(settings: Settings) -> Terms:
    return Terms(
        settings["missing_weight"],
        settings["imputed"],
        settings["lambda"],
        settings.get("weights"),
    )


def undetermined(settings: Mapping[str, Any]) -> str | None:
    """Why w_m and λ cannot go together, if so."""
    return _als.without_solution(settings["missing_weight"], settings["lambda"])


def _weigh(values: Floats, weights: Mapping[Any, float]) -> Floats:
    """w(r) of each entry (Eq. 12): 1 for rating values that are not named."""
    levels = {float(level): weight for level, weight in weights.items()}
    found, which = np.unique(values, return_inverse=True)
    return np.array([levels.get(float(level), 1.0) for level in found], np.float32)[which]


def all_entries(ratings: Ratings) -> Ratings:
    return ratings


def relevant_entries(ratings: Ratings) -> Ratings:
    """The 0/1 relevance matrix Y: ones where relevant; all else counts as missing (Eqs. 10, 11)."""
    ones = relevant_part(ratings)
    return replace(ones, values=np.ones_like(ones.values))


@dataclass(frozen=True)
class Method:
    """The functions that a method's file exports, made of its terms and the entries that it uses."""

    terms: Callable[[Settings], Terms]
    entries: Callable[[Ratings], Ratings] = all_entries

    def fit(self, train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
        return next(self.fit_grid(train, [settings], seed, threads))

    def fit_grid(
        self, train: Ratings, points: list[Settings], seed: int, threads: int
    ) -> Iterator[FactorModel]:
        """One model for each point, with one transposed matrix.

        A fixed number of sweeps from a random start; where `converged` is given, sweeps along the path
        of the point until the objective has converged.
        """
        ratings = self.entries(train)
        training = _Training(self.terms, ratings, seed, threads)
        alone = (training.sweep_from_random(settings) for settings in points)
        fitted = (
            along_paths(points, training.begin, training.go_on)
            if all(settings.get("converged", 0) for settings in points)
            else alone
        )
        for settings, vectors in zip(points, fitted, strict=True):
            factors = settings["factors"]
            users, items = (side[:, :factors] for side in vectors)
            yield FactorModel.without_biases(users, items, self.terms(settings).imputed)

    def fold_in(
        self, model: FactorModel, ratings: Ratings, settings: Settings, threads: int
    ) -> FactorModel:
        """Users for the rows of `ratings`, the items held fixed: one solve of Eq. 16."""
        check_size("items", model.n_items, ratings.n_items)
        side = self.terms(settings).side(self.entries(ratings))
        return replace(
            model,
            user_vectors=_fold(side, model.item_vectors, threads),
            user_bias=np.zeros(ratings.n_users, np.float32),
        )

    def fold_in_items(
        self, model: FactorModel, ratings: Ratings, settings: Settings, threads: int
    ) -> FactorModel:
        """Items for the columns of `ratings`, the users held fixed: one solve of Eq. 15."""
        check_size("users", model.n_users, ratings.n_users)
        side = self.terms(settings).side(self.entries(ratings).by_item)
        return replace(
            model,
            item_vectors=_fold(side, model.user_vectors, threads),
            item_bias=np.zeros(ratings.n_items, np.float32),
        )

    def objectives(
        self, train: Ratings, settings: Settings, seed: int, threads: int
    ) -> Iterator[float]:
        """Eq. 13 after each sweep, without end."""
        ratings, terms = self.entries(train), self.terms(settings)
        users, items = terms.side(ratings), terms.side(ratings.by_item)
        factors = settings["factors"]
        user_vectors: Floats = start(ratings.n_users, factors, seed)
        item_vectors = None
        while True:
            user_vectors, item_vectors = sweep(
                users, items, user_vectors, factors, threads, item_vectors
            )
            yield _als.objective(users, items, user_vectors, item_vectors)

    def operations(self, train: Ratings, settings: Settings) -> int:
        """Additions and multiplications of one sweep."""
        entries = len(self.entries(train).items)
        counts_missing = self.terms(settings).missing_weight > 0
        rows = train.n_users + train.n_items
        return _als.operations(entries, rows, settings["factors"], counts_missing)


@dataclass
class _Training:
    """Sweeps over one set of ratings, with the vectors that paths of the same settings begin with."""

    terms: Callable[[Settings], Terms]
    ratings: Ratings
    seed: int
    threads: int
    beginnings: Beginnings = field(default_factory=Beginnings)

    def sweep_from_random(self, settings: Settings) -> Vectors:
        """A fixed number of sweeps."""
        users, items = self._sides(self.terms(settings))
        user_vectors: Floats = start(self.ratings.n_users, settings["factors"], self.seed)
        item_vectors: Floats = np.zeros((self.ratings.n_items, user_vectors.shape[1]), np.float32)
        for _ in range(settings.get("sweeps", SWEEPS)):
            user_vectors, item_vectors = sweep(
                users, items, user_vectors, settings["factors"], self.threads, item_vectors
            )
        return user_vectors, item_vectors

    def begin(self, settings: Settings) -> Vectors:
        """Some sweeps from random users, the same for all w_m."""
        return self.beginnings.of(settings, self._begin)

    def _begin(self, settings: Settings) -> Vectors:
        factors = settings["factors"]
        random = start(self.ratings.n_users, factors, self.seed)
        nothing = np.zeros((self.ratings.n_items, random.shape[1]), random.dtype)
        terms = replace(self.terms(settings), missing_weight=FIRST_WEIGHT)
        return self._descend(terms, factors, (random, nothing), FIRST_SWEEPS, 0)

    def go_on(self, settings: Settings, vectors: Vectors) -> Vectors:
        """Sweeps from `vectors` until the objective has converged."""
        most, bound = settings.get("sweeps", SWEEPS), settings["converged"]
        return self._descend(self.terms(settings), settings["factors"], vectors, most, bound)

    def _descend(
        self, terms: Terms, factors: int, vectors: Vectors, most: int, bound: float
    ) -> Vectors:
        users, items = self._sides(terms)

        def sweep_from(given: Vectors) -> tuple[Vectors, float]:
            solved = sweep(users, items, given[0], factors, self.threads, given[1])
            return solved, _als.objective(users, items, *solved, self.threads)

        return descend(sweep_from, vectors, most, bound)

    def _sides(self, terms: Terms) -> tuple[Side, Side]:
        return terms.side(self.ratings), terms.side(self.ratings.by_item)


def sweep(
    users: Side,
    items: Side,
    user_vectors: Floats,
    factors: int,
    threads: int,
    item_vectors: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Items given the users, then users given the items: Eqs. 15 and 16.

    Each is solved exactly; with many factors the vectors given are made better. Users come last, so
    that folding the training data in again gives the same users.
    """
    if item_vectors is None:
        item_vectors = np.zeros((items.n_rows, user_vectors.shape[1]), user_vectors.dtype)
    item_vectors = improve(items, user_vectors, factors, threads, item_vectors)
    return improve(users, item_vectors, factors, threads, user_vectors), item_vectors


def _fold(side: Side, vectors: Floats, threads: int) -> Floats:
    factors = vectors.shape[1]
    return np.ascontiguousarray(solve(side, padded(vectors), factors, threads)[:, :factors])
