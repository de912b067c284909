"""Sums over the entries of each user."""

import numpy as np
from numpy.typing import NDArray

from mnar.compiled import njit


def sum_by_user(users: NDArray[np.integer], values: NDArray, n_users: int) -> NDArray[np.float64]:
    """Sums over each user, added up in the order given."""
    totals = np.zeros(n_users)
    add_up(users, values, totals)
    return totals


@njit(cache=True, nogil=True)
def add_up(users, values, totals):
    """As np.bincount, which first copies both to wider numbers."""
    for n in range(len(users)):
        totals[users[n]] += values[n]
