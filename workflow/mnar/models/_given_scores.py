"""Scores made elsewhere, read from a file: nothing is trained (docs/scores.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mnar.core.declared import Setting, Switch
from mnar.core.errors import UserError
from mnar.core.palette import OTHERS
from mnar.exchange.score_files import PartOfFactors, read_scores
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings
from mnar.models._about import About


@dataclass(frozen=True)
class File(Setting):
    """The path of a file."""

    @property
    def expected(self) -> str:
        return "a path"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and bool(value)


def predicts(settings: Mapping[str, Any]) -> bool:
    return bool(settings["predicts_ratings"])


ABOUT = About(
    label="given scores",
    description="Scores that were made elsewhere and read from a file.",
    colour=OTHERS[0],
    marker="P",
    settings=(
        File("file", "the file of the scores; {fold} stands for the number of the fold"),
        Switch("predicts_ratings", "whether scores are on the scale of the ratings", default=False),
    ),
    predicts_ratings_at=predicts,
)


def fit(train: Ratings, settings: dict, seed: int, threads: int) -> Model:
    if train.ids is None:
        raise UserError("Given scores fit the folds of a study only, whose ids they name.")
    file = settings["file"]
    model = read_scores(file, train.ids)
    if train.ids.rows is not None:
        model = _rows(model, train.ids.rows)
    _tell(file, model, train)
    return model


def fold_in(model: Model, ratings: Ratings, settings: dict, threads: int) -> Model:
    """The file has the scores of new users, too."""
    return fit(ratings, settings, 0, threads)


def _rows(model: Model, users: np.ndarray) -> Model:
    if isinstance(model, FactorModel):
        vectors, bias = model.user_vectors[users], model.user_bias[users]
        return FactorModel(vectors, model.item_vectors, model.item_bias, bias, model.offset)
    assert isinstance(model, ListedScores | PartOfFactors)
    return model.of_users(users)


def _tell(file: str, model: Model, train: Ratings) -> None:
    """What the log says of a file: how much it has, and what has no effect."""
    if isinstance(model, FactorModel):
        print(f"{file}: vectors of all {model.n_users} users and {model.n_items} items.")
        return
    if isinstance(model, PartOfFactors):
        users, items = (model.rows < 0).sum(), (model.columns < 0).sum()
        print(f"{file}: {users} users and {items} items have no vector; they stand below, tied.")
        return
    assert isinstance(model, ListedScores)
    without = int((np.diff(model.indptr) == 0).sum())
    learned = int((~np.isnan(model.predict(train.users, train.items))).sum())
    print(
        f"{file}: {len(model.items)} scores; {without} of {model.n_users} users have none, all their "
        f"items are tied. {learned} are of training items: ignored where unseen items are ranked."
    )
