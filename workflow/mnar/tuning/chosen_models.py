"""Models at the settings that a study has chosen: trained again, and kept where they are asked for."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar import models
from mnar.core.errors import UserError
from mnar.core.files import read_arrays, read_csv, write_arrays
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.splits.fold import Fold
from mnar.tuning.search import in_fold, settings_at


def chosen_settings(paths: Sequence[str | Path]) -> dict[int, dict[str, Any]]:
    """The setting that a run chose in each fold."""
    found = {}
    for path in paths:
        scores = read_csv(path)
        chosen = scores[scores["chosen"] == 1]
        for fold, settings in zip(chosen["fold"], chosen["settings"], strict=True):
            found[int(fold)] = json.loads(settings)
    return found


@dataclass(frozen=True)
class Choice:
    """A method with everything that is needed to train it again."""

    module: str
    settings: dict[str, Any]

    def train(self, ratings: Ratings, seed: int, threads: int) -> FactorModel:
        points = [self.settings]
        return next(iter(models.fit_grid(self.module, ratings, points, seed, threads)))

    def trained_for(self, fold: Fold, seed: int, threads: int) -> FactorModel:
        """Trained on a fold; users that are evaluated apart from training are folded in."""
        model = self.train(fold.train, seed, threads)
        if fold.fold_in is None:
            return model
        return models.load(self.module).fold_in(model, fold.fold_in, self.settings, threads)


def choices(method: dict[str, Any], paths: Sequence[str | Path]) -> dict[int, Choice]:
    """By fold: the method as the config describes it, at the setting that its run chose."""
    return {
        fold: Choice(method["module"], in_fold(settings_at(method, chosen), fold))
        for fold, chosen in chosen_settings(paths).items()
    }


def diverged(paths: Sequence[str | Path]) -> list[int]:
    """The folds in which the model of a run has diverged at the setting that was chosen."""
    scores = pd.concat([read_csv(path) for path in paths])
    rows = scores[(scores["chosen"] == 1) & (scores["fault"] == models.DIVERGED)]
    return sorted({int(fold) for fold in rows["fold"]})


@dataclass(frozen=True)
class StoredModel:
    """A trained model with the ids of its rows and columns: enough to fold new users or items in."""

    model: FactorModel
    choice: Choice
    user_ids: NDArray
    item_ids: NDArray
    # Ratings from here on are relevant.
    relevant_from: float

    def save(self, path: str | Path) -> None:
        if not isinstance(self.model, FactorModel):
            raise UserError(
                f"Method {self.choice.module} gives no factor model, and only factor models are kept; "
                "ask for the model of another method."
            )
        facts = {**asdict(self.choice), "relevant_from": self.relevant_from}
        arrays = {f"model.{name}": array for name, array in asdict(self.model).items()}
        arrays |= {"user_ids": self.user_ids, "item_ids": self.item_ids}
        write_arrays(path, {**arrays, "facts": np.array(json.dumps(facts, sort_keys=True))})

    @classmethod
    def load(cls, path: str | Path) -> "StoredModel":
        arrays = read_arrays(path)
        if "facts" not in arrays or "model.offset" not in arrays:
            raise UserError(
                f"{path} is no stored model; give a file of results/models, made by "
                "`snakemake results/models/<study>/<dataset>/<method>/<fold>.npz`."
            )
        facts = json.loads(str(arrays["facts"]))
        parts = {
            name.removeprefix("model."): array
            for name, array in arrays.items()
            if name.startswith("model.")
        }
        offset = float(parts.pop("offset"))
        model = FactorModel(**parts, offset=offset)
        choice = Choice(facts["module"], facts["settings"])
        ids = (arrays["user_ids"], arrays["item_ids"])
        return cls(model, choice, *ids, facts["relevant_from"])
