"""Differences that the text of lim2015 speaks of, each with its interval over users."""

from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.experiments.lim2015 import MEASURES, PAIR, STUDY
from mnar.reporting.difference_table import shown_differences
from mnar.reporting.edges import edge_notes, marked_methods
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table
from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.correlation import spearman
from mnar.statistics.user_values import resampled
from mnar.tuning.fold_bootstrap import among, number_of_users
from mnar.tuning.scores import PerUser

Values = NDArray[np.float64]
SVD, ALLRANK = "svd", "allrank-regression"
# Where the list ends, for the gain that fades along it.
FIRST_DEPTH = 5
MORE, LESS = ("map", "recall@10"), ("ndcg", "adg")


class Means:
    """Test means of each method: first as they are, then in every bootstrap sample of users."""

    def __init__(self, results: Results):
        self.results = results
        self.kinds = results.config["studies"][STUDY]["candidates"]
        self._parts = {
            m: results.users(STUDY, m) for m in (*PAIR, SVD, ALLRANK) if self._was_run(m)
        }

    def _was_run(self, method: str) -> bool:
        return method in self.results.methods(STUDY)

    @property
    def methods(self) -> list[str]:
        return list(self._parts)

    def of(self, method: str, measure: str, candidates: str | None = None) -> Values:
        wanted = (candidates or self.kinds[0], "test")
        parts = [part for key, part in self._parts[method].items() if key[1:] == wanted]
        folds = [among(part, measure, self._users) for part in parts]
        point = np.mean([values.mean("user") for values in folds])
        return np.append(point, resampled(folds, "user", self._samples))

    @cached_property
    def depths(self) -> list[int]:
        """The k of recall@k that were kept."""
        names = self._first.measures
        return sorted(
            int(name[7:]) for name in names if name[:7] == "recall@" and name[7:].isdigit()
        )

    @property
    def _first(self) -> PerUser:
        key = (self.kinds[0], "test")
        return next(part for where, part in self._parts[PAIR[0]].items() if where[1:] == key)

    @cached_property
    def _users(self) -> int:
        return number_of_users([part for parts in self._parts.values() for part in parts.values()])

    @cached_property
    def _samples(self) -> Values:
        return user_samples(self._users, SAMPLES, self.results.dataset, "table1")


def differences(results: Results) -> Table:
    """The comparisons of the text beyond those in Table 1."""
    means = Means(results)
    rows = [
        row
        for part in (_areas, _ratios, _gains, _fading, _over_allrank, _all_candidates)
        for row in part(means)
    ]
    tidy = pd.DataFrame(rows)
    tidy.insert(0, "dataset", results.dataset)
    tidy = tidy.assign(sem=np.nan, n=len(set(results.scores(STUDY)["fold"])))
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    headings = {"fact": "quantity", "method": "method", "measure": "measure"}
    shown = marked_methods(shown_differences(tidy, headings), results, STUDY)
    notes = [
        f"95 % intervals: bootstrap over users, folds averaged ({SAMPLES} samples).",
        *edge_notes(results, STUDY, set(tidy["method"])),
    ]
    return Table(tidy, shown, f"Differences with intervals on {results.dataset}.", notes)


def _row(fact: str, method: str, measure: str, values: Values) -> dict[str, object]:
    """The first value is the number itself, the others its bootstrap samples."""
    low, high = interval(values[1:])
    head = {"fact": fact, "method": method, "measure": measure}
    return head | {"mean": float(values[0]), "low": low, "high": high}


def _areas(means: Means):
    for method in PAIR:
        gap = means.of(method, "auc_aman") - means.of(method, "atop")
        yield _row("AUC − ATOP", method, "auc_aman", gap)


def _relative(means: Means, measure: str) -> Values:
    return 100 * (means.of(PAIR[1], measure) / means.of(PAIR[0], measure) - 1)


def _ratios(means: Means):
    ratios = [means.of(method, "ndcg") / means.of(method, "adg") for method in PAIR]
    yield _row("NDCG / ADG, gain in %", PAIR[1], "ndcg", 100 * (ratios[1] / ratios[0] - 1))


def _gains(means: Means):
    gains = {measure: _relative(means, measure) for measure in MEASURES}
    for measure, gain in gains.items():
        yield _row("gain in %", PAIR[1], measure, gain)
    for more in MORE:
        for less in LESS:
            yield _row(f"gain in % − that in {less}", PAIR[1], more, gains[more] - gains[less])


def _fading(means: Means):
    depths = [k for k in means.depths if k >= FIRST_DEPTH]
    if len(depths) < 2:
        return
    gains = np.array([_relative(means, f"recall@{k}") for k in depths])
    along = np.array([spearman(np.array(depths, float), gain) for gain in gains.T])
    yield _row("Spearman of k and gain in recall@k", PAIR[1], "recall", along)


def _over_allrank(means: Means):
    """No paper asks: training on missing ratings against optimising the measure itself."""
    for measure in MEASURES if ALLRANK in means.methods else ():
        gap = means.of(ALLRANK, measure) - means.of(PAIR[1], measure)
        yield _row(f"minus {PAIR[1]}", ALLRANK, measure, gap)


def _all_candidates(means: Means):
    """Every item ranked, not only unseen ones."""
    if "all" not in means.kinds:
        return
    against = {PAIR[0]: [PAIR[1]], SVD: list(PAIR)}
    for second, firsts in against.items():
        for first in firsts if second in means.methods else []:
            for measure in MEASURES:
                gap = means.of(first, measure, "all") - means.of(second, measure, "all")
                yield _row(f"minus {second}, all items ranked", first, measure, gap)
