"""Shared by the protocols: exact shares, halves, random ratings."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION

Rows = NDArray[np.int64]


def share_of(settings: dict[str, Any], key: str, default: float) -> Fraction:
    """A share exactly as it is written: 0.1 is one tenth, so ties in rounding stay ties."""
    share = Fraction(str(settings.get(key, default)))
    if not 0 < share < 1:
        raise UserError(f"Protocol setting {key} is {float(share):g}; it must lie between 0 and 1.")
    return share


def all_training(view: View) -> NDArray[np.uint8]:
    return np.full(len(view.ratings), TRAIN, np.uint8)


def halve(roles: NDArray[np.uint8], rows: Rows, random: Generator) -> None:
    """Gives a random half of the rows to validation and the rest (one more if odd) to test."""
    mixed = random.permutation(rows)
    middle = len(mixed) // 2
    roles[mixed[:middle]] = VALIDATION
    roles[mixed[middle:]] = TEST


def unseen_random(view: View, roles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Random ratings that may be scored: those whose pair is in neither training nor fold-in."""
    if not len(view.random):
        return np.zeros(0, np.bool_)
    n_items = view.shape[1]
    learned = (roles == TRAIN) | (roles == FOLD_IN)
    pairs = view.ratings.user[learned].astype(np.int64) * n_items + view.ratings.item[learned]
    return ~np.isin(view.random.user.astype(np.int64) * n_items + view.random.item, pairs)
