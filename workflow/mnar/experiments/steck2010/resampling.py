"""Values of models over the seeds, and how sure they are: users resampled, all their pairs with them."""

from collections.abc import Mapping
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from mnar.measures import Average
from mnar.reporting.results import Results
from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.user_values import resampled
from mnar.tuning.fold_bootstrap import among, number_of_users
from mnar.tuning.scores import PerUser

Samples = NDArray[np.float64]


@cache
def resampling_of(results: Results, study: str) -> "Resampling":
    """One for all tables of a study: the samples are drawn once."""
    return Resampling(results, study)


class Resampling:
    """Means of a study in the same bootstrap samples of users, so that differences are paired."""

    def __init__(self, results: Results, study: str, alike: tuple[str, ...] = ()):
        self.results = results
        self.study = study
        # Studies that name the same ones here have the same samples, so they are paired, too.
        self.alike = alike or (study,)
        self.average: Average = results.config["studies"][study]["average"]
        self.candidates = results.config["studies"][study]["candidates"][0]
        self._kept: dict[str, dict[tuple[int, str, str], PerUser]] = {}
        self._means: dict[tuple, Samples] = {}
        self._chosen: dict[str, dict[int, int]] = {}

    def means(
        self,
        method: str,
        measure: str,
        name: str = "test",
        points: Mapping[int, int] | None = None,
    ) -> Samples:
        """Mean over folds in each sample, of the chosen points or of one named for each fold."""
        points = points or self.chosen_points(method)
        key = (method, measure, name, tuple(points.items()))
        if key not in self._means:
            kept = self._users_of(method)
            folds = [
                among(kept[fold, self.candidates, name], measure, self._n_users, point)
                for fold, point in points.items()
            ]
            self._means[key] = resampled(folds, self.average, self._samples)
        return self._means[key]

    def difference(
        self, first: str, second: str, measure: str, name: str = "test"
    ) -> tuple[float, float]:
        """95 % interval of first − second."""
        return interval(self.means(first, measure, name) - self.means(second, measure, name))

    def values(
        self, by_fold: Mapping[int, tuple[str, int]], measure: str, name: str = "test"
    ) -> Samples:
        """The mean over folds itself, then in each sample; fold -> method and point."""
        folds = [
            among(
                self._users_of(method)[fold, self.candidates, name], measure, self._n_users, point
            )
            for fold, (method, point) in by_fold.items()
        ]
        itself = np.mean([values.mean(self.average) for values in folds])
        return np.append(itself, resampled(folds, self.average, self._samples))

    def chosen_points(self, method: str) -> dict[int, int]:
        if method not in self._chosen:
            chosen = self.results.chosen(self.study)
            mine = chosen[chosen["method"] == method].drop_duplicates("fold")
            self._chosen[method] = dict(zip(mine["fold"], mine["point"], strict=True))
        return self._chosen[method]

    def _users_of(self, method: str) -> dict[tuple[int, str, str], PerUser]:
        if method not in self._kept:
            self._kept[method] = self.results.users(self.study, method)
        return self._kept[method]

    @cached_property
    def _n_users(self) -> int:
        return max(self._users_in(study) for study in self.alike)

    def _users_in(self, study: str) -> int:
        kept = [
            self._users_of(method) if study == self.study else self.results.users(study, method)
            for method in self.results.methods(study)
        ]
        return max(number_of_users(list(users.values())) for users in kept)

    @cached_property
    def _samples(self) -> NDArray:
        return user_samples(self._n_users, SAMPLES, self.results.dataset, self.alike[0])
