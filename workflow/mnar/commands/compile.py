"""Compile every kernel once, before jobs fan out, by using each method on a tiny matrix."""

import numpy as np

from mnar import measures, models
from mnar.core.seeds import generator
from mnar.matrices.ratings import Ratings
from mnar.measures import Context
from mnar.simulations.theorems.observing import RankedItems

MEASURES = ["atop", "map", "auc", "rmse", "head_10", "recall@10(0.5)"]


def compile_kernels() -> None:
    random = generator("warm-up")
    shape = (12, 10)
    users, items = np.nonzero(random.random(shape) < 0.6)
    values = random.integers(1, 6, len(users)).astype(np.float32)
    parents = np.zeros((shape[1], 1), np.int32)
    ratings = Ratings.from_triplets(users, items, values, values >= 4, shape, parents)
    context = Context(np.ones(shape[1], np.int64), np.arange(shape[1]) < 2)
    for name in models.names():
        settings = {"factors": 2, "iterations": 10, "sweeps": 1, "rate": 0.1, "lambda": 0.1}
        settings |= {"missing_weight": 0.1, "imputed": 0.0}
        module = models.load(name)
        model = next(iter(models.fit_grid(name, ratings, [settings], 1, 1)))
        if hasattr(module, "fold_in"):
            module.fold_in(model, ratings, settings, 1)
        print(f"compiled {name}")
    measures.evaluate(model, ratings, ratings, MEASURES, context, 1)
    measures.evaluate(model, ratings, None, MEASURES, context, 1)
    three = np.arange(3)
    task = Ratings.from_triplets(0 * three, three, 1.0 + three, three >= 0, shape)
    measures.evaluate(model, task, None, ["track2_error"], Context(drawn=(0 * three, three + 3)), 1)
    ranked = RankedItems.of(model, ratings)
    sizes = ranked.observed_sizes([0.5])
    ranked.observe(ranked.at_random(random), sizes)
    ranked.by_weight(random, np.ones(len(ranked.user)), sizes[:, 0])
