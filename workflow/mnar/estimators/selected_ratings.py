"""Ratings that users chose to give, cut in two by the protocol `selected`: all that an estimator may see."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.ratings import Ratings

if TYPE_CHECKING:
    # For its name alone: training jobs do without scipy, which it imports.
    from mnar.data.selection import Chances

Floats = NDArray[np.float64]


def held_out_chance(rated: Any, share: float, kept: float | None = None) -> Any:
    """π = hα/(1 − (1 − h)α): P(held out | not in training) of a pair that is rated with chance α.

    It is not hα: pairs in training are no candidates, so they count neither above nor below. `kept`
    takes the place of 1 − h where a rating may be in neither part, or where all are candidates.
    """
    return share * rated / (1 - (1 - share if kept is None else kept) * rated)


@dataclass(frozen=True, eq=False)
class Selected:
    """Training and held-out ratings; `share` is the chance h that a rating was held out."""

    train: Ratings
    held_out: Ratings
    share: float
    # P(rated) where selection was simulated.
    chances: "Chances | None" = None
    # P(rated) of each cell as somebody published it (users × items).
    published: Floats | None = None
    # A few ratings of randomly chosen items that are no part of the truth.
    random: Ratings | None = None
    seed: int = 0
    # The chance that a rating is in training; 1 − h where every rating is in one of the two parts.
    kept: float | None = None
    # All that users chose to rate, where that is more than the two parts.
    everything: Ratings | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.train.n_users, self.train.n_items

    def chance(self, rated: Any) -> Any:
        """P(held out | not in training) of pairs that are rated with these chances."""
        return held_out_chance(rated, self.share, self.kept)

    @property
    def _parts(self) -> tuple[Ratings, ...]:
        return (self.train, self.held_out) if self.everything is None else (self.everything,)

    @cached_property
    def users(self) -> NDArray[np.int32]:
        """The user of each rating that was chosen; training before held-out ratings."""
        return np.concatenate([part.users for part in self._parts])

    @cached_property
    def items(self) -> NDArray[np.int32]:
        return np.concatenate([part.items for part in self._parts])

    @cached_property
    def values(self) -> NDArray[np.float32]:
        return np.concatenate([part.values for part in self._parts])

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        return np.concatenate([part.relevant for part in self._parts])

    @cached_property
    def liked(self) -> Ratings:
        """The relevant held-out ratings."""
        return self.held_out.select(self.held_out.relevant)

    @cached_property
    def pairs(self) -> "dict[str, Pairs]":
        """The pairs that measures average, by kind."""
        return {kind: make(self.held_out) for kind, make in PAIRS.items()}

    @cached_property
    def candidates(self) -> NDArray[np.int64]:
        """How many items of each user are not in training."""
        return self.train.n_items - np.diff(self.train.indptr)


def chosen_parts(
    train: Ratings, held_out: Ratings, everything: Ratings | None = None, **more: Any
) -> Selected:
    """A held-out set that no chance h is known of.

    h is the share of their ratings that the users of the set have in it: users without held-out
    ratings may be there for training alone. `everything` is all that users chose to rate, where
    that is more than the two parts.
    """
    mine = np.diff(held_out.indptr) > 0
    kept, out = (int(np.diff(part.indptr)[mine].sum()) for part in (train, held_out))
    rated = kept + out if everything is None else int(np.diff(everything.indptr)[mine].sum())
    given = {"kept": kept / max(rated, 1), "everything": everything} | more
    return Selected(train, held_out, out / max(rated, 1), **given)


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs that a measure averages: held-out ratings, or two of one user that are compared.

    `first` and `second` are positions among the held-out ratings; sorted by user.
    """

    users: NDArray[np.int32]
    first: NDArray[np.int64]
    second: NDArray[np.int64] | None = None


def liked(held_out: Ratings) -> Pairs:
    """T: the relevant held-out ratings."""
    positions = np.flatnonzero(held_out.relevant)
    return Pairs(held_out.users[positions], positions)


def rated(held_out: Ratings) -> Pairs:
    """T and N: all held-out ratings."""
    return Pairs(held_out.users, np.arange(len(held_out.items)))


def compared(held_out: Ratings) -> Pairs:
    """T × N of each user: a relevant against an irrelevant held-out rating."""
    good, bad = np.flatnonzero(held_out.relevant), np.flatnonzero(~held_out.relevant)
    counts = np.bincount(held_out.users[bad], minlength=held_out.n_users)
    starts = np.cumsum(counts) - counts
    users = held_out.users[good]
    repeats = counts[users]
    first = np.repeat(good, repeats)
    position = np.arange(len(first)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    second = bad[np.repeat(starts[users], repeats) + position] if len(bad) else first[:0]
    return Pairs(np.repeat(users, repeats), first, second)


PAIRS = {"liked": liked, "rated": rated, "compared": compared}
