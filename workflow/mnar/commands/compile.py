"""Compile every kernel once, by using each method and measure on a tiny matrix: python -m mnar compile

Jobs that start together would each compile what they need.
"""

from collections.abc import Sequence

import numpy as np

from mnar import measures, models
from mnar.core.seeds import generator
from mnar.matrices.context import Context
from mnar.matrices.model import ScoreMatrix, predict_pairs
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.simulations import load
from mnar.simulations.case import Case

SETTINGS = {
    "factors": 2,
    "iterations": 10,
    "sweeps": 1,
    "rate": 0.1,
    "lambda": 0.1,
    "missing_weight": 0.1,
    "imputed": 0.0,
    "hidden": 2,
    "passes": 1,
    "rounds": 2,
    "planes": 2,
}


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
        for settings in (SETTINGS, {**SETTINGS, "mode": "ranking"}):
            if settings is not SETTINGS and "mode" not in models.about(name).known:
                continue
            model = next(iter(models.fit_grid(name, ratings, [settings], 1, 1)))
            if models.can(name, "fold_in"):
                models.load(name).fold_in(model, ratings, settings, 1)
            model.scores(np.arange(2))
            # As measures ask for them: entries of a matrix have indices of 32 bits.
            predict_pairs(model, ratings.users, ratings.items)
        print(f"compiled {name}")
    model = next(iter(models.fit_grid("svd", ratings, [{"factors": 2}], 1, 1)))
    fitting = [name for name in measures.examples() if measures.fits(name, context)]
    for any_model in (model, ScoreMatrix(model.scores(np.arange(shape[0])))):
        measures.evaluate(any_model, ratings, ratings, fitting, context, 1)
        measures.evaluate(any_model, ratings, None, fitting, context, 1)
    _simulate(users, items, values, shape)
    print("compiled measures and simulations")
    return 0


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
