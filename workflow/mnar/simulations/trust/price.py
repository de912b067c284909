"""The price of truth: n random ratings a user, and how well they order the systems.

test alone    the mean over the liked ones among them that are not in training
propensities  snips on what users selected, with naive-bayes chances from them
both          the two, weighed by inverse variance: one weight for all systems, so that a bias of
              either does not change their order
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.data.selection import CompleteMatrix
from mnar.estimators.means import weighted_means
from mnar.estimators.names import Estimator
from mnar.estimators.selected import Selected
from mnar.estimators.weights import weights_of
from mnar.simulations.trust.kernels import kendall_of_columns
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.orders import regret
from mnar.simulations.trust.scenes import random_cells
from mnar.statistics.bootstrap import resampled_sums

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Price:
    """Random ratings collected in a scene of complete data, and what systems gain on them."""

    complete: CompleteMatrix
    looks: Looks
    measures: Sequence[str]
    numbers: Sequence[int]
    seed: int
    sums: dict[tuple[str, int], list[Floats]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        truth = self.looks.scene.truth
        liked = truth.relevant
        users, items = truth.users[liked], truth.items[liked]
        shape = self.complete.shape
        self.cells = {n: random_cells(shape, n, self.seed, "price") for n in self.numbers}
        # Of the liked unseen pairs, those among the random ratings.
        self.mine = {n: np.flatnonzero(cells[users, items]) for n, cells in self.cells.items()}
        self.users = users
        self.sizes = {
            n: np.bincount(users[mine], minlength=shape[0]) for n, mine in self.mine.items()
        }

    def add(self, gains: dict[str, Floats]) -> None:
        """Gains of one system over all liked unseen pairs, by measure."""
        n_users = self.complete.shape[0]
        for measure in self.measures:
            for n, mine in self.mine.items():
                sums = np.bincount(self.users[mine], gains[measure][mine], n_users)
                self.sums.setdefault((measure, n), []).append(sums.astype(float))

    def rows(self, selected: Selected, times: Floats) -> list[dict[str, Any]]:
        """τ and regret of each use of the random ratings."""
        found = []
        for n in self.numbers:
            mine = replace(selected, random=self.complete.at(self.cells[n]))
            weights = weights_of(Estimator("adg", "snips", "naive-bayes"), mine, times)
            for measure in self.measures:
                truth = self.looks.truth(measure, times)
                gains = np.stack(self.looks.gains[measure])
                means = weighted_means(gains, weights, selected.shape[0], times)
                assert means.samples is not None
                weighed = Values(truth.systems, means.values, means.samples)
                alone = self._alone(measure, n, times)
                both = _blended(alone, weighed)
                uses = {"test alone": alone.values, "propensities": weighed.values, "both": both}
                for use, values in uses.items():
                    tau = float(kendall_of_columns(values, truth.values)[0])
                    row = {"measure": measure, "n": n, "use": use, "tau": tau}
                    found.append(row | {"regret": regret(values, truth.values)})
        return found

    def _alone(self, measure: str, n: int, times: Floats) -> Values:
        totals, sizes = np.stack(self.sums[measure, n]), self.sizes[n]
        with np.errstate(invalid="ignore", divide="ignore"):
            samples = resampled_sums(totals, times) / resampled_sums(sizes, times)
        return Values(self.looks.of(measure), totals.sum(axis=1) / sizes.sum(), samples)


def _blended(one: Values, other: Values) -> Floats:
    """Weighed by the inverse of their variances over users, averaged over systems."""
    a, b = (np.nanvar(each.samples, axis=1).mean() for each in (one, other))
    share = b / (a + b) if a + b > 0 else 0.5
    return share * one.values + (1 - share) * other.values
