"""The objective that a search reaches at the points of a grid, beside plain sweeps from random users."""

from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
import yaml

from mnar import models, splits
from mnar.config import settings as configuration
from mnar.core.seeds import seed_of
from mnar.data.sources import Source
from mnar.matrices.view import Entries, View
from mnar.models import allrank_binary_logistic as logistic
from mnar.models._als import objective, padded
from mnar.splits.fold import Fold
from mnar.tuning.search import grid_points, settings_at

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
DATASET, STUDY = "movielens-small", "steck2010"
# Every method of steck2010 that sweeps until it has converged, one of each objective.
METHODS = (
    "allrank-regression",
    "observed-only-tuned-for-atop",
    "dense-svd",
    "allrank-binary-regression",
    "allrank-binary-logistic",
)
SEED = seed_of(2015, DATASET, STUDY, 0)


def training_ratings():
    """Training data of the first fold of steck2010 on the embedded dataset."""

    def column(name, file):
        with Source(ROOT / "data" / DATASET / file).open() as stream:
            return pl.read_csv(stream.read())[name].to_numpy()

    ids, users = np.unique(column("userId", "ratings.csv.zst"), return_inverse=True)
    listed = np.unique(column("movieId", "movies.csv.zst"))
    items = np.searchsorted(listed, column("movieId", "ratings.csv.zst"))
    values = column("rating", "ratings.csv.zst").astype(np.float32)
    times = column("timestamp", "ratings.csv.zst").astype(np.int64)
    order = np.lexsort((items, users))
    parts = (users.astype(np.int32), items.astype(np.int32), values, values >= 5, times)
    entries = Entries(*(part[order] for part in parts))
    none = Entries(*(part[:0] for part in parts))
    view = View(ids, listed, entries, none, np.empty((len(listed), 0), np.int32))
    return Fold.of(view, splits.split("last-five", view, {"held_out": 5}, 0, 2015)).train


def search_of(method, **grid):
    """A method as the study searches it; `grid` may give fewer values of some parameters."""
    found = configuration.method_settings(CONFIG, STUDY, DATASET, method)
    return found | {"chosen_from": grid_points(found["grid"] | grid)}


def shortfalls(method, train, threads=1, **grid):
    """By point: by which share the objective is above that after twice the sweeps from random users."""
    search = search_of(method, **grid)
    points = [settings_at(search, point) for point in search["chosen_from"]]
    fitted = models.fit_grid(search["module"], train, points, SEED, threads)
    longer = 2 * models.about(search["module"]).defaults["sweeps"]
    for point, settings, model in zip(search["chosen_from"], points, fitted, strict=True):
        after_sweeps = models.load(search["module"]).objectives(train, settings, SEED, threads)
        plain = next(islice(after_sweeps, longer - 1, None))
        yield point, objective_of(search["module"], train, settings, model) / plain - 1


def objective_of(module, train, settings, model):
    method = models.load(module)
    vectors = padded(model.user_vectors), padded(model.item_vectors)
    if method is logistic:
        ones = logistic.relevant_entries(train)
        sides = (logistic.likelihood(rows, settings) for rows in (ones, ones.by_item))
        return -logistic.objective(*sides, *vectors)
    entries, terms = method.METHOD.entries(train), method.METHOD.terms(settings)
    return objective(terms.side(entries), terms.side(entries.by_item), *vectors)
