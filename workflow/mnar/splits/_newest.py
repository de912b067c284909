"""Holds out the last ratings of each user, for protocols that split by time."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.matrices.user_order import per_user
from mnar.matrices.view import View
from mnar.splits import TRAIN


def hold_out_newest(
    view: View, roles: NDArray[np.uint8], role: int, number: int, random: Generator
) -> None:
    """Moves each user's last training ratings to a role; chance decides between equal times."""
    starts = np.concatenate([[0], np.cumsum(per_user(view.ratings.user, view))])
    chance = random.integers(2**32, size=len(roles), dtype=np.uint32)
    move_newest(starts, view.ratings.time, chance, roles, role, number)


@njit(cache=True, nogil=True)
def move_newest(starts, time, chance, roles, role, number):
    """Moves up to `number` ratings of each row, newest first; one always stays in training."""
    for row in range(len(starts) - 1):
        spare = -1
        for at in range(starts[row], starts[row + 1]):
            spare += roles[at] == TRAIN
        for _ in range(min(spare, number)):
            newest = -1
            for at in range(starts[row], starts[row + 1]):
                if roles[at] == TRAIN and (
                    newest < 0
                    or time[at] > time[newest]
                    or (time[at] == time[newest] and chance[at] > chance[newest])
                ):
                    newest = at
            roles[newest] = role
