"""lim2015: a random tenth of each user's relevant items is validation, a fifth is test."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Share
from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.matrices.user_order import per_user, shuffled_parts
from mnar.matrices.view import View
from mnar.splits import TEST, VALIDATION, Split
from mnar.splits._held_out import all_training, share_of, unseen_random

Counts = NDArray[np.int64]


SETTINGS = (
    Share("validation", "share of a user's relevant items in validation", default=0.1),
    Share("test", "share of a user's relevant items in test", default=0.2),
)


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold; ratings that are not relevant, if the view keeps them, stay in training."""
    validation = share_of(settings, "validation", 0.1)
    test = share_of(settings, "test", 0.2)
    if validation + test >= 1:
        raise UserError("Protocol four-folds: validation and test together leave no training data.")

    relevant = np.flatnonzero(view.ratings.relevant)
    users = view.ratings.user[relevant]
    counts = per_user(users, view)
    to_test, to_validation = held_out(counts, test, validation)
    if not to_test.any():
        raise UserError(
            "Protocol four-folds finds no test item: no user has two relevant items; choose another "
            "protocol, or a lower `relevant`."
        )
    if not to_validation.any():
        to_validation = pooled(counts, to_test, validation, generator(seed, fold, "pooled"))

    held = to_test + to_validation
    starts = np.cumsum(counts) - counts
    roles = all_training(view)
    for part, order in shuffled_parts(users, generator(seed, fold)):
        user, rows = users[part], relevant[order]
        position = np.arange(part.start, part.stop) - starts[user]
        roles[rows[position < held[user]]] = VALIDATION
        roles[rows[position < to_test[user]]] = TEST
    return Split(roles, unseen_random(view, roles))


def pooled(
    counts: Counts, to_test: Counts, validation: Fraction, random: np.random.Generator
) -> Counts:
    """Where every user's share rounds to nothing, the share of all items together, one from a user each.

    Users with three relevant items can give one; they are drawn at random.
    """
    able = np.flatnonzero((to_test > 0) & (counts >= 3))
    wanted = max(1, round(validation * int(counts[able].sum())))
    chosen = np.zeros_like(counts)
    chosen[random.permutation(able)[:wanted]] = 1
    return chosen


def held_out(counts: Counts, test: Fraction, validation: Fraction) -> tuple[Counts, Counts]:
    """How many of each user's items go to test and to validation (docs/protocols.md).

    The largest remainder gets the next item, in exact arithmetic; ties go to test, then training,
    then validation. One item always stays in training. A user without a test item is not scored, so
    this user gives none to validation either.
    """
    shares = (test, 1 - test - validation, validation)
    whole = np.lcm.reduce([share.denominator for share in shares])
    quotas = np.outer(counts, [int(share * whole) for share in shares])
    seats, remainders = np.divmod(quotas, whole)
    left = counts - seats.sum(axis=1)
    for role in range(3):
        # Counts the remainders ahead of this role's: roles before it win ties, roles after it lose.
        mine = remainders[:, [role]]
        ahead = (remainders[:, :role] >= mine).sum(axis=1)
        ahead += (remainders[:, role + 1 :] > mine).sum(axis=1)
        seats[:, role] += ahead < left

    to_test, training, to_validation = seats.T
    missing = (training == 0) & (counts > 0)
    from_validation = missing & (to_validation > 0)
    to_validation = to_validation - from_validation
    to_test = to_test - (missing & ~from_validation)
    return to_test, np.where(to_test > 0, to_validation, 0)
