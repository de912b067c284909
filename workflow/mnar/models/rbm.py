"""Conditional restricted Boltzmann machine with a softmax for each item (Salakhutdinov et al. 2007).

    P(h_f = 1 | ratings) = σ(b_f + Σ_{i rated} (W[i, level of i, f] + D[i, f]))
    P(level of i = k | h) ∝ exp(b[i, k] + Σ_f h_f W[i, k, f])

D is the condition: it says what having rated an item at all tells of a user. Learned by contrastive
divergence over batches of users; the rate falls to zero in equal steps. The prediction is the
expected rating, given the probabilities of the hidden units.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real, Whole
from mnar.core.errors import UserError
from mnar.core.palette import NAVY
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator, seed_of
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._rbm_kernels import contrast, expect, hide, learn

ABOUT = About(
    label="RBM",
    description="Conditional Boltzmann machine with a softmax over the values of each rating.",
    colour=NAVY,
    marker="P",
    family="observed ratings",
    settings=(
        Whole("hidden", "hidden units", default=100, goes_on=False),
        Whole("passes", "times that all ratings are gone through", default=40, goes_on=False),
        Whole("steps", "steps of contrastive divergence", default=1, goes_on=False),
        Whole("batch", "users in a batch", default=50, goes_on=False),
        Real("rate", "step of gradient descent", above=0, default=0.005),
        Real("lambda", "penalty on the parameters", least=0, default=0.01),
    ),
    predicts_ratings=True,
)
# Of the normal numbers that the weights start from.
START = 0.01
MOST_LEVELS = 20
ROWS = 8

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Parameters:
    weights: Floats
    # D: of items that are rated, whatever the rating.
    rated_weights: Floats
    visible_bias: Floats
    hidden_bias: Floats


@dataclass(frozen=True, eq=False)
class BoltzmannModel:
    """score = expected rating, from the hidden units of each user."""

    parts: Parameters
    hidden: Floats
    # The rating values that levels stand for.
    values: Floats

    @property
    def n_users(self) -> int:
        return len(self.hidden)

    @property
    def n_items(self) -> int:
        return len(self.parts.weights)

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        found = np.empty(len(users), np.float32)
        parts = self.parts
        expect(users, items, self.hidden, parts.weights, parts.visible_bias, self.values, found)
        return found

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        items = np.tile(np.arange(self.n_items), len(users))
        return self.predict(np.repeat(users, self.n_items), items).reshape(len(users), -1)


@dataclass(frozen=True, eq=False)
class Batch:
    """Some users with their entries one after the other, and the same entries item by item."""

    users: NDArray[np.int64]
    starts: NDArray[np.int64]
    levels: NDArray[np.int64]
    # The place of each entry's user in the batch.
    owner: NDArray[np.int64]
    # The items of the batch; entries order[item_starts[m]] … are those of items[m].
    items: NDArray[np.int32]
    item_starts: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def of(cls, users: NDArray[np.int64], train: Ratings, levels: NDArray[np.int64]) -> "Batch":
        counts = np.diff(train.indptr)[users]
        starts = np.concatenate([[0], np.cumsum(counts)])
        owner = np.repeat(np.arange(len(users)), counts)
        entries = np.arange(starts[-1]) - starts[owner] + train.indptr[users][owner]
        order = np.argsort(train.items[entries], kind="stable")
        items, first = np.unique(train.items[entries][order], return_index=True)
        ends = np.append(first, len(order))
        return cls(users, starts, levels[entries], owner, items, ends, order)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> BoltzmannModel:
    chosen = ABOUT.complete(settings)
    values, levels = np.unique(train.values, return_inverse=True)
    if not 2 <= len(values) <= MOST_LEVELS:
        raise UserError(
            f"Method rbm takes ratings of 2 to {MOST_LEVELS} different values, but the view has "
            f"{len(values)}; leave the method out for this view."
        )
    parts = first_parameters(train, levels, len(values), chosen["hidden"], seed)
    users = generator(seed, "batches").permutation(np.flatnonzero(np.diff(train.indptr)))
    batches = [
        Batch.of(users[first : first + chosen["batch"]], train, levels)
        for first in range(0, len(users), chosen["batch"])
    ]
    for number in range(chosen["passes"]):
        rate = chosen["rate"] * (1 - number / chosen["passes"])
        key = np.uint64(seed_of(seed, "units", number))
        for batch in batches:
            step(parts, batch, train, key, chosen["steps"], rate, chosen["lambda"], threads)
    return _with_users(parts, values, train, levels, threads)


def fold_in(
    model: BoltzmannModel, ratings: Ratings, settings: dict[str, Any], threads: int
) -> BoltzmannModel:
    """The users of `ratings`, with the weights held fixed. A value unknown in training is taken for
    the next higher one that is known."""
    levels = np.searchsorted(model.values, ratings.values).clip(max=len(model.values) - 1)
    return _with_users(model.parts, model.values, ratings, levels, threads)


def first_parameters(
    train: Ratings, levels: NDArray[np.int64], n_levels: int, hidden: int, seed: int
) -> Parameters:
    """Small weights; the visible biases give each item the shares of its values, with one rating of
    each value added."""
    random = generator(seed, "initial parameters")
    shape = (train.n_items, n_levels)
    counts = np.bincount(train.items * np.int64(n_levels) + levels, minlength=np.prod(shape))
    shares = (counts.reshape(shape) + 1) / (counts.reshape(shape) + 1).sum(axis=1, keepdims=True)
    return Parameters(
        np.float32(START) * random.standard_normal((*shape, hidden), np.float32),
        np.zeros((train.n_items, hidden), np.float32),
        np.log(shares).astype(np.float32),
        np.zeros(hidden, np.float32),
    )


def step(
    parts: Parameters,
    batch: Batch,
    train: Ratings,
    key: np.uint64,
    steps: int,
    rate: float,
    penalty: float,
    threads: int,
) -> None:
    """From data to reconstruction and down the difference: users side by side, then items."""
    before, after = (np.empty((len(batch.users), len(parts.hidden_bias)), np.float32) for _ in "ab")
    drawn = batch.levels.copy()
    weights, rated, visible = parts.weights, parts.rated_weights, parts.visible_bias
    for_blocks(
        lambda first, last: contrast(
            first,
            last,
            batch.users,
            batch.starts,
            train.indptr,
            train.items,
            weights,
            rated,
            visible,
            parts.hidden_bias,
            key,
            steps,
            before,
            after,
            drawn,
        ),
        len(batch.users),
        threads,
        ROWS,
    )
    pace, shrink = np.float32(rate), np.float32(rate * penalty)
    for_blocks(
        lambda first, last: learn(
            first,
            last,
            batch.items,
            batch.item_starts,
            batch.order,
            batch.owner,
            batch.levels,
            drawn,
            before,
            after,
            weights,
            rated,
            visible,
            pace,
            shrink,
        ),
        len(batch.items),
        threads,
        32 * ROWS,
    )
    parts.hidden_bias[:] += pace * (before - after).sum(axis=0)


def _with_users(
    parts: Parameters, values: Floats, ratings: Ratings, levels: NDArray[np.int64], threads: int
) -> BoltzmannModel:
    hidden = np.empty((ratings.n_users, len(parts.hidden_bias)), np.float32)
    weights, rated, bias = parts.weights, parts.rated_weights, parts.hidden_bias
    rows = ratings.indptr, ratings.items, levels
    for_blocks(
        lambda first, last: hide(first, last, *rows, weights, rated, bias, hidden),
        ratings.n_users,
        threads,
        ROWS,
    )
    return BoltzmannModel(parts, hidden, values.astype(np.float32))
