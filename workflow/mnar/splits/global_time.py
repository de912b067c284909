"""All data split at one moment, the same for every user: nothing later is learned from.

Training is what had been given when four fifths of all ratings had been; the next tenth is
validation, the last tenth test. Settings: train (0.8) and validation (0.1), shares of the ratings.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Share
from mnar.core.errors import UserError
from mnar.matrices.user_order import per_user
from mnar.matrices.view import View
from mnar.splits import TEST, TRAIN, UNUSED, VALIDATION, Split
from mnar.splits._held_out import share_of, unseen_random

SETTINGS = (
    Share("train", "share of all ratings in training", default=0.8),
    Share("validation", "share of all ratings in validation", default=0.1),
)
NEEDS = "timestamps"


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """Ratings of one second stay together. Users without training ratings are left out.

    Chance has no part in it, so there is one fold and the seed does not matter.
    """
    if fold > 0:
        raise UserError(
            f"Protocol global-time splits at one moment and has one fold, but fold {fold} was asked "
            "for; set folds: 1."
        )
    if not view.ratings.timed:
        raise UserError(
            "Protocol global-time needs the time of every rating, and this view has ratings without "
            "one; choose four-folds instead."
        )
    train, validation = share_of(settings, "train", 0.8), share_of(settings, "validation", 0.1)
    if train + validation >= 1:
        raise UserError(
            "Protocol global-time: training and validation together leave no test data."
        )
    time = view.ratings.time
    ordered = np.sort(time)
    roles = np.full(len(time), TEST, np.uint8)
    roles[time <= moment(ordered, train + validation)] = VALIDATION
    roles[time <= moment(ordered, train)] = TRAIN
    known = per_user(view.ratings.user[roles == TRAIN], view) > 0
    roles[~known[view.ratings.user]] = UNUSED
    if not (roles == TEST).any():
        raise UserError(
            "Protocol global-time finds no test rating: after the moment at which "
            f"{float(train + validation):.0%} of the ratings were given, no user with training "
            "ratings gave another; set smaller shares or choose four-folds."
        )
    return Split(roles, unseen_random(view, roles) & known[view.random.user])


def moment(ordered: NDArray[np.int64], share: Fraction) -> np.int64:
    """The first time at which this share of the ratings had been given, the one at it included."""
    needed = -(-len(ordered) * share.numerator // share.denominator)
    return ordered[needed - 1]
