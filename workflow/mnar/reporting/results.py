"""The source of an experiment's tables and figures: the scores of its runs on one dataset."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mnar.core.files import read_csv
from mnar.matrices.view import View
from mnar.reporting.published_numbers import read_published
from mnar.tuning import choice
from mnar.tuning.scores import PerUser, read_user_values


class Results:
    """Scores, per-user values and views by study, read when asked for."""

    def __init__(self, dataset: str, files: list[str], config: dict[str, Any]):
        self.dataset = dataset
        self.config = config
        self._files = [Path(file) for file in files]
        # Files read and settings chosen before: many tables ask for the same.
        self._scores: dict[str, pd.DataFrame] = {}
        self._chosen: dict[tuple[str, str, str], pd.DataFrame] = {}

    def file(self, *parts: str) -> Path:
        """The input whose path ends with these parts."""
        for file in self._files:
            if file.parts[-len(parts) :] == parts:
                return file
        raise FileNotFoundError("/".join(parts))

    def files_in(self, *parts: str) -> list[Path]:
        """The inputs whose folder ends with these parts."""
        return [file for file in self._files if file.parts[-len(parts) - 1 : -1] == parts]

    def has_file(self, *parts: str) -> bool:
        return any(file.parts[-len(parts) :] == parts for file in self._files)

    def files_of(self, study: str, method: str, ending: str) -> list[Path]:
        """The score files of a method, or of an analysis that is scored like one."""
        where = ("scores", study, self.dataset, method)
        analysis = ("analyses", study, self.dataset, f"{method}{ending}")
        return [
            file
            for file in self._files
            if (file.parts[-5:-1] == where and file.suffix == ending) or file.parts[-4:] == analysis
        ]

    def methods(self, study: str) -> list[str]:
        """The methods of a study that were run, in the order of the config."""
        return [
            m for m in self.config["studies"][study]["methods"] if self.files_of(study, m, ".csv")
        ]

    def scores(self, study: str) -> pd.DataFrame:
        """One row a method, fold, point, candidates, set and measure (see mnar.tuning.scores)."""
        if study not in self._scores:
            parts = []
            for method in self.methods(study):
                scores = read_scores(self.files_of(study, method, ".csv"))
                scores.insert(0, "method", method)
                parts.append(scores)
            self._scores[study] = pd.concat(parts, ignore_index=True)
        return self._scores[study]

    def chosen(self, study: str, name: str = "test", candidates: str | None = None) -> pd.DataFrame:
        """Scores of the setting chosen in each fold: method, fold, measure, value (study's average)."""
        entry = self.config["studies"][study]
        candidates = candidates or entry["candidates"][0]
        key = (study, name, candidates)
        if key not in self._chosen:
            scores = self.scores(study)
            rows = scores[
                (scores["chosen"] == 1)
                & (scores["set"] == name)
                & (scores["candidates"] == candidates)
            ]
            self._chosen[key] = rows.assign(value=rows[f"{entry['average']}_mean"])
        return self._chosen[key]

    def select_by(self, study: str, method: str) -> str:
        """The measure, or the rule, that a method's settings are chosen by in a study."""
        entry = self.config["studies"][study]
        return entry.get("select_by", self.config["methods"][method].get("select_by"))

    def measure_of_choice(self, study: str, method: str) -> str:
        """The measure that shows how good a choice is; the last of those that a rule looks at."""
        return choice.needed(self.select_by(study, method))[-1]

    def users(self, study: str, method: str) -> dict[tuple[int, str, str], PerUser]:
        return read_user_values(self.files_of(study, method, ".npz"))

    def view(self, name: str) -> View:
        return View.load(self.file("views", self.dataset, f"{name}.npz"))

    def table(self, experiment: str, name: str) -> pd.DataFrame:
        """The tidy form of a table that has been made before."""
        return pd.read_csv(self.file(experiment, self.dataset, f"{name}.csv"))

    def published(self, name: str) -> pd.DataFrame:
        """The paper's numbers on this dataset (no rows if it has none)."""
        experiment, _, table = name.partition("_")
        published = read_published(experiment, table)
        return published[published["dataset"] == self.dataset].reset_index(drop=True)


def fold_values(chosen: pd.DataFrame, method: str, measure: str) -> np.ndarray:
    """The values of a method's chosen settings, by fold."""
    # As plain arrays: a table is made of some hundred such picks.
    rows = (chosen["method"].to_numpy() == method) & (chosen["measure"].to_numpy() == measure)
    folds, values = chosen["fold"].to_numpy()[rows], chosen["value"].to_numpy()[rows]
    return values[np.argsort(folds)]


def read_scores(paths: Sequence[str | Path]) -> pd.DataFrame:
    """The rows of all batches of a run, with the settings as extra columns."""
    scores = pd.concat([read_csv(path, keep_default_na=False) for path in paths])
    settings = pd.DataFrame([json.loads(text) for text in scores["settings"]], index=scores.index)
    scores = pd.concat([scores, settings.add_prefix("setting.")], axis=1)
    return scores.astype({"user_mean": float, "pair_mean": float}).reset_index(drop=True)
