"""The integrated model: SVD++ and an item neighbourhood, learned together (Koren 2008, Eq. 16).

    r̂_ui = μ + b_u + b_i + q_i · (p_u + |R(u)|^-½ Σ_{j ∈ R(u)} y_j)
            + |R^k(i; u)|^-½ Σ_{j ∈ R^k(i; u)} ((r_uj − b_uj) w_ij + c_ij)

R^k(i; u) are those of the user's rated items that are among the item's `neighbours` nearest, by
Pearson correlation of residuals, shrunk by `shrinkage`. b_uj is the baseline, fixed beforehand.
Stochastic gradient descent on the observed ratings; both rates are multiplied by 0.9 after a pass.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.palette import RED
from mnar.core.seeds import generator
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._baseline import fit_baseline
from mnar.models._settings import Real, Whole
from mnar.models._similarity import nearest, pearson
from mnar.models._square import check_side

ABOUT = About(
    label="Integrated model",
    description="SVD++ with an item neighbourhood, on observed ratings.",
    colour=RED,
    marker="P",
    settings=(
        Whole("factors", "length of the vectors", default=50),
        Whole("passes", "times that all ratings are gone through", default=30),
        Whole("neighbours", "nearest items that may have a weight", default=300),
        Real("shrinkage", "common ratings by which a similarity is halved", least=0, default=100.0),
        Real("rate", "step of gradient descent", above=0, default=0.007),
        Real("neighbour_rate", "step for the weights of neighbours", above=0, default=0.001),
        Real("bias_penalty", "penalty on the biases", least=0, default=0.005),
        Real("lambda", "penalty on the parameters", least=0, default=0.015),
        Real("neighbour_penalty", "penalty on the weights of neighbours", least=0, default=0.015),
        Real("unit", "points of the scale that make a star", above=0, default=1.0),
    ),
    predicts_ratings=True,
)
DECAY = 0.9
START = 0.1

# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Parameters:
    user_bias: Floats
    item_bias: Floats
    user_vectors: Floats
    item_vectors: Floats
    # y: what having rated an item says of a user.
    rated_vectors: Floats
    # The nearest items of each item (-1: no more), and for each of them w and c.
    near: NDArray[np.int32]
    weights: Floats
    offsets: Floats


@dataclass(frozen=True, eq=False)
class IntegratedModel:
    """Predictions in units of `unit`; user vectors are p_u with the y of all rated items."""

    mean: float
    unit: float
    parts: Parameters
    # Training ratings, their values residuals of the baseline.
    rated: Ratings

    @property
    def n_users(self) -> int:
        return self.rated.n_users

    @property
    def n_items(self) -> int:
        return self.rated.n_items

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        found = np.empty(len(users), np.float32)
        rated = self.rated
        known = rated.indptr, rated.items, rated.values
        predict_pairs(users, items, *known, *_arrays(self.parts), found)  # type: ignore[call-arg]
        return self.unit * (self.mean + found)

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        items = np.tile(np.arange(self.n_items), len(users))
        found = self.predict(np.repeat(users, self.n_items), items)
        return found.reshape(len(users), -1).astype(np.float32, copy=False)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> IntegratedModel:
    check_side("integrated-model", "items", train.n_items)
    chosen = ABOUT.complete(settings)
    train = replace(train, values=train.values / np.float32(chosen["unit"]))
    baseline = fit_baseline(train)
    rated = replace(train, values=baseline.residuals(train).astype(np.float32))
    alike = pearson(rated.by_item, rated, float(chosen["shrinkage"]), threads)
    near = nearest(alike, min(chosen["neighbours"], train.n_items), threads)
    parts = first_parameters(train, near, chosen["factors"], seed)
    parts.user_bias[:], parts.item_bias[:] = baseline.user_bias, baseline.item_bias
    targets = train.values - np.float32(baseline.mean)
    random = generator(seed, "order of ratings")
    for number in range(chosen["passes"]):
        users, order = shuffled(train, random)
        decay = DECAY**number
        go_over(  # type: ignore[call-arg]  # mypy cannot count the parameters
            users,
            order,
            targets,
            train.indptr,
            train.items,
            rated.values,
            *_arrays(parts),
            np.float32(decay * chosen["rate"]),
            np.float32(decay * chosen["neighbour_rate"]),
            np.float32(chosen["bias_penalty"]),
            np.float32(chosen["lambda"]),
            np.float32(chosen["neighbour_penalty"]),
        )
    add_rated(train.indptr, train.items, parts.user_vectors, parts.rated_vectors)
    return IntegratedModel(baseline.mean, chosen["unit"], parts, rated)


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
    place = np.empty(train.n_users)
    place[users] = np.arange(train.n_users)
    keys = place[train.users] + random.random(len(train.items))
    return users, np.argsort(keys, kind="stable")


def _arrays(parts: Parameters) -> Any:
    return tuple(vars(parts).values())


@njit(cache=True, nogil=True)
def find_known(near, owner, user, slots):
    """Which of an item's nearest the user has rated; their number."""
    filled = len(near)
    while filled > 0 and near[filled - 1] < 0:
        filled -= 1
    count = 0
    for slot in range(filled):
        # Without a branch, which would be guessed wrong half of the time.
        slots[count] = slot
        count += owner[near[slot]] == user
    return count


@njit(cache=True, nogil=True, fastmath=SUMS)
def neighbourhood(near, weights, offsets, known, slots, count):
    """The last sum of Eq. 16 for one pair, without its factor."""
    total = np.float32(0)
    for n in range(count):
        slot = slots[n]
        total += known[near[slot]] * weights[slot] + offsets[slot]
    return total


@njit(cache=True, nogil=True, fastmath=SUMS)
def go_over(
    users,
    order,
    targets,
    indptr,
    items,
    residuals,
    user_bias,
    item_bias,
    user_vectors,
    item_vectors,
    rated_vectors,
    near,
    weights,
    offsets,
    rate,
    neighbour_rate,
    bias_penalty,
    penalty,
    neighbour_penalty,
):
    """One pass over all ratings, user by user; `order` has the entries of each user in turn.

    A rating of user u adds the same to y_j of every j in R(u) and shrinks all of them alike. So
    their sum is kept up to date, and they themselves are set when the user is done.
    """
    one = np.float32(1)
    width = user_vectors.shape[1]
    owner = np.full(len(item_bias), -1, np.int32)
    known = np.zeros(len(item_bias), np.float32)
    slots = np.empty(near.shape[1], np.int32)
    rated = np.empty(width, np.float32)
    added = np.empty(width, np.float32)
    keep = one - rate * penalty
    at = 0
    for u in users:
        size = indptr[u + 1] - indptr[u]
        if size == 0:
            continue
        root = one / np.sqrt(np.float32(size))
        rated[:] = 0
        added[:] = 0
        for entry in range(indptr[u], indptr[u + 1]):
            j = items[entry]
            owner[j] = u
            known[j] = residuals[entry]
            for f in range(width):
                rated[f] += root * rated_vectors[j, f]
        kept = one
        for entry in order[at : at + size]:
            i = items[entry]
            count = find_known(near[i], owner, u, slots)
            scale = one / np.sqrt(np.float32(max(count, 1)))
            guess = user_bias[u] + item_bias[i]
            guess += scale * neighbourhood(near[i], weights[i], offsets[i], known, slots, count)
            for f in range(width):
                guess += item_vectors[i, f] * (user_vectors[u, f] + rated[f])
            error = targets[entry] - guess
            user_bias[u] += rate * (error - bias_penalty * user_bias[u])
            item_bias[i] += rate * (error - bias_penalty * item_bias[i])
            step = rate * error
            for f in range(width):
                q = item_vectors[i, f]
                item_vectors[i, f] = keep * q + step * (user_vectors[u, f] + rated[f])
                user_vectors[u, f] = keep * user_vectors[u, f] + step * q
                # |R(u)| vectors each move by root · step · q, and root² |R(u)| = 1.
                rated[f] = keep * rated[f] + step * q
                added[f] = keep * added[f] + root * step * q
            kept *= keep
            pull = scale * error
            for n in range(count):
                slot = slots[n]
                w, c = weights[i, slot], offsets[i, slot]
                pulled = pull * known[near[i, slot]]
                weights[i, slot] = w + neighbour_rate * (pulled - neighbour_penalty * w)
                offsets[i, slot] = c + neighbour_rate * (pull - neighbour_penalty * c)
        for entry in range(indptr[u], indptr[u + 1]):
            for f in range(width):
                y = rated_vectors[items[entry], f]
                rated_vectors[items[entry], f] = kept * y + added[f]
        at += size


@njit(cache=True, nogil=True)
def add_rated(indptr, items, user_vectors, rated_vectors):
    """p_u becomes p_u + |R(u)|^-½ Σ y_j."""
    for u in range(len(user_vectors)):
        size = indptr[u + 1] - indptr[u]
        for entry in range(indptr[u], indptr[u + 1]):
            user_vectors[u] += rated_vectors[items[entry]] / np.float32(np.sqrt(size))


@njit(cache=True, nogil=True, fastmath=SUMS)
def predict_pairs(
    users,
    pair_items,
    indptr,
    items,
    residuals,
    user_bias,
    item_bias,
    user_vectors,
    item_vectors,
    rated_vectors,
    near,
    weights,
    offsets,
    found,
):
    """Eq. 16 without the mean. Quickest where pairs of a user stand together."""
    owner = np.full(len(item_bias), -1, np.int32)
    known = np.zeros(len(item_bias), np.float32)
    slots = np.empty(near.shape[1], np.int32)
    for n in range(len(users)):
        u, i = users[n], pair_items[n]
        if n == 0 or u != users[n - 1]:
            for entry in range(indptr[u], indptr[u + 1]):
                owner[items[entry]] = u
                known[items[entry]] = residuals[entry]
        count = find_known(near[i], owner, u, slots)
        guess = user_bias[u] + item_bias[i]
        if count > 0:
            total = neighbourhood(near[i], weights[i], offsets[i], known, slots, count)
            guess += total / np.sqrt(np.float32(count))
        for f in range(user_vectors.shape[1]):
            guess += item_vectors[i, f] * user_vectors[u, f]
        found[n] = guess
