"""Kept of every system of a scene: gains of held-out pairs, and sums of the truth by user."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.estimators import doubly_robust
from mnar.estimators.estimator_names import ERRORS, NORMALISED, Estimator, kind_of
from mnar.estimators.gains import errors, finished, gains_of, ranking_gains, wins
from mnar.estimators.selected_ratings import Pairs, compared
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import Model, score_pairs
from mnar.measures.ranking import RankCounts, rank_counts
from mnar.simulations.trust.scenes import Scene
from mnar.simulations.trust.systems import System
from mnar.statistics.bootstrap import resampled_sums

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values:
    """A measure of some systems: of the data, and of each bootstrap sample (systems × samples)."""

    systems: NDArray[np.int64]
    values: Floats
    samples: Floats


@dataclass(eq=False)
class Looks:
    """Looks at one system after another, and keeps what estimates and truths are made of."""

    scene: Scene
    estimators: Sequence[Estimator]
    # The number of uniform draws that show the attainable τ; none where data are not complete.
    draws: int
    seed: int
    names: list[str] = field(default_factory=list)
    rates: list[bool] = field(default_factory=list)
    gains: dict[str, list[Floats]] = field(default_factory=dict)
    imputed: dict[str, list[Floats]] = field(default_factory=dict)
    truths: dict[str, list[Floats]] = field(default_factory=dict)
    sizes: dict[str, Floats] = field(default_factory=dict)
    uniform: dict[str, list[Floats]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        truth, held_out = self.scene.truth, self.scene.selected.held_out
        self.measures = list(dict.fromkeys(one.measure for one in self.estimators))
        self.liked = np.flatnonzero(truth.relevant)
        self.liked_part = truth.select(truth.relevant)
        self.compared = None if self.scene.complete else compared(truth)
        self.drawn: list[NDArray[np.int64]] = []
        self.drawn_liked: list[NDArray[np.int64]] = []
        self.drawn_pairs: list[Pairs] = []
        if self.scene.complete:
            random = generator(self.seed, "attainable")
            others = np.flatnonzero(~truth.relevant)
            good = int(held_out.relevant.sum())
            bad = len(held_out.relevant) - good
            for _ in range(self.draws):
                positions = random.choice(
                    len(self.liked), min(good, len(self.liked)), replace=False
                )
                second = random.choice(others, min(bad, len(others)), replace=False)
                mine = np.sort(np.concatenate([self.liked[positions], second]))
                chosen = np.zeros(len(truth.items), np.bool_)
                chosen[mine] = True
                pairs = compared(truth.select(chosen))
                assert pairs.second is not None
                self.drawn_liked.append(positions)
                self.drawn_pairs.append(Pairs(pairs.users, mine[pairs.first], mine[pairs.second]))
                # Errors are a mean over all unseen pairs, liked or not.
                self.drawn.append(random.choice(len(truth.items), good + bad, replace=False))

    def add(self, system: System, model: Model) -> dict[str, Floats]:
        """Everything that is asked of one system; returns the gains of all relevant unseen pairs."""
        mine = [one for one in self.estimators if system.rates or one.kind not in ERRORS]
        keys = list(dict.fromkeys(one.gain for one in mine))
        selected = self.scene.selected
        for key, gains in gains_of(model, selected, keys).items():
            self.gains.setdefault(key, []).append(gains)
        robust = list(dict.fromkeys(one.measure for one in mine if one.weighting == "dr"))
        if robust:
            assert isinstance(model, FactorModel)
            for measure, totals in doubly_robust.imputed_totals(model, selected, robust).items():
                self.imputed.setdefault(measure, []).append(totals)
        self.names.append(system.name)
        self.rates.append(system.rates)
        return self._add_truth(model, list(dict.fromkeys(one.measure for one in mine)))

    def _add_truth(self, model: Model, measures: list[str]) -> dict[str, Floats]:
        found = {}
        truth, weights = self.scene.truth, self.scene.weights
        counts = rank_counts(model, self.liked_part, seen=self.scene.selected.train)
        predicted = None
        for measure in measures:
            kind = kind_of(measure)
            if kind in ERRORS:
                if predicted is None:
                    assert isinstance(model, FactorModel)
                    cells = doubly_robust.predict_all(model, 0, truth.n_users)
                    predicted = cells[truth.users, truth.items]
                gains = errors(measure, predicted, truth.values)
                users, sizes = truth.users, weights
                self._keep_uniform(measure, [gains[drawn].mean() for drawn in self.drawn])
            elif kind == "auc":
                users, gains, sizes = self._area(model, counts)
            else:
                gains, users, sizes = (
                    ranking_gains(counts, measure),
                    counts.user,
                    weights[self.liked],
                )
                if kind in NORMALISED:
                    # A mean over users: each pair counts as one part of its user.
                    sizes = 1 / counts.pairs[counts.user]
                else:
                    found[measure] = gains
                    self._keep_uniform(measure, [gains[mine].mean() for mine in self.drawn_liked])
            summed = np.bincount(users, gains * sizes, truth.n_users).astype(float)
            self.truths.setdefault(measure, []).append(summed)
            if measure not in self.sizes:
                self.sizes[measure] = np.bincount(users, sizes, truth.n_users).astype(float)
        return found

    def _area(self, model: Model, counts: RankCounts) -> tuple[NDArray, Floats, Floats]:
        """Users, shares of irrelevant pairs that stand below, and how many pairs that are."""
        truth, weights = self.scene.truth, self.scene.weights
        if self.compared is not None:
            pairs = self.compared
            assert pairs.second is not None
            scores = score_pairs(model, truth.users, truth.items)
            both = weights[pairs.first] * weights[pairs.second]
            return pairs.users, wins(scores[pairs.first], scores[pairs.second]), both
        if self.drawn:
            scores = score_pairs(model, truth.users, truth.items)
            won = [wins(scores[p.first], scores[p.second]).mean() for p in self.drawn_pairs]
            self._keep_uniform("auc", won)
        others = (counts.n_candidates - counts.n_relevant).astype(np.float64)
        above = counts.above - counts.relevant_above
        tied = counts.tied - counts.relevant_tied
        below = others - above - 0.5 * tied
        return (
            counts.user,
            np.divide(below, others, out=np.zeros_like(below), where=others > 0),
            others,
        )

    def _keep_uniform(self, measure: str, means: list[float]) -> None:
        self.uniform.setdefault(measure, []).append(finished(measure, np.array(means, float)))

    def of(self, measure: str) -> NDArray[np.int64]:
        """Numbers of the systems that have this measure."""
        every = np.arange(len(self.names))
        return every[np.array(self.rates)] if kind_of(measure) in ERRORS else every

    def truth(self, measure: str, times: Floats, users: NDArray | None = None) -> Values:
        """The truth of each system, of all users or of some, with bootstrap samples."""
        totals, sizes = np.stack(self.truths[measure]), self.sizes[measure]
        if users is not None:
            totals, sizes = totals * users, sizes * users
        values = totals.sum(axis=1) / sizes.sum()
        with np.errstate(invalid="ignore", divide="ignore"):
            samples = resampled_sums(totals, times) / resampled_sums(sizes, times)
        return Values(self.of(measure), finished(measure, values), finished(measure, samples))
