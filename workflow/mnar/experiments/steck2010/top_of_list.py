"""TOPK, exact or against a sample of the candidates, from the ranks of the held-out items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from mnar.analyses.ranks import HeldOutRanks
from mnar.core.seeds import generator
from mnar.experiments.steck2010 import STUDY
from mnar.measures import pair_values
from mnar.reporting.results import Results
from mnar.statistics.bootstrap import interval, resampled_sums, user_samples
from mnar.statistics.comparison import mean_and_error

# The columns of Table 3, as shares of the catalogue, and the paper's sample sizes.
TOPS = (0.0, 0.002, 0.02)
SAMPLE_ATOP, SAMPLE_TOPK = 101, 1001
# Enough for intervals of many curves at once.
BOOTSTRAP = 500
# Samples really drawn, and for how many pairs at most.
DRAWS, DRAWN_PAIRS = 250, 300

Values = NDArray[np.float64]


@cache
def top_of_list(results: Results) -> "TopOfList":
    """One for all tables and figures: the ranks are read once."""
    return TopOfList(results)


class TopOfList:
    """Values of measures from the ranks that were kept, by seed."""

    def __init__(self, results: Results):
        self.results = results
        self.ranks = HeldOutRanks(results.file("analyses", STUDY, results.dataset, "ranks.npz"))
        self.view = results.config["studies"][STUDY]["view"]

    def items(self, catalogue: str) -> int:
        """Items in a catalogue."""
        return self.ranks.items(catalogue)

    def by_fold(
        self,
        method: str,
        measure: str,
        catalogue: str | None = None,
        candidates: str = "all",
        name: str = "test",
    ) -> Values:
        """Mean over pairs of a measure, for each seed."""
        found = []
        for fold in self.ranks.folds:
            where = (catalogue or self.view, fold, method, measure, candidates, name)
            found.append(self.ranks.values(*where)[1].mean())
        return np.array(found)

    def difference(self, first: str, second: str, measure: str) -> tuple[float, float]:
        """95 % interval of first − second on test, over users."""
        low, high = self.differences(first, second, [measure])
        return float(low[0]), float(high[0])

    def differences(
        self, first: str, second: str, measures: Sequence[str]
    ) -> tuple[Values, Values]:
        """Lower and upper ends of the 95 % intervals of first − second for several measures."""
        means = []
        if not all(self.ranks.has(self.view, method) for method in (first, second)):
            return np.full(len(measures), np.nan), np.full(len(measures), np.nan)
        for fold in self.ranks.folds:
            sides = [self.ranks.counts(self.view, fold, method) for method in (first, second)]
            users = sides[0].user
            pairs = np.bincount(users, minlength=self.ranks.n_users).astype(np.float64)
            gaps = np.stack(
                [
                    np.bincount(
                        users,
                        pair_values(sides[0], measure) - pair_values(sides[1], measure),
                        self.ranks.n_users,
                    )
                    for measure in measures
                ]
            )
            means.append(resampled_sums(gaps, self._times) / resampled_sums(pairs, self._times))
        samples = np.mean(means, axis=0)
        ends = np.array([interval(row) for row in samples])
        return ends[:, 0], ends[:, 1]

    @cached_property
    def _times(self) -> Values:
        users = self.ranks.n_users
        return user_samples(users, BOOTSTRAP, self.results.dataset, "ranks")


@dataclass(frozen=True)
class Drawn:
    """Mean of samples really drawn, its standard error, and the exact expectation for the pairs."""

    mean: float
    sem: float
    expected: float


def simulated(tops: TopOfList, method: str, sample: int) -> dict[str, Drawn]:
    """Rank each held-out item of the first seed among others drawn at random, many times over.

    Of the drawn, those above the item are hypergeometric, so the ranks are drawn without drawing
    items. By measure: sampled ATOP, and sampled TOPK at the columns of Table 3.
    """
    random = generator(tops.results.dataset, method, "sampled", sample)
    if not tops.ranks.has(tops.view, method):
        names = [sampled(share, sample) for share in (None, *TOPS)]
        return dict.fromkeys(names, Drawn(np.nan, np.nan, np.nan))
    counts = tops.ranks.counts(tops.view, tops.ranks.folds[0], method)
    some = np.sort(random.permutation(len(counts.user))[:DRAWN_PAIRS])
    fields = ("user", "above", "tied", "n_candidates")
    counts = replace(counts, **{name: getattr(counts, name)[some] for name in fields})
    others = counts.n_candidates.astype(np.int64) - 1
    drawn = np.minimum(sample - 1, others)
    ranks = np.empty((DRAWS, len(some)), np.int64)
    for rank in ranks:
        position = counts.above + random.integers(counts.tied)
        rank[:] = random.hypergeometric(position, others - position, drawn)
    means = {sampled(None, sample): (1 - ranks / drawn).mean(axis=1)}
    for share in TOPS:
        means[sampled(share, sample)] = (ranks <= np.floor(share * drawn + 1e-9)).mean(axis=1)
    return {
        name: Drawn(*mean_and_error(values), float(pair_values(counts, name).mean()))
        for name, values in means.items()
    }


def sampled(share: float | None, sample: int) -> str:
    """The name of ATOP (no share) or TOPK against a sample."""
    return f"sampled_atop({sample})" if share is None else f"sampled_topk({share:g},{sample})"
