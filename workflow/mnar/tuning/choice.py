"""The point that a search takes: the best by one measure, or by pradel2012's interval rule.

The interval rule (pradel2012 5.3): the weight of missing ratings in the middle between the weight
that is best by AUC and the one that is best by AUC_AMAN, both on user-selected ratings.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

INTERVAL = "interval"
WEIGHT = "missing_weight"


def needed(select_by: str) -> tuple[str, ...]:
    """The measures on validation that a rule looks at."""
    return ("auc", "auc_aman") if select_by == INTERVAL else (select_by,)


def choose(
    points: Sequence[Mapping[str, Any]], scores: Mapping[str, Sequence[float]], select_by: str
) -> int:
    """The position of the point to take; `scores` has a list for each needed measure, more is better."""
    lists = [np.asarray(scores[measure], float) for measure in needed(select_by)]
    if select_by != INTERVAL:
        return int(lists[0].argmax())
    weights = np.array([point[WEIGHT] for point in points], float)
    there = weights == middle_weight(weights, *lists)
    # The other settings are to suit both measures: the rule takes no side.
    return int(np.where(there, sum(lists), -np.inf).argmax())


def middle_weight(
    weights: NDArray[np.float64], auc: NDArray[np.float64], auc_aman: NDArray[np.float64]
) -> float:
    """The weight tried that is nearest to the geometric middle of the two optima.

    On a log axis 0 lies nowhere: an optimum there counts as one at the smallest weight above it.
    """
    optima = [weights[auc.argmax()], weights[auc_aman.argmax()]]
    positive = np.unique(weights[weights > 0])
    if not any(optima):
        return 0.0
    middle = np.log(np.maximum(optima, positive[0])).mean()
    return float(positive[np.abs(np.log(positive) - middle).argmin()])
