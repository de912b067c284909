"""What a reader should know of the input and of the answer; a UserError where nothing can be measured."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mnar.core.errors import UserError
from mnar.exchange.score_files import PartOfFactors
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings


def notes_of_input(
    train: Ratings, test: Ratings, models: Mapping[str, Model], unseen: bool
) -> list[str]:
    if not len(test.items):
        raise UserError("The test has no ratings; give the held-out ones.")
    notes = []
    both = np.isin(
        test.users * np.int64(test.n_items) + test.items,
        train.users * np.int64(train.n_items) + train.items,
    )
    if both.any():
        notes.append(
            f"{int(both.sum())} pairs of the test are in training, too: they were not held out."
        )
    tried = np.unique(test.users)
    notes += _of_training(train, test)
    wanted = np.unique(test.items)
    for name, model in models.items():
        notes += _of_system(name, model, tried, wanted)
        if unseen and isinstance(model, ListedScores):
            learned = int((~np.isnan(model.predict(train.users, train.items))).sum())
            if learned:
                notes.append(
                    f"{name} has scores of {learned} training items: they are ignored, since unseen items "
                    "are ranked."
                )
    return notes


def _of_training(train: Ratings, test: Ratings) -> list[str]:
    """Training of other users or items than the test has: they may be written otherwise."""
    if not len(train.items):
        return []
    sides = (("user", train.users, test.users), ("item", train.items, test.items))
    return [
        f"No {what} of the test is in training: do the ids differ?"
        for what, learned, tested in sides
        if not np.isin(np.unique(tested), learned).any()
    ]


def _of_system(name: str, model: Model, tried: np.ndarray, wanted: np.ndarray) -> list[str]:
    """Users and items without any score; a UserError where no user has one."""
    if isinstance(model, ListedScores):
        what, without = "scores", int((np.diff(model.indptr)[tried] == 0).sum())
        scored = bool(np.isin(wanted, model.items).any())
    elif isinstance(model, PartOfFactors):
        what, without = "vector", int((model.rows[tried] < 0).sum())
        scored = bool((model.columns[wanted] >= 0).any())
    else:
        return []
    if without == len(tried):
        raise UserError(f"{name} has no score for any user of the test: do the ids differ?")
    notes = [] if scored else [f"{name} has no {what} for any item of the test: do the ids differ?"]
    if without:
        notes.append(f"{name} has no {what} for {without} users of the test: all items are tied.")
    return notes


def notes_of_answer(
    rows: Iterable[Mapping[str, Any]], test: Ratings, relevant: float | str | None
) -> list[str]:
    """Measures without a value."""
    values: dict[str, list[float]] = {}
    for row in rows:
        values.setdefault(row["measure"], []).append(row["value"])
    empty = [name for name, found in values.items() if np.isnan(found).all()]
    if len(empty) == len(values) and not test.relevant.any():
        asked = "its column `relevant` has no true"
        if isinstance(relevant, float):
            asked = f"relevant is {relevant:g}, the highest rating {test.values.max():g}"
        raise UserError(f"No rating of the test is relevant ({asked}); nothing can be measured.")
    return [f"{name} is defined for no user of the test: it has no value." for name in empty]
