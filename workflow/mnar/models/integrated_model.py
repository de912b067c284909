"""The integrated model: SVD++ and an item neighbourhood, learned together (Koren 2008, Eq. 16).

    r̂_ui = μ + b_u + b_i + q_i · (p_u + |R(u)|^-½ Σ_{j ∈ R(u)} y_j)
            + |R^k(i; u)|^-½ Σ_{j ∈ R^k(i; u)} ((r_uj − b_uj) w_ij + c_ij)

R^k(i; u) are those of the user's rated items that are among the item's `neighbours` nearest, by
Pearson correlation of residuals, shrunk by `shrinkage`. b_uj is the baseline, fixed beforehand.
Stochastic gradient descent on the observed ratings; both rates are multiplied by 0.9 after a pass.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real, Whole
from mnar.core.palette import CRIMSON
from mnar.core.seeds import generator
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._baseline import Baseline, fit_baseline
from mnar.models._integrated_kernels import (
    Facing,
    Floats,
    Parameters,
    Rated,
    Rates,
    add_rated,
    go_over,
    predict_pairs,
    score_users,
)
from mnar.models._similarity import nearest, pearson
from mnar.models._square import check_side


def memory(users: int, items: int) -> int:
    """All similarities, and what is kept of the nearest 300."""
    return 5 * items**2 + 100 * items * min(300, items)


ABOUT = About(
    label="Integrated model",
    description="SVD++ with an item neighbourhood, on observed ratings.",
    colour=CRIMSON,
    marker="P",
    family="observed ratings",
    settings=(
        Whole("factors", "length of the vectors", default=50, goes_on=False),
        Whole("passes", "times that all ratings are gone through", default=30, goes_on=False),
        Whole("neighbours", "nearest items that may have a weight", default=300, goes_on=False),
        Real("shrinkage", "common ratings by which a similarity is halved", least=0, default=100.0),
        Real("rate", "step of gradient descent", above=0, default=0.007),
        Real("neighbour_rate", "step for the weights of neighbours", above=0, default=0.001),
        Real("bias_penalty", "penalty on the biases", least=0, default=0.005),
        Real("lambda", "penalty on the parameters", least=0, default=0.015),
        Real("neighbour_penalty", "penalty on the weights of neighbours", least=0, default=0.015),
        Real("unit", "points of the scale that make a star", above=0, default=1.0),
    ),
    predicts_ratings=True,
    memory=memory,
)
DECAY = 0.9
START = 0.1


@dataclass(frozen=True, eq=False)
class IntegratedModel:
    """Predictions in units of `unit`; user vectors are p_u with the y of all rated items."""

    mean: float
    unit: float
    parts: Parameters
    rated: Rated

    @property
    def n_users(self) -> int:
        return len(self.parts.user_bias)

    @property
    def n_items(self) -> int:
        return len(self.parts.item_bias)

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        found = np.empty(len(users), np.float32)
        predict_pairs(users, items, self.rated, self.parts, found)
        return self.unit * (self.mean + found)

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        found = np.empty((len(users), self.n_items), np.float32)
        score_users(users, self.rated, self.parts, self._facing, found)
        return np.float32(self.unit) * (np.float32(self.mean) + found)

    @cached_property
    def _facing(self) -> Facing:
        parts = self.parts
        item, slot = np.nonzero(parts.near >= 0)
        other = parts.near[item, slot]
        order = np.argsort(other, kind="stable")
        indptr = np.searchsorted(other[order], np.arange(self.n_items + 1))
        item, slot = item[order], slot[order]
        weights, offsets = parts.weights[item, slot], parts.offsets[item, slot]
        return Facing(indptr, item.astype(np.int32), weights, offsets)


@dataclass(frozen=True, eq=False)
class Problem:
    """What settings of a grid have in common: ratings in stars, baseline, nearest items."""

    train: Ratings
    baseline: Baseline
    rated: Rated
    near: NDArray[np.int32]

    @classmethod
    def of(
        cls, train: Ratings, unit: float, shrinkage: float, neighbours: int, threads: int
    ) -> "Problem":
        train = replace(train, values=train.values / np.float32(unit))
        baseline = fit_baseline(train)
        residuals = replace(train, values=baseline.residuals(train).astype(np.float32))
        alike = pearson(residuals.by_item, residuals, shrinkage, threads)
        near = nearest(alike, min(neighbours, train.n_items), threads)
        return cls(train, baseline, Rated(train.indptr, train.items, residuals.values), near)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> IntegratedModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[IntegratedModel]:
    """Similarities are found once for all settings that follow each other and share them."""
    check_side("integrated-model", "items", train.n_items)
    before, problem = None, None
    for settings in points:
        chosen = ABOUT.complete(settings)
        shared = chosen["unit"], float(chosen["shrinkage"]), chosen["neighbours"]
        if problem is None or shared != before:
            before, problem = shared, Problem.of(train, *shared, threads)
        yield descend(problem, chosen, seed)


def descend(problem: Problem, chosen: Mapping[str, Any], seed: int) -> IntegratedModel:
    train, baseline = problem.train, problem.baseline
    parts = first_parameters(train, problem.near, chosen["factors"], seed)
    parts.user_bias[:], parts.item_bias[:] = baseline.user_bias, baseline.item_bias
    targets = train.values - np.float32(baseline.mean)
    random = generator(seed, "order of ratings")
    penalties = [chosen[name] for name in ("bias_penalty", "lambda", "neighbour_penalty")]
    for number in range(chosen["passes"]):
        users, order = shuffled(train, random)
        steps = [DECAY**number * chosen[name] for name in ("rate", "neighbour_rate")]
        rates = Rates(*map(np.float32, (*steps, *penalties)))
        go_over(users, order, targets, problem.rated, parts, rates)
    add_rated(problem.rated, parts.user_vectors, parts.rated_vectors)
    return IntegratedModel(baseline.mean, chosen["unit"], parts, problem.rated)


def first_parameters(
    train: Ratings, near: NDArray[np.int32], factors: int, seed: int
) -> Parameters:
    random = generator(seed, "initial parameters")

    def normal(rows: int) -> Floats:
        return np.float32(START) * random.standard_normal((rows, factors), np.float32)

    return Parameters(
        np.zeros(train.n_users, np.float32),
        np.zeros(train.n_items, np.float32),
        normal(train.n_users),
        normal(train.n_items),
        normal(train.n_items),
        near,
        np.zeros(near.shape, np.float32),
        np.zeros(near.shape, np.float32),
    )


def shuffled(train: Ratings, random: np.random.Generator) -> tuple[NDArray, NDArray]:
    """All users by chance, and the entries of each by chance, one user after the other."""
    users = random.permutation(train.n_users)
    position = np.empty(train.n_users)
    position[users] = np.arange(train.n_users)
    keys = position[train.users] + random.random(len(train.items))
    return users, np.argsort(keys, kind="stable")
