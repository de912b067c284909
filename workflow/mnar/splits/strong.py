"""pradel2012: strong generalisation, where training and evaluation users are different people."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Setting, Share, finite
from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.matrices.user_order import per_user, positions, shuffled
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, VALIDATION, Split
from mnar.splits._held_out import all_training, share_of, unseen_random


@dataclass(frozen=True)
class Users(Setting):
    """How the evaluated users are picked."""

    @property
    def expected(self) -> str:
        return "random, halves, a number of users or a share of them"

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str):
            return value in ("random", "halves")
        return finite(value) and (0 < value < 1 or (isinstance(value, int) and value >= 1))


SETTINGS = (
    Share("validation", "share of an evaluation user's ratings in validation", default=0.2),
    Users("evaluation_users", "users that are evaluated"),
)
# Evaluation users are not trained on.
FOLDS_IN = True


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold: an evaluation user's ratings are divided at random into FOLD_IN and VALIDATION."""
    evaluation = evaluation_users(view, settings["evaluation_users"], fold, seed)
    share = share_of(settings, "validation", 0.2)

    users = view.ratings.user
    counts = per_user(users, view)
    # Rounded half up, in whole numbers. Each side gets at least one rating; a single one is folded in.
    rounded = (2 * counts * share.numerator + share.denominator) // (2 * share.denominator)
    held_out = np.minimum(np.maximum(rounded, 1), counts - 1)

    roles = all_training(view)
    roles[evaluation[users]] = FOLD_IN
    order = shuffled(users, generator(seed, fold, "validation"))
    chosen = evaluation[users] & (positions(users, counts) < held_out[users])
    roles[order[chosen]] = VALIDATION
    scored = unseen_random(view, roles) & evaluation[view.random.user]
    return Split(roles, scored)


def evaluation_users(view: View, which: str | float, fold: int, seed: int) -> NDArray[np.bool_]:
    """The evaluated users: "random" (all with random ratings), a number, a share, or "halves".

    Halves are cross-fitted: in fold 2k one half is evaluated, in fold 2k + 1 the other.
    """
    n_users = view.shape[0]
    if which == "random":
        chosen = np.zeros(n_users, np.bool_)
        chosen[view.random.user] = True
    elif which == "halves":
        chosen = _draw(n_users, n_users // 2, generator(seed, "halves", fold // 2))
        chosen ^= bool(fold % 2)
    elif isinstance(which, str):
        raise UserError(
            f"Protocol setting evaluation_users is {which!r}; "
            "it must be random, halves, a number of users or a share of them."
        )
    else:
        wanted = max(1, round(which * n_users)) if 0 < which < 1 else int(which)
        chosen = _draw(n_users, max(wanted, 0), generator(seed, "users", fold))
    evaluated = int(chosen.sum())
    if not 0 < evaluated < n_users:
        raise UserError(
            f"Protocol strong: evaluation_users {which!r} picks {evaluated} of {n_users} users; "
            "some must be evaluated and some must be left for training."
        )
    return chosen


def _draw(n_users: int, wanted: int, random: np.random.Generator) -> NDArray[np.bool_]:
    chosen = np.zeros(n_users, np.bool_)
    chosen[random.permutation(n_users)[:wanted]] = True
    return chosen
