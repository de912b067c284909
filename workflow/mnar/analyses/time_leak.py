"""Whether a split lets training see the future of its test ratings."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from mnar.core.errors import UserError
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION, Split
from mnar.tuning.chosen_study import Analysed, ChosenStudy

COLUMNS = ("fold", "set", "held_out", "by_anyone", "by_item", "by_user", "later_training")


@dataclass(frozen=True)
class TimeLeak:
    """Shares of the held-out ratings, and how much of training lies after them."""

    held_out: int
    # Training has a later rating: of anybody, of the same item, of the same user.
    by_anyone: float
    by_item: float
    by_user: float
    # The share of the training ratings that are later than a held-out one, on average.
    later_training: float


def methods(modules: Mapping[str, str]) -> list[str]:
    """None: the split alone decides."""
    return []


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
    """The leaks of every fold, for validation and for test ratings."""
    rows = []
    for number in range(study.folds):
        split = study.split(number)
        for name, role in (("validation", VALIDATION), ("test", TEST)):
            rows.append((number, name, *astuple(time_leak(study.view, split, role))))
    return Analysed(COLUMNS, rows)


def time_leak(view: View, split: Split, role: int = TEST) -> TimeLeak:
    """Ratings of the same second are not later than each other.

    A user's own ratings that give it a vector (fold-in) count as training.
    """
    if not view.ratings.timed:
        raise UserError(
            "Leaks through time cannot be found, for this view has ratings without a time; leave "
            "the dataset out of the audit."
        )
    ratings = view.ratings
    learned = (split.roles == TRAIN) | (split.roles == FOLD_IN)
    held_out = split.roles == role
    time = ratings.time[held_out]
    if not len(time) or not learned.any():
        return TimeLeak(len(time), *(float("nan"),) * 4)

    def share_seen(of: np.ndarray, size: int) -> float:
        """How often the last training rating of the same user (or item) is later."""
        last = np.full(size, -1, np.int64)
        np.maximum.at(last, of[learned], ratings.time[learned])
        return float((last[of[held_out]] > time).mean())

    ordered = np.sort(ratings.time[learned])
    later = len(ordered) - np.searchsorted(ordered, time, "right")
    return TimeLeak(
        len(time),
        float((later > 0).mean()),
        share_seen(ratings.item, view.shape[1]),
        share_seen(ratings.user, view.shape[0]),
        float(later.mean() / len(ordered)),
    )
