"""The AllRank family: steck2010 Eq. 13 by alternating least squares, with four choices of terms."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models._als import Floats, Side, check_size, padded, side_of, solve, start
from mnar.models._common_settings import FACTORS, IMPUTED, MISSING_WEIGHT, PENALTY_FROM_0, sweeps
from mnar.models._relevant import relevant_part
from mnar.models._settings import Levels

# Measured on MovieLens 1M: by then ATOP moves by less than 0.0005 in ten more sweeps.
SWEEPS = 15

Settings = dict[str, Any]

# Of allrank-regression and of what is the same on other entries.
REGRESSION_SETTINGS = (
    FACTORS,
    MISSING_WEIGHT,
    IMPUTED,
    PENALTY_FROM_0,
    Levels(
        "weights", "w(r), the weight of a rating by its value, 1 where none is given", default=None
    ),
    sweeps(SWEEPS),
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
        """One model for each point, all from the same start, with one transposed matrix."""
        ratings = self.entries(train)
        for settings in points:
            users = self.terms(settings).side(ratings)
            items = self.terms(settings).side(ratings.by_item)
            factors = settings["factors"]
            user_vectors = start(ratings.n_users, factors, seed)
            for _ in range(settings.get("sweeps", SWEEPS)):
                user_vectors, item_vectors = sweep(users, items, user_vectors, factors, threads)
            yield FactorModel.without_biases(
                user_vectors[:, :factors],
                item_vectors[:, :factors],
                self.terms(settings).imputed,
            )

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
        user_vectors = start(ratings.n_users, factors, seed)
        while True:
            user_vectors, item_vectors = sweep(users, items, user_vectors, factors, threads)
            yield _als.objective(users, items, user_vectors, item_vectors)

    def operations(self, train: Ratings, settings: Settings) -> int:
        """Additions and multiplications of one sweep."""
        entries = len(self.entries(train).items)
        counts_missing = self.terms(settings).missing_weight > 0
        rows = train.n_users + train.n_items
        return _als.operations(entries, rows, settings["factors"], counts_missing)


def sweep(
    users: Side, items: Side, user_vectors: Floats, factors: int, threads: int
) -> tuple[Floats, Floats]:
    """Items given the users, then users given the items: Eqs. 15 and 16, each solved exactly.

    Users come last, so that folding the training data in again gives the same users.
    """
    item_vectors = solve(items, user_vectors, factors, threads)
    return solve(users, item_vectors, factors, threads), item_vectors


def _fold(side: Side, vectors: Floats, threads: int) -> Floats:
    factors = vectors.shape[1]
    return np.ascontiguousarray(solve(side, padded(vectors), factors, threads)[:, :factors])
