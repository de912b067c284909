"""Compile every kernel once, by using each method and measure on a tiny matrix: python -m mnar compile

Jobs that start together would each compile what they need.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mnar import measures, models
from mnar.core.declared import OneOf, Setting, Whole
from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.matrices.context import Context
from mnar.matrices.model import ScoreMatrix, predict_pairs
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.simulations import load
from mnar.simulations.case import Case


def main(arguments: Sequence[str] = ()) -> int:
    random = generator("warm-up")
    shape = (12, 10)
    users, items = np.nonzero(random.random(shape) < 0.6)
    values = random.integers(1, 6, len(users)).astype(np.float32)
    parents = np.zeros((shape[1], 1), np.int32)
    times = random.integers(10**6, size=len(users))
    ratings = Ratings.from_triplets(users, items, values, values >= 4, shape, parents, times)
    weights = np.ones(int(ratings.relevant.sum()))
    context = Context(lambda scheme: weights, np.arange(shape[1]) < 2, random=ratings)
    for name in models.names():
        for settings in variants(models.about(name)):
            try:
                _use(name, settings, ratings)
            except UserError as error:
                # A word may be for data of simulations, as `known` is.
                print(f"{name} at {settings}: {error}")
        print(f"compiled {name}")
    model = next(iter(models.fit_grid("svd", ratings, [{"factors": 2}], 1, 1)))
    fitting = [name for name in measures.examples() if measures.fits(name, context)]
    for any_model in (model, ScoreMatrix(model.scores(np.arange(shape[0])))):
        measures.evaluate(any_model, ratings, ratings, fitting, context, 1)
        measures.evaluate(any_model, ratings, None, fitting, context, 1)
    _simulate(users, items, values, shape)
    print("compiled measures and simulations")
    return 0


def variants(about: models.About) -> Iterator[dict[str, Any]]:
    """The least work that a method can be given, and the same by each of its other words."""
    settings = about.settings or ()
    least = {one.name: small(one) for one in settings if one.required or isinstance(one, Whole)}
    yield least
    for one in settings:
        if isinstance(one, OneOf):
            usual = least.get(one.name, one.default)
            yield from ({**least, one.name: word} for word in one.options if word != usual)


def small(setting: Setting) -> Any:
    """A value that the setting takes and that makes little work."""
    words = getattr(setting, "options", ())
    ends = (getattr(setting, "least", None), getattr(setting, "above", None))
    bounds = [bound + more for bound in ends if bound is not None for more in (0, 1)]
    # From its declaration, so that a new method with settings of its own needs no line here.
    return next(v for v in (0.1, 2, False, {}, *words, *bounds) if setting.accepts(v))


def _use(name: str, settings: dict[str, Any], ratings: Ratings) -> None:
    model = next(iter(models.fit_grid(name, ratings, [settings], 1, 1)))
    if models.can(name, "fold_in"):
        models.load(name).fold_in(model, ratings, settings, 1)
    model.scores(np.arange(2))
    # As measures ask for them: entries of a matrix have indices of 32 bits.
    predict_pairs(model, ratings.users, ratings.items)


def _simulate(users, items, values, shape: tuple[int, int]) -> None:
    times = np.full(len(users), -1, np.int64)
    rated = Entries(users.astype(np.int32), items.astype(np.int32), values, values >= 4, times)
    none = Entries(*(column[:0] for column in vars(rated).values()))
    ids = np.arange(shape[0]), np.arange(shape[1])
    view = View(*ids, rated, none, np.zeros((shape[1], 0), np.int32), {"relevant_from": 4})
    settings = {
        "ranking": {"method": "bestseller-count", "settings": {}},
        "users": shape[0],
        "shares": [0.5],
        "user_repetitions": 1,
        "broken": {"share": 0.5, "item_repetitions": 1, "popularity": [1], "positivity": [1]},
    }
    for simulation in ("bias", "broken"):
        list(load(simulation).rows(Case(view, None, settings, 1)))
