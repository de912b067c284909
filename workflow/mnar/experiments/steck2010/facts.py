"""Facts with intervals, as the tables of differences of steck2010 are made of them.

An array of values is the number itself, then its bootstrap samples, all from the same draws of
users, so that whatever is computed from several of them is paired.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.experiments.steck2010 import (
    ALLRANK,
    BINARY,
    COMPARED,
    DENSE,
    LOGISTIC,
    REL4,
    RMSE_TUNED,
    STUDY,
)
from mnar.experiments.steck2010.resampling import Resampling
from mnar.reporting.results import Results
from mnar.statistics.bootstrap import interval

Values = NDArray[np.float64]
Rows = Iterator[dict[str, Any]]
Pairs = Iterable[tuple[str, str]]
OTHERS = (ALLRANK, DENSE, LOGISTIC, BINARY)
IN_ATOP = (*COMPARED, *((RMSE_TUNED, other) for other in OTHERS))


def fact(name: str, values: Values, **where: Any) -> dict[str, Any]:
    low, high = interval(values[1:])
    return {"fact": name, **where, "mean": float(values[0]), "low": low, "high": high}


def run(results: Results, study: str, pairs: Pairs) -> list[tuple[str, str]]:
    """The pairs of methods that the study has both of."""
    there = set(results.methods(study))
    return [pair for pair in pairs if set(pair) <= there]


@cache
def resampling(results: Results, study: str) -> Resampling:
    alike = tuple(name for name in (STUDY, REL4) if name in results.config["studies"])
    return Resampling(results, study, alike)


@cache
def chosen(results: Results, method: str, measure: str, name: str, study: str = STUDY) -> Values:
    draws = resampling(results, study)
    by_fold = {fold: (method, point) for fold, point in draws.chosen_points(method).items()}
    return draws.values(by_fold, measure, name)
