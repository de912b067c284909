"""kddcup2011 Track 2: three items a user rated highly against three that the user never rated.

Unrated items are drawn in proportion to how often an item is rated highly overall, so popularity
alone tells little. Half of the users who qualify serve for test and the others for validation: each
gives up three ratings only, and nobody's training data shrinks twice. If the contest's own test set
is available, all users who qualify serve for validation.
"""

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.matrices.user_order import per_user, positions, shuffled
from mnar.matrices.view import View
from mnar.splits import TEST, VALIDATION, Split
from mnar.splits._held_out import all_training, unseen_random

SETTINGS = ()
EACH = 3
USERS_AT_A_TIME = 1 << 16


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold; "rated highly" means relevant in the view."""
    random = generator(seed, fold)
    users, items = view.ratings.user, view.ratings.item
    high = np.flatnonzero(view.ratings.relevant & tracks(view)[items])
    weights = np.bincount(items[high], minlength=view.shape[1])
    high_counts = per_user(users[high], view)

    drawable = np.count_nonzero(weights) - per_user(users[weights[items] > 0], view)
    qualified = (high_counts >= EACH) & (per_user(users, view) > EACH) & (drawable >= EACH)
    if np.count_nonzero(qualified) < 2:
        raise UserError(
            f"Protocol track2 needs two users with {EACH} relevant ratings, something left to "
            f"train on, and {EACH} unrated items that others found relevant; there are fewer."
        )

    official = answers(view)
    role_of = np.zeros(view.shape[0], np.uint8)
    mixed = random.permutation(np.flatnonzero(qualified))
    role_of[mixed] = VALIDATION
    if not official.any():
        role_of[mixed[len(mixed) // 2 :]] = TEST

    roles = all_training(view)
    order = high[shuffled(users[high], random)]
    first = positions(users[high], high_counts) < EACH
    chosen = order[first & qualified[users[high]]]
    roles[chosen] = role_of[users[chosen]]

    drawn_user, drawn_item = draw_unrated(view, weights, np.flatnonzero(qualified), random)
    drawn_role = role_of[drawn_user]
    if official.any():
        unrated = official & ~view.random.relevant
        drawn_user = np.concatenate([drawn_user, view.random.user[unrated]])
        drawn_item = np.concatenate([drawn_item, view.random.item[unrated]])
        more = np.full(np.count_nonzero(unrated), TEST, np.uint8)
        return Split(roles, official, drawn_user, drawn_item, np.concatenate([drawn_role, more]))
    return Split(roles, unseen_random(view, roles), drawn_user, drawn_item, drawn_role)


def answers(view: View) -> NDArray[np.bool_]:
    """Which randomly selected ratings are the contest's test set: three of each sort per user.

    On other datasets none are, since their users have more random ratings than three of each sort.
    """
    counts = [
        per_user(view.random.user[view.random.relevant == sort], view) for sort in (True, False)
    ]
    whole = (counts[0] == EACH) & (counts[1] == EACH)
    if not whole.any() or (counts[0] + counts[1] > 2 * EACH).any():
        return np.zeros(len(view.random), np.bool_)
    return whole[view.random.user]


def tracks(view: View) -> NDArray[np.bool_]:
    """Items of the finest level: with a taxonomy, those with a parent on its first level."""
    if not view.parents.shape[1]:
        return np.ones(view.shape[1], np.bool_)
    return view.parents[:, 0] >= 0


def draw_unrated(
    view: View, weights: NDArray[np.int64], chosen: NDArray[np.int64], random: Generator
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Three unrated items for each chosen user (in rising order), in proportion to weight.

    Users are taken in portions, since the ratings of all of them may need too much memory.
    """
    drawn = [
        draw_for(view, weights, chosen[first : first + USERS_AT_A_TIME], random)
        for first in range(0, len(chosen), USERS_AT_A_TIME)
    ]
    return np.repeat(chosen, EACH).astype(np.int32), np.concatenate(drawn).ravel()


def draw_for(
    view: View, weights: NDArray[np.int64], chosen: NDArray[np.int64], random: Generator
) -> NDArray[np.int32]:
    """Three unrated items for each chosen user, drawn one after the other; one row per user.

    The draw is exact and needs no rejection. The weights of all items are laid end to end, the
    user's rated items are cut out, and a point is picked on the rest. `gap` is the length of the rest
    before a rated item, so rated items whose gap does not exceed the point are stepped over.
    """
    n_items = view.shape[1]
    ends = np.cumsum(weights)
    total = ends[-1]
    number = np.full(view.shape[0], -1)
    number[chosen] = np.arange(len(chosen))

    first = np.searchsorted(view.ratings.user, chosen[0])
    end = np.searchsorted(view.ratings.user, chosen[-1], "right")
    row = number[view.ratings.user[first:end]]
    item = view.ratings.item[first:end][row >= 0].astype(np.int64)
    row = row[row >= 0]
    drawn = np.empty((len(chosen), EACH), np.int32)
    for turn in range(EACH):
        cut = np.concatenate([[0], np.cumsum(weights[item])])
        starts = np.searchsorted(row, np.arange(len(chosen) + 1))
        left = total - (cut[starts[1:]] - cut[starts[:-1]])
        point = random.integers(left)

        gap = ends[item] - weights[item] - (cut[:-1] - cut[starts[row]])
        # Rows lie end to end in one sorted list; each is at most `total` long.
        step = np.searchsorted(row * total + gap, np.arange(len(chosen)) * total + point, "right")
        point += cut[step] - cut[starts[:-1]]
        drawn[:, turn] = np.searchsorted(ends, point, "right")

        where = np.searchsorted(
            row * n_items + item, np.arange(len(chosen)) * n_items + drawn[:, turn]
        )
        row = np.insert(row, where, np.arange(len(chosen)))
        item = np.insert(item, where, drawn[:, turn])
    return drawn
