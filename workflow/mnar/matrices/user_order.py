"""Entries grouped by user: how many each user has, their positions, and random orders.

Sorts are stable, so that no machine's sorting network decides between equal keys.
"""

from collections.abc import Iterator

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mnar.matrices.view import View

Rows = NDArray[np.int64]
_AT_A_TIME = 1 << 20


def shuffled(users: NDArray[np.int32], random: Generator) -> Rows:
    """Positions of entries sorted by user, in random order within each user."""
    order = np.empty(len(users), np.int64)
    for part, mixed in shuffled_parts(users, random):
        order[part] = mixed
    return order


def shuffled_parts(users: NDArray[np.int32], random: Generator) -> Iterator[tuple[slice, Rows]]:
    """As `shuffled`, for some users at a time: small sorts are faster, large data need the memory."""
    first = 0
    while first < len(users):
        last = int(np.searchsorted(users, users[min(first + _AT_A_TIME, len(users)) - 1], "right"))
        keys = users[first:last] + random.random(last - first)
        yield slice(first, last), first + np.argsort(keys, kind="stable")
        first = last


def per_user(users: NDArray[np.int32], view: View) -> NDArray[np.int64]:
    """How many of these entries each user of the view has."""
    return np.bincount(users, minlength=view.shape[0])


def positions(users: NDArray[np.int32], counts: NDArray[np.int64]) -> Rows:
    """0, 1, 2 … within each user, for entries grouped by user."""
    starts = np.cumsum(counts) - counts
    return np.arange(len(users)) - starts[users]
