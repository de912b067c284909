"""Which rows of the experiment a table or figure shows: cases of selection, estimators, measures."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from mnar import measures
from mnar.core.files import read_csv
from mnar.estimators.estimator_names import label
from mnar.reporting.results import Results
from mnar.simulations.trust.summaries import KEYS

MEASURES = ["adg", "recall@10", "atop", "auc", "ndcg", "map"]
ERRORS = ["rmse", "mae"]
# In order of the knowledge that one needs to compute them.
ESTIMATORS = [
    "naive",
    "aman",
    "sampled(100)",
    "sampled(100, popularity)",
    "snips(popularity, gamma=0.5)",
    "snips(popularity, gamma=1)",
    "wtd(popularity)",
    "snips(logistic)",
    "dr(logistic)",
    "snips(naive-bayes)",
    "snips(published)",
    "snips(known, clip=0.9)",
    "snips(known, clip=0.95)",
    "snips(known, clip=0.99)",
    "snips(known)",
    "ips(known)",
    "dr(known)",
]
# What tables alone show: figures would be full of it.
TABLED = ("dr(logistic)", "dr(known)", "snips(known, clip=0.9)", "snips(known, clip=0.99)")
DRAWN = [one for one in ESTIMATORS if one not in TABLED]


@dataclass(frozen=True)
class Case:
    """One kind of selection on one dataset."""

    dataset: str
    # In words.
    selection: str
    point: tuple[float, ...] | None

    @property
    def title(self) -> str:
        return f"{self.dataset}\n{self.selection}"

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        mine = frame["dataset"] == self.dataset
        if self.point is not None:
            for key, value in zip(KEYS, self.point, strict=True):
                mine &= frame[key] == value
        return frame[mine]


def read(results: Results, name: str) -> pd.DataFrame:
    """The frames of this dataset."""
    return read_csv(results.file("simulations", results.dataset, f"trust_{name}.csv"))


def cases_of(frame: pd.DataFrame) -> list[Case]:
    """Of simulated selection the corners: random, all effects, and all with the best exposed most."""
    found = []
    for dataset, rows in frame.groupby("dataset", sort=False):
        points = rows[KEYS].drop_duplicates()
        if points.isna().all(axis=None):
            found.append(Case(str(dataset), "users' own choice", None))
            continue
        exponent, positivity, correlation = points.max()
        corners = {
            "at random": (0.0, 0.0, 0.0),
            "popular and liked more": (exponent, positivity, 0.0),
            "same, best shown more": (exponent, positivity, correlation),
        }
        there = set(points.itertuples(index=False, name=None))
        for selection, point in corners.items():
            if point in there:
                found.append(Case(str(dataset), selection, point))
    return found


def shown_as(scheme: str) -> str:
    """The estimator in words."""
    measure = "auc" if scheme == "aman" else "rmse" if scheme.startswith("dr") else "adg"
    return label(f"{measure}~{scheme}")


def in_order(frame: pd.DataFrame, wanted: Sequence[str] = DRAWN) -> list[str]:
    """Those of the wanted estimators that a frame has, in their order."""
    there = set(frame["estimator"])
    return [one for one in wanted if one in there]


def measure_label(measure: str) -> str:
    """MAE has no file, so measures do not know it."""
    return "MAE" if measure == "mae" else measures.label(measure)
