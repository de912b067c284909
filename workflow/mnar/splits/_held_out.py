"""What the protocols share: orders within users, exact shares, halves, random ratings.

Sorts are stable, so that no machine's sorting network decides between equal keys.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION

Rows = NDArray[np.int64]
_AT_A_TIME = 1 << 20


def share_of(settings: dict[str, Any], key: str, default: float) -> Fraction:
    """A share as it is written: 0.1 is a tenth exactly, so that ties in rounding are ties."""
    share = Fraction(str(settings.get(key, default)))
    if not 0 < share < 1:
        raise UserError(f"Protocol setting {key} is {float(share):g}; it must lie between 0 and 1.")
    return share


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


def places(users: NDArray[np.int32], counts: NDArray[np.int64]) -> Rows:
    """0, 1, 2 … within each user, for entries grouped by user."""
    starts = np.cumsum(counts) - counts
    return np.arange(len(users)) - starts[users]


def all_training(view: View) -> NDArray[np.uint8]:
    return np.full(len(view.ratings), TRAIN, np.uint8)


def halve(roles: NDArray[np.uint8], rows: Rows, random: Generator) -> None:
    """Give a random half of the rows to validation, the other (larger by one if odd) to test."""
    mixed = random.permutation(rows)
    middle = len(mixed) // 2
    roles[mixed[:middle]] = VALIDATION
    roles[mixed[middle:]] = TEST


def unseen_random(view: View, roles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Random ratings that may be scored: their pair gives no user or item its vector."""
    if not len(view.random):
        return np.zeros(0, np.bool_)
    n_items = view.shape[1]
    learned = (roles == TRAIN) | (roles == FOLD_IN)
    pairs = view.ratings.user[learned].astype(np.int64) * n_items + view.ratings.item[learned]
    return ~np.isin(view.random.user.astype(np.int64) * n_items + view.random.item, pairs)
