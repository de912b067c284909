"""A fold as matrices: what a model trains on and is scored on."""

from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.context import Context, head_items
from mnar.matrices.ids import Ids
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, TEST, TRAIN, UNUSED, VALIDATION, Split

HELD_OUT = ("validation", "test")
# Users are compared in blocks of this size: the pairs of all users may not fit into memory.
USERS_AT_A_TIME = 1 << 16


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
    def of(
        cls, view: View, split: Split, complete: Ratings | None = None, all_items: bool = True
    ) -> "Fold":
        """`all_items`: whether the view has every item of the study's catalogue."""
        roles = split.roles
        ids = Ids(view.user_ids, view.item_ids, partial(fold_id, view, roles), all_items=all_items)
        train = replace(view.matrix(roles == TRAIN), ids=ids)
        sets = {
            "validation": view.matrix(roles == VALIDATION),
            "test": view.matrix(roles == TEST),
            "train": train,
            "random": view.random_matrix(split.random),
        }
        if _drawn(split, "test") and not (roles == TEST).any():
            # The contest's own test of Track 2: liked items are no ratings of the view, either.
            sets["test"] = view.random_matrix(split.random & view.random.relevant)
        if complete is not None:
            sets["complete"] = complete
        folded = roles == FOLD_IN
        if folded.any():
            # Evaluation users are no rows of the training matrix: not even their missing ratings
            # may have a say in the item vectors.
            train = train.of_users(np.unique(view.ratings.user[roles == TRAIN]))
        rated = np.bincount(view.ratings.item, minlength=view.shape[1])
        head = head_items(rated)
        contexts = {name: Context(head=head, drawn=_drawn(split, name)) for name in sets}
        if not folded.any():
            return cls(train, None, train, sets, contexts).without_leak()
        seen = view.matrix((roles == TRAIN) | folded)
        known = replace(view.matrix(folded), ids=ids)
        return cls(train, known, seen, sets, contexts).without_leak()

    def without_leak(self) -> "Fold":
        """This fold; an error where a pair that is held out is also learned from or folded in."""
        learned = len(self.train.items) + (0 if self.fold_in is None else len(self.fold_in.items))
        if learned != len(self.seen.items):
            raise ValueError(
                f"The fold leaks: {learned} ratings are learned from or folded in, "
                f"but {len(self.seen.items)} are marked as seen."
            )
        for name in HELD_OUT:
            if shared := _in_common(self.seen, self.sets[name]):
                raise ValueError(
                    f"The fold leaks: {shared} ratings of {name} are in training, too."
                )
        return self


def fold_id(view: View, roles: NDArray[np.uint8]) -> str:
    """A hash of the rows of a fold: whose rating of what, its value, and its part of the fold."""
    used = roles != UNUSED
    digest = sha256(roles[used].tobytes())
    digest.update(view.ratings.rating[used].astype("<f4").tobytes())
    for ids, index in ((view.user_ids, view.ratings.user), (view.item_ids, view.ratings.item)):
        digest.update("\n".join(map(str, ids[index[used]].tolist())).encode())
    return digest.hexdigest()[:16]


def _drawn(split: Split, name: str) -> tuple[NDArray, NDArray] | None:
    """Users and items of the pairs that a set's held-out ones are told apart from (track2)."""
    mine = split.drawn_role == {"validation": VALIDATION, "test": TEST}.get(name)
    return (split.drawn_user[mine], split.drawn_item[mine]) if mine.any() else None


def _in_common(first: Ratings, second: Ratings) -> int:
    """The number of (user, item) pairs that are in both matrices."""
    shared = 0
    for start in range(0, first.n_users, USERS_AT_A_TIME):
        end = min(start + USERS_AT_A_TIME, first.n_users)
        ours, theirs = _pairs(first, start, end), _pairs(second, start, end)
        shared += len(np.intersect1d(ours, theirs, assume_unique=True))
    return shared


def _pairs(ratings: Ratings, start: int, end: int) -> NDArray[np.int64]:
    """One number for each rating of the users from `start` up to `end`."""
    rows = slice(ratings.indptr[start], ratings.indptr[end])
    users = np.repeat(np.arange(end - start), np.diff(ratings.indptr[start : end + 1]))
    return users * ratings.n_items + ratings.items[rows]
