"""Test means of the methods of both tracks, and of their blend, with bootstrap samples of users.

An array of values is the number itself, then its bootstrap samples, all from the same draws of
users, so that whatever is computed from several of them is paired.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.experiments.kddcup2011 import BLEND, TRACK1, TRACK2, VIEW
from mnar.measures import UserValues
from mnar.reporting.results import Results
from mnar.reporting.sweeps import sweep
from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.user_values import resampled
from mnar.tuning.fold_bootstrap import among, number_of_users
from mnar.tuning.scores import PerUser

Values = NDArray[np.float64]
MEASURE = {TRACK1: "rmse", TRACK2: "track2_error"}


class Means:
    """Test means of the chosen settings of both tracks."""

    def __init__(self, results: Results):
        self.results = results
        self._parts = {
            (study, method): self._test_users(study, method)
            for study in MEASURE
            for method in [*results.methods(study), BLEND]
        }

    def _test_users(self, study: str, method: str) -> dict[int, PerUser]:
        key = (self.results.config["studies"][study]["candidates"][0], "test")
        users = self.results.users(study, method)
        return {where[0]: part for where, part in users.items() if where[1:] == key}

    def methods(self, study: str) -> list[str]:
        return [method for name, method in self._parts if name == study]

    def measured(self, study: str, method: str) -> list[str]:
        return next(iter(self._parts[study, method].values())).measures

    def folds(
        self, study: str, method: str, measure: str, points: Mapping[int, int] | None = None
    ) -> list[UserValues]:
        """Of the chosen points, or of those named for each fold."""
        parts = self._parts[study, method]
        taken = points or dict.fromkeys(parts)
        return [among(parts[n], measure, self.users, point) for n, point in taken.items()]

    def average(self, study: str) -> Any:
        return self.results.config["studies"][study]["average"]

    def of(
        self, study: str, method: str, measure: str = "", points: Mapping[int, int] | None = None
    ) -> Values:
        folds = self.folds(study, method, measure or MEASURE[study], points)
        itself = np.mean([values.mean(self.average(study)) for values in folds])
        return np.append(itself, resampled(folds, self.average(study), self._samples))

    def along(self, study: str, method: str, parameter: str) -> dict[float, Values]:
        """By value of a swept parameter, other settings tuned for each; values that all folds tried."""
        points = sweep(self.results, study, method, parameter).drop_duplicates(["fold", parameter])
        folds = points["fold"].nunique()
        return {
            float(value): self.of(
                study, method, "", dict(zip(mine["fold"], mine["point"], strict=True))
            )
            for value, mine in points.groupby(parameter)
            if len(mine) == folds
        }

    def best(self, study: str, among_methods: tuple[str, ...] | None = None) -> str:
        """The method with the lowest error on validation."""
        found = self.results.chosen(study, "validation")
        found = found[found["measure"] == MEASURE[study]]
        if among_methods:
            found = found[found["method"].isin(among_methods)]
        return str(found.groupby("method", sort=False)["value"].mean().idxmin())

    @cached_property
    def users(self) -> int:
        return number_of_users([p for parts in self._parts.values() for p in parts.values()])

    @cached_property
    def _samples(self) -> Values:
        return user_samples(self.users, SAMPLES, self.results.dataset, VIEW)


def row(fact: str, values: Values, **where: Any) -> dict[str, Any]:
    low, high = interval(values[1:])
    return {"fact": fact, **where, "mean": float(values[0]), "low": low, "high": high}


def change(after: Values, before: Values) -> Values:
    """In per cent of what was before."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return 100 * (after / before - 1)
