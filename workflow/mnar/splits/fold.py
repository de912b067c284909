"""A fold as matrices: what a model trains on and is scored on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.context import Context, head_items
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION, Split


@dataclass(frozen=True)
class Fold:
    """What a fold trains on and is scored on, as matrices."""

    train: Ratings
    fold_in: Ratings | None
    # A user's own ratings that the model has seen: not candidates under `unseen`.
    seen: Ratings
    sets: dict[str, Ratings]
    contexts: dict[str, Context]

    @classmethod
    def of(cls, view: View, split: Split, complete: Ratings | None = None) -> "Fold":
        roles = split.roles
        train = view.matrix(roles == TRAIN)
        sets = {
            "validation": view.matrix(roles == VALIDATION),
            "test": view.matrix(roles == TEST),
            "train": train,
            "random": view.random_matrix(split.random),
        }
        if _drawn(split, "test") and not (roles == TEST).any():
            # The contest's own test of Track 2: what is liked is no rating of the view, either.
            sets["test"] = view.random_matrix(split.random & view.random.relevant)
        if complete is not None:
            sets["complete"] = complete
        folded = roles == FOLD_IN
        if folded.any():
            # Evaluation users are no rows of the training matrix: not even their missing ratings
            # may have a say in the item vectors.
            train = train.of_users(np.unique(view.ratings.user[roles == TRAIN]))
        positives = np.bincount(
            view.ratings.item[view.ratings.relevant], minlength=view.shape[1]
        ).astype(np.int64)
        rated = np.bincount(view.ratings.item, minlength=view.shape[1])
        head = head_items(rated)
        contexts = {name: Context(positives, head, _drawn(split, name)) for name in sets}
        if not folded.any():
            return cls(train, None, train, sets, contexts)
        seen = view.matrix((roles == TRAIN) | folded)
        return cls(train, view.matrix(folded), seen, sets, contexts)


def _drawn(split: Split, name: str) -> tuple[NDArray, NDArray] | None:
    """Users and items of the pairs that a set's held-out ones are told apart from (track2)."""
    mine = split.drawn_role == {"validation": VALIDATION, "test": TEST}.get(name)
    return (split.drawn_user[mine], split.drawn_item[mine]) if mine.any() else None
