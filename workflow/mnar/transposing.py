"""The transpose of a sparse matrix by counting: two passes over its entries, no sorting."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def transpose(indptr, items, values, relevant, n_items):
    """Row pointers by item, and user, value and relevance of each entry, sorted by item, then user."""
    starts = np.zeros(n_items + 1, np.int64)
    for entry in range(len(items)):
        starts[items[entry] + 1] += 1
    for item in range(n_items):
        starts[item + 1] += starts[item]
    free = starts[:-1].copy()
    users = np.empty(len(items), np.int32)
    moved_values = np.empty_like(values)
    moved_relevant = np.empty_like(relevant)
    for user in range(len(indptr) - 1):
        for entry in range(indptr[user], indptr[user + 1]):
            place = free[items[entry]]
            free[items[entry]] = place + 1
            users[place] = user
            moved_values[place] = values[entry]
            moved_relevant[place] = relevant[entry]
    return starts, users, moved_values, moved_relevant
