"""The estimators that a study asks for, of its chosen models: values, and what two methods differ by.

A row without `other` is the value of a method: its 95 % interval by bootstrap over users, with
propensities estimated again in each sample, and the effective sample size of the weights. A row with
`other` is method − other, and the Γ from which on their order may turn (mnar.estimators.sensitivity).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mnar.estimators import Comparison, compare_models
from mnar.estimators.centred import centred
from mnar.estimators.of_fold import CHOSEN, selected_of
from mnar.tuning.chosen_study import Analysed, ChosenStudy

COLUMNS = (
    "fold", "set", "estimator", "method", "other", "value", "low", "high", "effective", "flagged",
    "gamma",
)  # fmt: skip


def methods(modules: Mapping[str, str]) -> list[str]:
    return list(modules)


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
    """Every fold's last set that users chose: test, or validation where there is no test."""
    rows: list[tuple[Any, ...]] = []
    names = study.settings.get("estimators", [])
    [*_, scored] = [name for name in CHOSEN if name in study.settings["sets"]]
    for number in range(study.folds):
        fold, seed = study.fold(number), study.fold_seed(number)
        selected = selected_of(study.view, study.split(number), fold, scored)
        trained = [
            chosen[number].trained_for(fold, seed, study.threads)
            for chosen in study.methods.values()
        ]
        for found in compare_models(trained, selected, names, seed=seed, threads=study.threads):
            about = (number, scored, found.name)
            rows += _rows(about, list(study.methods), centred(found))
            # Nothing can be said of a model that has diverged.
            rows += [
                (*about, name, "", *[np.nan] * 3, *_end(found), np.nan) for name in study.diverged
            ]
    return Analysed(COLUMNS, rows)


def _rows(about: tuple[Any, ...], methods: list[str], found: Comparison) -> list[tuple[Any, ...]]:
    end = _end(found)
    low, high = found.means.interval()
    rows: list[tuple[Any, ...]] = [
        (*about, method, "", found.means.values[i], low[i], high[i], *end, np.nan)
        for i, method in enumerate(methods)
    ]
    position = 0
    for i, method in enumerate(methods):
        for j in range(i):
            ends = found.difference(i, j)
            rows.append((*about, method, methods[j], *ends, *end, found.gammas[position]))
            position += 1
    return rows


def _end(found: Comparison) -> tuple[float, int]:
    """The effective sample size, and whether it is too small."""
    return found.means.effective, int(found.flagged)
