"""The accuracy lost by folding in: users or items are left out of training, folded in, and scored.

steck2010 section 4.1: a new user (or item) gets its vector by one solve, the other side held fixed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar import measures, models
from mnar.core.seeds import generator
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import Diverged
from mnar.matrices.ratings import Ratings
from mnar.measures import UserValues
from mnar.splits.fold import Fold
from mnar.tuning.chosen_models import Choice
from mnar.tuning.chosen_study import Analysed, ChosenStudy, last_of_each

# Share of the users, or items, that are left out.
SHARE = 0.1
MEASURES = ("atop",)
COLUMNS = ("method", "fold", "new", "model", "pairs", "atop")
MODELS = ("trained", "folded in")

Mask = NDArray[np.bool_]


def methods(modules: Mapping[str, str]) -> list[str]:
    """Methods that can fold in users and items."""
    able = {n: m for n, m in modules.items() if models.can(m, "fold_in", "fold_in_items")}
    return last_of_each(able)


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
    """The scores of every fold, with the values of users behind them for resampling."""
    rows: list[tuple] = []
    arrays: dict[str, NDArray] = {}
    for number in range(study.folds):
        fold, seed = study.fold(number), study.fold_seed(number)
        for name, chosen in study.methods.items():
            for new, model, values in fold_in_scores(fold, chosen[number], seed, study.threads):
                atop = float(values.mean("pair"))
                rows.append((name, number, new, model, int(values.weight.sum()), atop))
                users = np.flatnonzero(values.weight)
                stem = f"{name}/{number}/{new}/{model}"
                arrays[f"{stem}/users"] = users.astype(np.int32)
                arrays[f"{stem}/totals"] = values.total[users]
                arrays[f"{stem}/weights"] = values.weight[users]
            print(f"fold {number}: {name}")
    return Analysed(COLUMNS, rows, arrays)


def fold_in_scores(
    fold: Fold, choice: Choice, seed: int, threads: int
) -> Iterator[tuple[str, str, UserValues]]:
    """New users or items, the model, and ATOP of users: trained on all against folded in."""
    full = choice.train(fold.train, seed, threads)
    test = fold.sets["test"]
    random = generator(seed, "fold-in")
    for new, size in (("users", test.n_users), ("items", test.n_items)):
        left_out = random.random(size) < SHARE
        folded = (_with_new_users if new == "users" else _with_new_items)(
            full, fold.train, left_out, choice, seed, threads
        )
        # Only pairs of new users or items are scored; all items are ranked.
        mine = left_out[test.users if new == "users" else test.items]
        scored = replace(test, relevant=test.relevant & mine)
        for name, model in zip(MODELS, (full, folded), strict=True):
            yield new, name, _atop(model, scored, threads)


def _atop(model: FactorModel, scored: Ratings, threads: int) -> UserValues:
    """Of a model that has diverged without the ratings that are left out, no value is a number."""
    try:
        return measures.evaluate(model, scored, None, MEASURES, Context(), threads)["atop"]
    except Diverged:
        pairs = np.bincount(scored.users[scored.relevant], minlength=scored.n_users)
        return UserValues(np.full(scored.n_users, np.nan), pairs.astype(np.float64))


def part_of(ratings: Ratings, users: Mask, items: Mask) -> Ratings:
    """The ratings of some users and items alone, numbered from 0."""
    keep = users[ratings.users] & items[ratings.items]
    return Ratings.from_triplets(
        (np.cumsum(users) - 1)[ratings.users[keep]],
        (np.cumsum(items) - 1)[ratings.items[keep]],
        ratings.values[keep],
        ratings.relevant[keep],
        (int(users.sum()), int(items.sum())),
    )


def _with_new_users(
    full: FactorModel, train: Ratings, new: Mask, choice: Choice, seed: int, threads: int
) -> FactorModel:
    every_item = np.ones(train.n_items, np.bool_)
    model = choice.train(part_of(train, ~new, every_item), seed, threads)
    theirs = part_of(train, new, every_item)
    folded = models.load(choice.module).fold_in(model, theirs, choice.settings, threads)
    vectors = np.empty_like(full.user_vectors)
    vectors[~new], vectors[new] = model.user_vectors, folded.user_vectors
    return replace(full, user_vectors=vectors, item_vectors=model.item_vectors)


def _with_new_items(
    full: FactorModel, train: Ratings, new: Mask, choice: Choice, seed: int, threads: int
) -> FactorModel:
    every_user = np.ones(train.n_users, np.bool_)
    model = choice.train(part_of(train, every_user, ~new), seed, threads)
    theirs = part_of(train, every_user, new)
    folded = models.load(choice.module).fold_in_items(model, theirs, choice.settings, threads)
    vectors = np.empty_like(full.item_vectors)
    vectors[~new], vectors[new] = model.item_vectors, folded.item_vectors
    return replace(full, user_vectors=model.user_vectors, item_vectors=vectors)
