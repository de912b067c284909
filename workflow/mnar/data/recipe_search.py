"""Which minima per user and per item come nearest to a published size (docs/datasets.md)?

A paper that names the size of its densified data but not the recipe leaves two numbers to be found:
the least number of interactions of a user and of an item, both holding at once.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar.kernels.compiled import njit

_FIRST_GRID = 50


def search(interactions: pl.DataFrame, users: int, items: int, ratings: int) -> pl.DataFrame:
    """Recipes with their sizes, the nearest to the published one first.

    `interactions` are the relevant ones. The distance is the sum of the absolute log ratios of users,
    items and interactions. The grid is doubled until what lies beyond it is smaller than published.
    """
    by_user = interactions.select(pl.col("user", "item").rank("dense") - 1).sort("user", "item")
    user, item = (by_user[name].to_numpy().astype(np.int32) for name in ("user", "item"))
    by_item = np.argsort(item, kind="stable")
    graph = (_starts(user), item, _starts(item), user[by_item])
    wanted = {"users": users, "items": items, "interactions": ratings}
    distance = pl.sum_horizontal((pl.col(name) / size).log().abs() for name, size in wanted.items())
    largest = _FIRST_GRID
    while True:
        found = _sizes(graph, largest).with_columns(distance.alias("distance"))
        at_edge = pl.max_horizontal("min_per_user", "min_per_item") == largest
        if (found.filter(at_edge)["interactions"] <= ratings).all():
            return found.sort("distance", "min_per_user", "min_per_item")
        largest *= 2


def _sizes(graph: tuple[NDArray, NDArray, NDArray, NDArray], largest: int) -> pl.DataFrame:
    """The size for each pair of minima that leaves something."""
    minima = np.arange(1, largest + 1)
    sizes = np.stack([core_sizes(*graph, min_per_user, largest) for min_per_user in minima])
    per_user, per_item = np.meshgrid(minima, minima, indexing="ij")
    columns = {"min_per_user": per_user.ravel(), "min_per_item": per_item.ravel()}
    for column, name in enumerate(("users", "items", "interactions")):
        columns[name] = sizes[:, :, column].ravel()
    return pl.DataFrame(columns).filter(pl.col("interactions") > 0)


def _starts(rows: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(rows))])


@njit(cache=True, nogil=True)
def core_sizes(
    user_starts, user_items, item_starts, item_users, min_per_user, largest_item_minimum
):
    """Users, items and interactions that remain for each minimum per item from 1 upwards.

    What remains is the fixed point: users and items below their minimum are removed until there are
    none. A higher minimum per item only removes more, so each step goes on from the one before.
    """
    n_users = len(user_starts) - 1
    n_items = len(item_starts) - 1
    # Users come first, then items: one queue serves both.
    degree = np.empty(n_users + n_items, np.int64)
    for user in range(n_users):
        degree[user] = user_starts[user + 1] - user_starts[user]
    for item in range(n_items):
        degree[n_users + item] = item_starts[item + 1] - item_starts[item]
    removed = np.zeros(n_users + n_items, np.bool_)
    queue = np.empty(n_users + n_items, np.int64)
    remaining = np.array([n_users, n_items, len(user_items)], np.int64)
    sizes = np.empty((largest_item_minimum, 3), np.int64)
    for min_per_item in range(1, largest_item_minimum + 1):
        waiting = 0
        # Between two steps no user is below its minimum, so only the first looks at users.
        for node in range(0 if min_per_item == 1 else n_users, n_users + n_items):
            least = min_per_user if node < n_users else min_per_item
            if not removed[node] and degree[node] < least:
                removed[node] = True
                queue[waiting] = node
                waiting += 1
        taken = 0
        while taken < waiting:
            node = queue[taken]
            taken += 1
            is_user = node < n_users
            remaining[0 if is_user else 1] -= 1
            remaining[2] -= degree[node]
            degree[node] = 0
            if is_user:
                first, last = user_starts[node], user_starts[node + 1]
            else:
                first, last = item_starts[node - n_users], item_starts[node - n_users + 1]
            least = min_per_item if is_user else min_per_user
            for at in range(first, last):
                other = user_items[at] + n_users if is_user else item_users[at]
                if degree[other] == 0:
                    continue
                degree[other] -= 1
                if not removed[other] and degree[other] < least:
                    removed[other] = True
                    queue[waiting] = other
                    waiting += 1
        sizes[min_per_item - 1] = remaining
    return sizes
