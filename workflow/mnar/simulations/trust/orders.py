"""How an estimator orders the systems, held against the truth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.estimators.estimator_names import ERRORS, kind_of
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.order_kernels import kendall_of_columns, signs, sure_signs

Floats = NDArray[np.float64]

# Halves of the users whose truths are compared, where the truth is a sample.
HALVES = 20


def goodness(measure: str, values: Floats) -> Floats:
    """Higher is better."""
    return -values if kind_of(measure) in ERRORS else values


# What is also kept of every bootstrap sample, for intervals.
RESAMPLED = ("tau", "bias", "absolute_bias")


def compare(
    measure: str, estimate: Values, truth: Values, judge: tuple[str, Values], complete: bool
) -> tuple[dict[str, Any], dict[str, Floats]]:
    """Bias, τ, regret and decisions of one estimator; and the first two of each bootstrap sample."""
    mine, right = goodness(measure, estimate.values), goodness(measure, truth.values)
    again, right_again = goodness(measure, estimate.samples), goodness(measure, truth.samples)
    judge_measure, judged = judge
    judged_right = goodness(judge_measure, judged.values)[estimate.systems]
    off = (estimate.values - truth.values) / truth.values
    with np.errstate(invalid="ignore", divide="ignore"):
        off_again = (estimate.samples - truth.samples) / truth.samples
    resampled = {
        "tau": kendall_of_columns(again, right_again),
        "bias": off_again.mean(axis=0),
        "absolute_bias": np.abs(off_again).mean(axis=0),
    }
    row = {
        "systems": len(mine),
        "bias": off.mean(),
        "absolute_bias": np.abs(off).mean(),
        "tau": kendall_of_columns(mine, right)[0],
        "tau_judge": kendall_of_columns(mine, judged_right)[0],
        "regret": regret(mine, right),
    }
    return row | decisions(mine, again, right, right_again, complete), resampled


def turned(measure: str, naive: Values, estimate: Values) -> float:
    """The share of all pairs of systems that the naive mean decides one way and this the other."""
    one, other = (sure_signs(goodness(measure, each.samples)) for each in (naive, estimate))
    return float((one * other < 0).mean())


def regret(estimate: Floats, truth: Floats) -> float:
    """(truth of the best − truth of the system picked)/(best − median); ties are averaged."""
    picked = truth[estimate == estimate.max()].mean()
    reach = truth.max() - np.median(truth)
    return float((truth.max() - picked) / reach) if reach > 0 else 0.0


def decisions(
    estimate: Floats, samples: Floats, truth: Floats, truth_samples: Floats, complete: bool
) -> dict[str, float]:
    """Of all pairs of systems that truly differ: decided rightly, wrongly, undecided (shares).

    A pair is decided where the 95 % interval of its paired difference over users excludes 0. On
    complete data any difference is true, else one whose own interval excludes 0.
    """
    right = signs(truth) if complete else sure_signs(truth_samples)
    said = sure_signs(samples)
    differ = right != 0
    n = int(differ.sum())
    if n == 0:
        return {"pairs": 0, "right": np.nan, "wrong": np.nan, "undecided": np.nan}
    agree = said[differ] * right[differ]
    return {
        "pairs": n,
        "right": float((agree > 0).mean()),
        "wrong": float((agree < 0).mean()),
        "undecided": float((agree == 0).mean()),
    }


def attainable(looks: Looks, measure: str, truth: Values, seed: int, times: Floats) -> float:
    """Complete data: τ of uniform draws as large as the held-out set, with the truth.

    Random ratings: τ between the truths of two halves of the users; a reliability, no upper bound.
    """
    if looks.scene.complete:
        if measure not in looks.uniform:
            return float("nan")
        return float(np.nanmean(kendall_of_columns(np.stack(looks.uniform[measure]), truth.values)))
    random = generator(seed, "halves")
    found = []
    for _ in range(HALVES):
        half = (random.permutation(looks.scene.truth.n_users) % 2).astype(float)
        one, other = (looks.truth(measure, times[:1], part).values for part in (half, 1 - half))
        found.append(kendall_of_columns(one, other)[0])
    return float(np.nanmean(found))
