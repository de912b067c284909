"""Scenes: a training set, its held-out part, and the truth that estimates are compared with."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar import splits
from mnar.core.errors import UserError
from mnar.core.seeds import generator, seed_of
from mnar.data.selection import CompleteMatrix, Mechanism, chances_of, complete_part, observe
from mnar.data.synthetic import Settings, generate
from mnar.estimators.selected_ratings import Selected
from mnar.matrices.ids import Ids
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import View
from mnar.splits.fold import fold_id
from mnar.splits.selected import truth_weights

Floats = NDArray[np.float64]

# Ratings are brought to this scale, so that one grid of settings fits every dataset.
STARS = (1.0, 5.0)


@dataclass(frozen=True, eq=False)
class Scene:
    """`truth` has all unseen pairs of complete data, else the random ratings outside of training."""

    selected: Selected
    truth: Ratings
    # How much each rating of the truth counts.
    weights: Floats
    complete: bool

    @property
    def relevant_sizes(self) -> NDArray[np.int64] | None:
        """How many relevant unseen items each user has, where that is known."""
        if not self.complete:
            return None
        liked = self.truth.users[self.truth.relevant]
        return np.bincount(liked, minlength=self.truth.n_users)


def in_stars(values: NDArray[np.floating], scale: tuple[float, float]) -> NDArray[np.float32]:
    """Ratings on another scale, mapped linearly to stars."""
    low, high = STARS
    share = (values - scale[0]) / (scale[1] - scale[0])
    return (low + share * (high - low)).astype(np.float32)


def synthetic_matrix(
    generator_settings: dict[str, Any], seed: int, relevant: float = 4
) -> CompleteMatrix:
    """The complete ratings of a generated dataset, whose selection is then simulated as for others."""
    # Its own selection plays no part.
    own = {"ratings_per_user": 1, "random_users": 0, "random_ratings": 1}
    settings = Settings.from_config(generator_settings | own | {"seed": seed})
    block = generate(settings).truth.block(0, settings.users)
    return CompleteMatrix(block.astype(np.float32), block >= relevant)


def complete_matrix(view: View, scale: tuple[float, float]) -> CompleteMatrix:
    """The users of a view who rated everything (jester), in stars."""
    whole = complete_part(view.matrix())
    return CompleteMatrix(in_stars(whole.values, scale), whole.relevant)


def simulated(
    complete: CompleteMatrix, mechanism: Mechanism, share: float, n_random: int, seed: int
) -> Scene:
    """Users rate by a mechanism; each rating is held out with chance `share`.

    `n_random` items a user are rated at random, for propensities that need such a sample.
    """
    chances = chances_of(complete.relevant, mechanism, seed)
    rated = observe(complete, chances, seed)
    held_out = rated & (generator(seed, "held out").random(rated.shape) < share)
    train = rated & ~held_out
    at_random = random_cells(complete.shape, n_random, seed)
    selected = Selected(
        complete.at(train),
        complete.at(held_out),
        share,
        chances=chances,
        random=complete.at(at_random),
        seed=seed,
    )
    truth = complete.at(~train)
    return Scene(selected, truth, np.ones(len(truth.items)), complete=True)


def random_cells(shape: tuple[int, int], n: int, *seed: object) -> NDArray[np.bool_]:
    """n cells of each row at random; a smaller n takes some of those of a larger one."""
    keys = generator(*seed, "random cells").random(shape)
    cells = np.zeros(shape, np.bool_)
    if n > 0:
        np.put_along_axis(cells, np.argsort(keys, axis=1, kind="stable")[:, :n], True, axis=1)
    return cells


def observed(
    view: View,
    settings: dict[str, Any],
    fold: int,
    seed: int,
    scale: tuple[float, float],
    *,
    spared: float = 0.1,
    published: Floats | None = None,
) -> Scene:
    """Users chose by themselves; the truth is the random ratings outside of training.

    A share of the random ratings is `spared` for propensities and is then no part of the truth.
    """
    if not len(view.random):
        raise UserError(
            "Experiment trust needs complete or randomly selected ratings, and this dataset has "
            "neither; ask for Γ instead (see docs/trust.md)."
        )
    split = splits.split("selected", view, settings, fold, seed)
    given = generator(seed, fold, "spared").random(len(view.random)) < spared
    truth = split.random & ~given

    def stars(part: Ratings) -> Ratings:
        shape = (part.n_users, part.n_items)
        values = in_stars(part.values, scale)
        return Ratings.from_triplets(part.users, part.items, values, part.relevant, shape)

    # For systems whose scores are given.
    ids = Ids(view.user_ids, view.item_ids, partial(fold_id, view, split.roles))
    selected = Selected(
        replace(stars(view.matrix(split.roles == splits.TRAIN)), ids=ids),
        stars(view.matrix(split.roles == splits.TEST)),
        float(settings.get("held_out", 0.3)),
        published=published,
        random=stars(view.random_matrix(given)),
        seed=seed_of(seed, fold),
    )
    weights = truth_weights(view, settings)[truth]
    return Scene(selected, stars(view.random_matrix(truth)), weights, complete=False)
