"""Every model of a run, (w_m, λ), by every measure: means over runs, and samples over users."""

from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar import measures
from mnar.experiments.pradel2012 import STUDY
from mnar.reporting.edges import joined, without
from mnar.reporting.results import Results
from mnar.statistics.bootstrap import resampled_sums, user_samples
from mnar.tuning.fold_search import REFINED

SAMPLES = 500

WEIGHT, PENALTY = "missing_weight", "lambda"

# AUC on other ratings than those held out has a name of its own.
SETS = {"auc_rand": ("random", "auc"), "auc_complete": ("complete", "auc")}
LABELS = {"auc_complete": "AUC, complete data"}

STRATIFIED = ("recall@10(0)", "recall@10(0.2)", "recall@10(0.5)", "recall@10(1)")
HEADS = ("head_10", "head_20", "head_50")


def label(measure: str) -> str:
    return LABELS.get(measure) or measures.label(measure)


def set_of(measure: str) -> tuple[str, str]:
    """The set a measure is taken on, and its name there."""
    return SETS.get(measure, ("validation", measure))


class Grid:
    """The models of one method on one dataset. Values are in percent, as in the paper."""

    def __init__(self, results: Results, method: str):
        self.dataset, self.method = results.dataset, method
        self._results = results
        entry = results.config["studies"][STUDY]
        self.candidates = entry["candidates"][0]
        scores = results.scores(STUDY)
        # Refined points lie around one weight only, so a sweep that took them would favour it.
        scores = scores[(scores["method"] == method) & (scores["step"] != REFINED)]
        scores = _common_points(scores)
        # (run, point) -> the number of the point in that run's own search.
        self._own_point = scores.groupby(["fold", "point"])["own_point"].first()
        columns = {f"setting.{name}": name for name in (WEIGHT, PENALTY)}
        points = scores.drop_duplicates("point").set_index("point").rename(columns=columns)
        # Points by index: missing_weight and lambda.
        self.points = points[[WEIGHT, PENALTY]].sort_values([WEIGHT, PENALTY])
        # By point: its parameters at an edge of the search of some run.
        self.edges: pd.Series = scores.groupby("point")["edge"].agg(joined)
        named = {part: name for name, part in SETS.items()}
        pairs = zip(scores["set"], scores["measure"], strict=True)
        names = [named.get(pair, pair[1]) for pair in pairs]
        long = scores.assign(measure=names, value=100 * scores[f"{entry['average']}_mean"])
        # (run, point) -> a column for each measure.
        self.runs = long.pivot_table(index=["fold", "point"], columns="measure", values="value")
        self.means = self.runs.groupby("point").mean()
        self.sems = self.runs.groupby("point").sem()
        self.n_runs = long["fold"].nunique()
        self.n_users, self.n_items = results.view(STUDY).shape

    @property
    def weights(self) -> list[float]:
        return sorted(self.points[WEIGHT].unique())

    @property
    def penalties(self) -> list[float]:
        return sorted(self.points[PENALTY].unique())

    def known(self, *names: str) -> list[str]:
        """The measures among these that this dataset allows."""
        return [name for name in names if name in self.means]

    @property
    def truth(self) -> str | None:
        """The measure that stands for the true ranking: AUC on randomly selected ratings."""
        return next(iter(self.known("auc_rand")), None)

    def merit(self, measure: str) -> pd.Series:
        """What a model of the right λ has most of; for a description, AUC and AUC_AMAN together."""
        if measure in HEADS:
            return self.means["auc"] + self.means["auc_aman"]
        return self.means[measure]

    def best(self, measure: str) -> int:
        """The point of the whole grid that is best on average over runs."""
        return int(self.merit(measure).loc[self.points.index].idxmax())

    def sweep(self, measure: str) -> list[int]:
        """For each w_m, in rising order, the point with the best λ for the measure."""
        if measure not in self._sweeps:
            merit = self.merit(measure)
            self._sweeps[measure] = [
                int(positions[merit[positions].to_numpy().argmax()])
                for positions in self._by_weight
            ]
        return self._sweeps[measure]

    @cached_property
    def _sweeps(self) -> dict[str, list[int]]:
        return {}

    def by_run(self, measure: str) -> pd.DataFrame:
        """A measure of every model: a row for each run, a column for each point."""
        if measure not in self._by_run:
            self._by_run[measure] = self.runs[measure].unstack("point")
        return self._by_run[measure]

    @cached_property
    def _by_run(self) -> dict[str, pd.DataFrame]:
        return {}

    @cached_property
    def _by_weight(self) -> list[NDArray[np.int64]]:
        return [group.index.to_numpy() for _, group in self.points.groupby(WEIGHT, sort=True)]

    def nearest(self, weight: float, penalty: float) -> int:
        """The point of the grid nearest to a pair of settings, on a log scale; 0 only to 0."""
        distance = _distance(self.points[WEIGHT], weight) + _distance(self.points[PENALTY], penalty)
        return int(distance.idxmin())

    def weight_of(self, point: int) -> float:
        return float(self.points.loc[point, WEIGHT])

    def edge_of(self, *points: int) -> str:
        """The parameters at an edge at one of some points."""
        return joined(self.edges[point] for point in points)

    def edge_in_sweep(self, point: int) -> str:
        """The same on a curve against w_m."""
        return without(self.edges[point], WEIGHT)

    def name_of(self, point: int) -> str:
        return f"w_m {self.points.loc[point, WEIGHT]:g}, λ {self.points.loc[point, PENALTY]:g}"

    @cached_property
    def _parts(self) -> dict:
        return self._results.users(STUDY, self.method)

    @cached_property
    def _times(self) -> NDArray[np.float64]:
        return user_samples(self.n_users, SAMPLES, self.dataset, STUDY)

    @cached_property
    def _sampled(self) -> dict[tuple[str, int], NDArray[np.float64]]:
        return {}

    def samples(self, measure: str, points: list[int]) -> NDArray[np.float64]:
        """Mean over runs in each bootstrap sample of users, in percent: samples × points."""
        new = [point for point in dict.fromkeys(points) if (measure, point) not in self._sampled]
        if new:
            runs = [self._resample(measure, run, new) for run in self._runs_of(measure)]
            for point, column in zip(new, np.mean(runs, axis=0).T, strict=True):
                self._sampled[measure, point] = column
        return np.stack([self._sampled[measure, point] for point in points], axis=1)

    def samples_by_run(self, measure: str, chosen: dict[int, int]) -> NDArray[np.float64]:
        """The same where each run has a point of its own."""
        runs = [self._resample(measure, run, [point])[:, 0] for run, point in chosen.items()]
        return np.mean(runs, axis=0)

    def _runs_of(self, measure: str) -> list[int]:
        part = (self.candidates, set_of(measure)[0])
        return [fold for fold, *key in self._parts if tuple(key) == part]

    def _resample(self, measure: str, run: int, points: list[int]) -> NDArray[np.float64]:
        name, inner = set_of(measure)
        part = self._parts[run, self.candidates, name]
        column = part.measures.index(inner)
        own = [self._own_point[run, point] for point in points]
        rows = [int(np.flatnonzero(part.points == point)[0]) for point in own]
        totals = part.totals[rows, column].astype(np.float64)
        weights = part.weights[column].astype(np.float64)
        if not part.pooled[column]:
            totals = np.divide(totals, weights, out=np.zeros_like(totals), where=weights > 0)
            weights = (weights > 0).astype(np.float64)
        # The last row is that of the weights.
        summed = np.zeros((len(points) + 1, self.n_users))
        summed[:, part.users] = [*totals, weights]
        sums = resampled_sums(summed, self._times)
        return (100 * sums[:-1] / sums[-1]).T

    def user_values(self, measure: str, point: int) -> list[tuple[NDArray, NDArray]]:
        """Value and weight of each user on validation, a pair a run."""
        found = []
        for run in self._runs_of(measure):
            own = int(self._own_point[run, point])
            values = self._parts[run, self.candidates, "validation"].values(measure, own)
            scored = values.weight > 0
            found.append((values.total[scored] / values.weight[scored], values.weight[scored]))
        return found


def _common_points(scores: pd.DataFrame) -> pd.DataFrame:
    """Rows of the settings that all runs tried, with one number for each: runs go beyond other edges."""
    runs = scores.groupby("settings", sort=False)["fold"].nunique()
    common = runs.index[runs == scores["fold"].nunique()]
    numbers = {settings: number for number, settings in enumerate(common)}
    kept = scores[scores["settings"].isin(common)]
    return kept.assign(own_point=kept["point"], point=kept["settings"].map(numbers))


def _distance(values: pd.Series, wanted: float) -> pd.Series:
    """How far values lie on a log scale, where 0 is further from all others than they may be."""
    far = 1e6
    if wanted == 0:
        return far * (values > 0) + values
    return np.log(values.where(values > 0) / wanted).abs().fillna(far)


@lru_cache(maxsize=4)
def grid_of(results: Results, method: str) -> Grid:
    return Grid(results, method)
