"""The ratings that users of a generated dataset select, when they do, and those of random items."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.data.synthetic import generator_kernels
from mnar.data.synthetic.generator_settings import Settings
from mnar.data.synthetic.truth import Truth, draw_taxonomy, draw_truth

# First moment at which a user may join, 2010-01-01, and for how many seconds they do.
_TIME_START = 1_262_304_000
_TIME_SPAN = 2 * 365 * 86_400

_ITEMS_A_BLOCK = 256
_USERS_A_BLOCK = 16_384


@dataclass(frozen=True)
class Synthetic:
    """A generated dataset: what users chose to rate, what some rated at random, and the truth."""

    settings: Settings
    # User-selected ratings, sorted by user, then item.
    user: NDArray[np.int32]
    item: NDArray[np.int32]
    rating: NDArray[np.uint8]
    timestamp: NDArray[np.int64]
    # Randomly selected ratings, sorted alike.
    random_user: NDArray[np.int32]
    random_item: NDArray[np.int32]
    random_rating: NDArray[np.uint8]
    # The family of each item on each level of the taxonomy; no columns where there is none. Ids
    # of families follow those of the items.
    parents: NDArray[np.int32]
    truth: Truth


def generate(settings: Settings, threads: int = 1) -> Synthetic:
    """A pure function of the settings: any number of threads gives the same bits."""
    parents = draw_taxonomy(settings)
    truth = draw_truth(settings, parents)
    indptr, item, rating = _observe(truth, settings, threads)
    users = np.arange(settings.users, dtype=np.int32)
    random_user, random_item = _choose_at_random(settings)
    return Synthetic(
        settings,
        np.repeat(users, np.diff(indptr)),
        item,
        rating,
        _draw_times(indptr, settings, threads),
        random_user,
        random_item,
        truth.ratings(random_user, random_item),
        parents,
        truth,
    )


def _observe(
    truth: Truth, settings: Settings, threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
    """User-selected ratings as rows of users: where each row starts, items, ratings."""
    seed = settings.stream("observation")
    drawn: dict[int, tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]] = {}

    def draw(first: int, last: int) -> None:
        counts = np.zeros(last - first, np.int64)
        users, ratings = generator_kernels.observe_items(
            truth.cells, seed, truth.alpha, truth.beta, first, counts
        )
        # Copied, because the buffers are up to twice as long as their content.
        drawn[first] = users[: counts.sum()].copy(), ratings[: counts.sum()].copy(), counts

    for_blocks(draw, settings.items, threads, _ITEMS_A_BLOCK)
    indptr = np.zeros(settings.users + 1, np.int64)
    for users, _, _ in drawn.values():
        np.add.at(indptr, users + 1, 1)
    np.cumsum(indptr, out=indptr)
    cursor = indptr[:-1].copy()
    item = np.empty(indptr[-1], np.int32)
    rating = np.empty(indptr[-1], np.uint8)
    for first in sorted(drawn):
        # Popped, so that the blocks do not stay in memory beside the rows.
        generator_kernels.move_to_users(*drawn.pop(first), first, cursor, item, rating)
    return indptr, item, rating


def _draw_times(indptr: NDArray[np.int64], settings: Settings, threads: int) -> NDArray[np.int64]:
    seed = settings.stream("times")
    times = np.empty(indptr[-1], np.int64)

    def draw(first: int, last: int) -> None:
        generator_kernels.date_ratings(seed, indptr, first, last, _TIME_START, _TIME_SPAN, times)

    for_blocks(draw, settings.users, threads, _USERS_A_BLOCK)
    return times


def _choose_at_random(settings: Settings) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Users and items of the random part, as Yahoo! R3 has one; the ratings play no part in it."""
    rng = settings.generator("random users")
    chosen = rng.choice(settings.users, settings.number_of_random_users, replace=False)
    users = np.sort(chosen).astype(np.int32)
    items = np.empty((len(users), settings.random_ratings), np.int32)
    generator_kernels.choose_random_items(
        settings.stream("random items"), users, settings.items, items
    )
    return np.repeat(users, settings.random_ratings), np.sort(items, axis=1).ravel()
