"""How much work training takes: the objective after each sweep, and the arithmetic of one sweep.

Counted, not timed, so that results are the same on every machine; seconds are in the benchmarks.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from mnar import models
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models import allrank_binary_logistic as logistic
from mnar.models._allrank import SWEEPS, relevant_entries, sweep
from mnar.tuning.chosen_models import Choice
from mnar.tuning.chosen_study import ChosenStudy, Findings, last_of_each

# Twice as many sweeps as training takes: by then the objective hardly moves.
LONGER = 2
COLUMNS = ("method", "sweep", "objective", "operations")

LOGISTIC = "allrank-binary-logistic"
# Of an exponential, a division and the weighing of one entry.
PER_PROBABILITY = 12


ALTERNATING = (
    "observed-only",
    "allrank-regression",
    "dense-svd",
    "allrank-binary-regression",
    LOGISTIC,
)


def methods(modules: Mapping[str, str]) -> list[str]:
    """Methods that alternate between users and items, and so have an objective after each sweep."""
    return last_of_each({name: module for name, module in modules.items() if module in ALTERNATING})


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Findings:
    """The objective after each sweep on the first fold."""
    fold, seed = study.fold(0), study.fold_seed(0)
    rows = []
    for name, chosen in study.methods.items():
        work = operations(chosen[0], fold.train)
        curve = objectives(chosen[0], fold.train, seed, study.threads)
        rows += [(name, sweep, value, work) for sweep, value in enumerate(curve, start=1)]
        print(f"{name}: {rows[-1]}")
    return Findings(COLUMNS, rows)


def objectives(choice: Choice, train: Ratings, seed: int, threads: int) -> Iterator[float]:
    """What training makes smaller, after each sweep (the logistic likelihood with its sign turned)."""
    trained, usual = (
        (_logistic, logistic.SWEEPS) if choice.module == LOGISTIC else (_least_squares, SWEEPS)
    )
    sweeps = LONGER * choice.settings.get("sweeps", usual)
    return islice(trained(choice, train, seed, threads), sweeps)


def _least_squares(choice: Choice, train: Ratings, seed: int, threads: int) -> Iterator[float]:
    method = models.load(choice.module).METHOD
    ratings, terms = method.entries(train), method.terms(choice.settings)
    users, items = terms.side(ratings), terms.side(ratings.by_item)
    factors = choice.settings["factors"]
    user_vectors = _als.start(ratings.n_users, factors, seed)
    while True:
        user_vectors, item_vectors = sweep(users, items, user_vectors, factors, threads)
        yield _als.objective(users, items, user_vectors, item_vectors)


def _logistic(choice: Choice, train: Ratings, seed: int, threads: int) -> Iterator[float]:
    ratings = relevant_entries(train)
    users = logistic.likelihood(ratings, choice.settings)
    items = logistic.likelihood(ratings.by_item, choice.settings)
    factors = choice.settings["factors"]
    user_vectors = _als.start(ratings.n_users, factors, seed)
    item_vectors = np.zeros((ratings.n_items, user_vectors.shape[1]), np.float32)
    while True:
        item_vectors = logistic.climb(items, item_vectors, user_vectors, factors, threads)
        user_vectors = logistic.climb(users, user_vectors, item_vectors, factors, threads)
        yield -logistic.objective(users, items, user_vectors, item_vectors)


def operations(choice: Choice, train: Ratings) -> int:
    """Additions and multiplications of one sweep over users and items (section 4.2)."""
    binary = choice.module in (LOGISTIC, "allrank-binary-regression")
    entries = int(train.relevant.sum()) if binary else len(train.items)
    rows = train.n_users + train.n_items
    factors = choice.settings["factors"]
    # The upper triangle of each normal matrix, from the observed entries, and its factorisation.
    total = 2 * entries * factors * (factors + 1) + rows * factors**3 // 3
    if _counts_missing(choice.module, choice.settings):
        total += rows * factors * (factors + 1)
    if choice.module == LOGISTIC:
        # Every entry is scored and pulls on its row, once for the users and once for the items.
        total += 2 * train.n_users * train.n_items * (4 * factors + PER_PROBABILITY)
    return total


def _counts_missing(module: str, settings: dict[str, Any]) -> bool:
    return module != "observed-only" and settings.get("missing_weight", 1) > 0
