"""Complete data of some users, and a ranking of their items that was trained on other data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar import models
from mnar.core.seeds import generator, seed_of
from mnar.data.synthetic import Truth
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.matrices.user_order import per_user, positions, shuffled
from mnar.matrices.view import View


@dataclass(frozen=True)
class GroundTruth:
    """`ratings` are the complete ratings of their users, except those trained on."""

    model: FactorModel
    ratings: Ratings
    # The chance that an item is rated, up to a factor.
    popularity: NDArray[np.float64]
    # Whether the truth is known, or the user's other ratings are taken for it.
    known: bool


def complete_data(
    view: View, truth: Truth | None, ranking: dict[str, Any], users: int, seed: int
) -> GroundTruth:
    """With a truth, the ranking is trained on all observed ratings, and the truth of all other
    pairs is complete. Without, a half of each user's ratings trains it, and the other half is taken
    as complete. Users are drawn among those with relevant ratings on both sides.
    """
    random = generator(seed, "complete data")
    if truth is None:
        order = shuffled(view.ratings.user, random)
        counts = per_user(view.ratings.user, view)
        trained = np.zeros(len(view.ratings), np.bool_)
        trained[order] = positions(view.ratings.user, counts) < (counts // 2)[view.ratings.user]
    else:
        trained = np.ones(len(view.ratings), np.bool_)
    train = view.matrix(trained)
    able = np.bincount(train.users[train.relevant], minlength=train.n_users) > 0
    if truth is None:
        rest = view.matrix(~trained)
        able &= np.bincount(rest.users[rest.relevant], minlength=rest.n_users) > 0
        drawn = _some(able, users, random)
        ratings = rest.select(drawn[rest.users])
        popularity = np.bincount(view.ratings.item, minlength=view.shape[1]).astype(np.float64)
    else:
        drawn = _some(able, users, random)
        ratings = true_ratings(view, truth, drawn, train)
        popularity = truth.alpha[view.item_ids]
    model = fitted(ranking, train, seed)
    return GroundTruth(model, ratings, popularity / popularity.max(), truth is not None)


def fitted(ranking: dict[str, Any], train: Ratings, *seed: object) -> FactorModel:
    """The ranking that the config asks for, trained on some ratings."""
    number = seed_of(*seed, "ranking")
    return next(iter(models.fit_grid(ranking["method"], train, [ranking["settings"]], number, 1)))


def true_ratings(
    view: View, truth: Truth, drawn: NDArray[np.bool_], left_out: Ratings | None = None
) -> Ratings:
    """The true ratings of all items by some users, in the shape of the view."""
    wanted = np.zeros(view.shape, np.bool_)
    wanted[drawn] = True
    if left_out is not None:
        wanted[left_out.users, left_out.items] = False
    users, items = np.nonzero(wanted)
    values = truth.ratings(view.user_ids[users], view.item_ids[items]).astype(np.float32)
    relevant = values >= view.facts["relevant_from"]
    return Ratings.from_triplets(users, items, values, relevant, view.shape)


def _some(able: NDArray[np.bool_], count: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Draw this number of the able users; all of them if there are fewer."""
    chosen = np.flatnonzero(able)
    if len(chosen) > count:
        chosen = random.choice(chosen, count, replace=False)
    drawn = np.zeros(len(able), np.bool_)
    drawn[chosen] = True
    return drawn
