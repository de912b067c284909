"""Least squares of 1 for observed entries and 0 for missing ones (kddcup2011 section 5, Track 2).

Every user has as many missing entries as observed ones. They are drawn again for each sweep. Where
the ones are the relevant entries only, the others are missing, too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import OneOf
from mnar.core.errors import UserError
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._allrank import Settings
from mnar.models._als import Floats, Share, observed_side, start
from mnar.models._blocks import improve, improve_towards
from mnar.models._common_settings import FACTORS, PENALTY, sweeps
from mnar.models._relevant import relevant_part

SWEEPS = 15
ROWS = 256
# A draw that hits an observed item or an earlier draw is repeated, up to this number of times for each
# entry. Only users who have rated nearly all that can be drawn get fewer missing entries.
TRIES = 100

ONES = ("observed", "relevant")
SAMPLINGS = ("uniform", "popularity")
SETTINGS = (
    FACTORS,
    PENALTY,
    OneOf("ones", "entries whose target is 1", options=ONES, default=ONES[0]),
    # By popularity: in proportion to how often an item is relevant, as the test of Track 2 draws.
    OneOf("sampling", "how missing entries are drawn", options=SAMPLINGS, default=SAMPLINGS[0]),
    sweeps(SWEEPS),
)


@dataclass
class InTraining:
    """A model between two sweeps."""

    penalty: float
    user_vectors: Floats
    item_vectors: Floats
    # How its items share their parameters, where they do, and what they are drawn to by that.
    share: Share | None
    towards: Floats | None = None

    def sweep(self, rows: Ratings, columns: Ratings, factors: int, threads: int) -> None:
        """Items given the users, then users given the items, of the entries that were drawn."""
        users, items = (observed_side(side, self.penalty) for side in (rows, columns))
        given = (self.user_vectors, factors, threads, self.item_vectors, self.towards)
        self.item_vectors = improve_towards(items, *given)
        if self.share is not None:
            self.towards = self.share(self.item_vectors, np.diff(items.indptr))
        self.user_vectors = improve(users, self.item_vectors, factors, threads, self.user_vectors)


def fit_balanced(
    train: Ratings,
    points: list[Settings],
    seed: int,
    threads: int,
    share_of: Callable[[Settings], Share] | None = None,
) -> Iterator[FactorModel]:
    """A model for each point.

    Those that differ in λ alone have the same draws: they go on sweep by sweep together, and what was
    drawn is sorted once for all of them.
    """
    for _, alike in groupby(points, lambda point: {**point, "lambda": None}):
        yield from _fit_alike(train, list(alike), seed, threads, share_of)


def _fit_alike(
    train: Ratings,
    points: list[Settings],
    seed: int,
    threads: int,
    share_of: Callable[[Settings], Share] | None,
) -> Iterator[FactorModel]:
    settings = points[0]
    train = ones_of(train, settings.get("ones", ONES[0]))
    pool = items_to_draw(train, settings.get("sampling", SAMPLINGS[0]))
    factors = settings["factors"]
    users = start(train.n_users, factors, seed)
    items = np.zeros((train.n_items, users.shape[1]), np.float32)
    models = [
        InTraining(point["lambda"], users, items, share_of(point) if share_of else None)
        for point in points
    ]
    for number in range(settings.get("sweeps", SWEEPS)):
        rows, columns = both_sides(train, draw(train, pool, (seed, number), threads))
        for model in models:
            model.sweep(rows, columns, factors, threads)
    for model in models:
        yield FactorModel.without_biases(
            model.user_vectors[:, :factors], model.item_vectors[:, :factors]
        )


def ones_of(train: Ratings, ones: str) -> Ratings:
    """The entries whose target is 1."""
    if ones == "observed":
        return train
    if ones == "relevant":
        return relevant_part(train)
    raise UserError(
        f"Setting `ones` of a balanced method is {ones!r}; use 'observed' or 'relevant'."
    )


def items_to_draw(train: Ratings, sampling: str) -> NDArray[np.int32]:
    """Items to pick from with equal chances: each once, or as often as it is relevant."""
    if sampling == "uniform":
        return np.arange(train.n_items, dtype=np.int32)
    if sampling == "popularity":
        return train.items[train.relevant]
    raise UserError(
        f"Setting `sampling` of a balanced method is {sampling!r}; use 'uniform' or 'popularity'."
    )


def draw(
    train: Ratings, pool: NDArray[np.int32], seed: tuple[int, int], threads: int
) -> NDArray[np.int32]:
    """For each observed entry a missing item of the same user, all different; -1 for none."""
    drawn = np.full(len(train.items), -1, np.int32)

    def work(first: int, last: int) -> None:
        random = generator("missing entries", *seed, first)
        draw_rows(first, last, train.indptr, train.items, train.n_items, pool, random, drawn)

    if len(pool):
        for_blocks(work, train.n_users, threads, ROWS)
    return drawn


@njit(cache=True, nogil=True)
def draw_rows(first, last, indptr, items, n_items, pool, random, drawn):
    """Draws without replacement from `pool` for the rows first to last, repeated when in vain."""
    taken = np.full(n_items, -1)
    for row in range(first, last):
        for entry in range(indptr[row], indptr[row + 1]):
            taken[items[entry]] = row
        tries = TRIES * (indptr[row + 1] - indptr[row])
        for entry in range(indptr[row], indptr[row + 1]):
            while tries > 0 and drawn[entry] < 0:
                tries -= 1
                item = pool[int(random.random() * len(pool))]
                if taken[item] != row:
                    taken[item] = row
                    drawn[entry] = item


def both_sides(train: Ratings, drawn: NDArray[np.int32]) -> tuple[Ratings, Ratings]:
    """Observed and drawn entries together as 0/1 matrix, and its transpose."""
    found = drawn >= 0
    users = np.concatenate([train.users, train.users[found]])
    items = np.concatenate([train.items, drawn[found]])
    ones = np.arange(len(users)) < len(train.items)
    by_item = sort_stably(items, train.n_items)
    by_user = by_item[sort_stably(users[by_item], train.n_users)]
    back = by_user[sort_stably(items[by_user], train.n_items)]
    return (
        _matrix(users, items, ones, by_user, (train.n_users, train.n_items)),
        _matrix(items, users, ones, back, (train.n_items, train.n_users)),
    )


def _matrix(
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    ones: NDArray[np.bool_],
    order: NDArray[np.int64],
    shape: tuple[int, int],
) -> Ratings:
    indptr = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=indptr[1:])
    ones = ones[order]
    return Ratings(indptr, columns[order], ones.astype(np.float32), ones, shape[1])


@njit(cache=True, nogil=True)
def sort_stably(keys, n_keys):
    """The order that sorts small integer keys, by counting: no key is compared with another."""
    position = np.zeros(n_keys + 1, np.int64)
    for key in keys:
        position[key + 1] += 1
    for key in range(n_keys):
        position[key + 1] += position[key]
    order = np.empty(len(keys), np.int64)
    for entry in range(len(keys)):
        order[position[keys[entry]]] = entry
        position[keys[entry]] += 1
    return order
