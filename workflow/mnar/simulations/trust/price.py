"""The price of truth: n random ratings a user, and how well they order the systems.

test alone    the mean over the liked ones among them that are not in training
propensities  snips on what users selected, with naive-bayes chances from them
both          the two, weighed by inverse variance: one weight for all systems, so that a bias of
              either does not change their order
own choice    for comparison, the naive mean over what users selected: no random ratings (n = 0)

On complete data the truth is that of all unseen pairs, and n is at most a quarter of the items: more
would test on much of the truth itself. Where there are random ratings only, half of those of each
user are there to be collected, and the other half is the truth for every n.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.data.selection import CompleteMatrix
from mnar.estimators.estimator_names import Estimator
from mnar.estimators.means import weighted_means
from mnar.estimators.selected_ratings import Selected
from mnar.estimators.weights import weights_of
from mnar.matrices.ratings import Ratings
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.order_kernels import kendall_of_columns
from mnar.simulations.trust.orders import regret
from mnar.simulations.trust.scenes import Scene, random_cells
from mnar.statistics.bootstrap import resampled_sums

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


# The largest part of the items that random ratings may be of, where the truth is of all of them.
MOST_TESTED = 0.25


@dataclass(frozen=True, eq=False)
class Collected:
    """Random ratings by their number a user, which liked pairs of the truth they are, and the rest.

    `judging` are the liked pairs that the estimates are held against.
    """

    samples: dict[int, Ratings]
    liked: dict[int, Places]
    judging: Places


def collect_complete(
    complete: CompleteMatrix, scene: Scene, numbers: Sequence[int], seed: int
) -> Collected:
    """n cells of each user at random, seen ones among them; the truth stays whole."""
    numbers = [n for n in numbers if n <= MOST_TESTED * complete.shape[1]]
    good = scene.truth.relevant
    users, items = scene.truth.users[good], scene.truth.items[good]
    cells = {n: random_cells(complete.shape, n, seed, "price") for n in numbers}
    liked = {n: np.flatnonzero(mine[users, items]) for n, mine in cells.items()}
    samples = {n: complete.at(mine) for n, mine in cells.items()}
    return Collected(samples, liked, np.arange(len(users)))


def collect_random(scene: Scene, numbers: Sequence[int], seed: int) -> Collected:
    """The first n of half of each user's random ratings; no n that most users do not have."""
    truth = scene.truth
    keys = generator(seed, "price").random(len(truth.items))
    order = np.lexsort((keys, truth.users))
    counts = np.bincount(truth.users, minlength=truth.n_users)
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    half = counts[truth.users] // 2
    there = [n for n in numbers if n <= np.median(counts[counts > 0] // 2)]
    number = np.cumsum(truth.relevant) - 1
    mine = {n: (position < half) & (position < n) for n in there}
    return Collected(
        {n: truth.select(chosen) for n, chosen in mine.items()},
        {n: number[chosen & truth.relevant] for n, chosen in mine.items()},
        number[(position >= half) & truth.relevant],
    )


@dataclass(eq=False)
class Price:
    """Random ratings collected in a scene, and what systems gain on them."""

    looks: Looks
    collected: Collected
    measures: Sequence[str]
    # Sums of gains by user: of n random ratings, or (None) of the pairs that judge.
    sums: dict[tuple[str, int | None], list[Floats]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scene = self.looks.scene
        good = scene.truth.relevant
        self.users, self.weights = scene.truth.users[good], scene.weights[good]
        self.positions: dict[int | None, Places] = {None: self.collected.judging}
        self.positions |= dict(self.collected.liked.items())
        self.sizes = {n: self._by_user(self.weights, mine) for n, mine in self.positions.items()}

    def _by_user(self, values: Floats, mine: Places) -> Floats:
        n_users = self.looks.scene.truth.n_users
        return np.bincount(self.users[mine], values[mine], n_users).astype(float)

    def add(self, gains: Mapping[str, Floats]) -> None:
        """Gains of one system over all liked unseen pairs, by measure."""
        for measure in self.measures:
            weighed = gains[measure] * self.weights
            for n, mine in self.positions.items():
                self.sums.setdefault((measure, n), []).append(self._by_user(weighed, mine))

    def rows(self, selected: Selected, times: Floats) -> list[dict[str, Any]]:
        """τ and regret of each use of the random ratings."""
        found = []
        truths = {measure: self._values(measure, None, times).values for measure in self.measures}
        # Of whom there are random ratings.
        users = len(np.unique(self.looks.scene.truth.users))

        def add(measure: str, n: int, use: str, values: Floats) -> None:
            tau = float(kendall_of_columns(values, truths[measure])[0])
            row = {"measure": measure, "n": n, "use": use, "users": users, "tau": tau}
            found.append(row | {"regret": regret(values, truths[measure])})

        for measure in self.measures:
            add(measure, 0, "own choice", np.stack(self.looks.gains[measure]).mean(axis=1))
        for n, sample in self.collected.samples.items():
            mine = replace(selected, random=sample)
            weights = weights_of(Estimator("adg", "snips", "naive-bayes"), mine, times)
            for measure in self.measures:
                gains = np.stack(self.looks.gains[measure])
                means = weighted_means(gains, weights, selected.shape[0], times)
                assert means.samples is not None
                weighed = Values(self.looks.of(measure), means.values, means.samples)
                alone = self._values(measure, n, times)
                add(measure, n, "test alone", alone.values)
                add(measure, n, "propensities", weighed.values)
                add(measure, n, "both", _blended(alone, weighed))
        return found

    def _values(self, measure: str, n: int | None, times: Floats) -> Values:
        totals, sizes = np.stack(self.sums[measure, n]), self.sizes[n]
        with np.errstate(invalid="ignore", divide="ignore"):
            samples = resampled_sums(totals, times) / resampled_sums(sizes, times)
        return Values(self.looks.of(measure), totals.sum(axis=1) / sizes.sum(), samples)


def _blended(one: Values, other: Values) -> Floats:
    """Weighed by the inverse of their variances over users, averaged over systems."""
    a, b = (np.nanvar(each.samples, axis=1).mean() for each in (one, other))
    share = b / (a + b) if a + b > 0 else 0.5
    return share * one.values + (1 - share) * other.values
