"""Bias of the measures on observed relevant items (lim2015 Theorems 1 and 2, steck2010 section 2.2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from mnar.core.seeds import generator
from mnar.simulations.case import Case
from mnar.simulations.theorems._observing import MEASURES, Counts, RankedItems, Values

# Fewer would leave the standard error itself too uncertain.
FEWEST_REPETITIONS = 50
LEVEL = 0.99
ROUNDING = 1e-12

SETTINGS = ("ranking", "users", "shares", "user_repetitions")
COLUMNS = (
    "share",
    "measure",
    "complete",
    "mean",
    "sem",
    "n",
    "users",
    "expected",
    "bias",
    "z",
    "z_expected",
    "bound",
    "relevant_over_rest",
)


@dataclass(frozen=True)
class Simulation:
    """What repeated observation of `ranked` gives, by share and measure."""

    ranked: RankedItems
    shares: list[float]
    sizes: Counts
    # Means over users: repetition × share × measure.
    means: Values
    # NDCG: means and variances over repetitions, user × share.
    ndcg: Values
    ndcg_variance: Values

    @property
    def repetitions(self) -> int:
        return len(self.means)


def simulate(
    ranked: RankedItems, shares: list[float], user_repetitions: int, seed: int
) -> Simulation:
    """Observe again until the number of users is reached, all of them equally often."""
    random = generator(seed, "bias")
    sizes = ranked.observed_sizes(shares)
    repetitions = max(FEWEST_REPETITIONS, -(-user_repetitions // ranked.n_users))
    means = np.empty((repetitions, len(shares), len(MEASURES)))
    first, second = np.zeros(sizes.shape), np.zeros(sizes.shape)
    complete = ranked.complete[:, [MEASURES.index("ndcg")]]
    for repetition in range(repetitions):
        observed = ranked.observe(ranked.at_random(random), sizes)
        means[repetition] = observed.mean(axis=0)
        # From the complete value, so that squares of small spreads keep their digits.
        ndcg = observed[:, :, MEASURES.index("ndcg")] - complete
        first += ndcg
        second += ndcg**2
    mean = first / repetitions
    variance = (second / repetitions - mean**2) * repetitions / (repetitions - 1)
    return Simulation(ranked, shares, sizes, means, mean + complete, np.maximum(0, variance))


def simultaneous_bound(tests: int, repetitions: int) -> float:
    """The standard errors that none of this number of unbiased means exceeds, with 99 % (Bonferroni)."""
    return float(stdtrit(repetitions - 1, 1 - (1 - LEVEL) / (2 * tests)))


def standard_errors(values: NDArray[np.floating], true: float) -> tuple[float, float, float]:
    """Mean over repetitions, its standard error, and how many of these it is off the true value.

    None where they agree up to rounding, as they do when everything is observed.
    """
    mean = float(values.mean())
    error = float(values.std(ddof=1) / np.sqrt(len(values)))
    if abs(mean - true) < ROUNDING:
        return mean, error, 0.0
    return (
        mean,
        error,
        (mean - true) / error if error > 0 else float(np.copysign(np.inf, mean - true)),
    )


def rows(case: Case) -> Iterator[dict[str, Any]]:
    yield from bias_rows(simulated(case))


def simulated(case: Case) -> Simulation:
    """The repeated observations that the config asks for."""
    shares = sorted(case.settings["shares"])
    return simulate(case.ranked, shares, case.settings["user_repetitions"], case.seed)


def bias_rows(simulation: Simulation) -> Iterator[dict[str, Any]]:
    """Each share and measure: bias in standard errors, also from the expected bias.

    At share 1 nothing is left to chance, so it does not count as a test.
    """
    ranked = simulation.ranked
    complete = ranked.complete.mean(axis=0)
    expected = ranked.expected(simulation.sizes).mean(axis=0)
    rest = ranked.n_candidates - simulation.sizes
    tested = sum(share < 1 for share in simulation.shares) * len(MEASURES)
    bound = simultaneous_bound(tested, simulation.repetitions)
    for position, share in enumerate(simulation.shares):
        for column, measure in enumerate(MEASURES):
            values = simulation.means[:, position, column]
            mean, error, z = standard_errors(values, complete[column])
            z_expected = standard_errors(values, expected[position, column])[2]
            yield {
                "share": share,
                "measure": measure,
                "complete": complete[column],
                "mean": mean,
                "sem": error,
                "n": simulation.repetitions,
                "users": ranked.n_users,
                "expected": expected[position, column],
                "bias": mean - complete[column],
                "z": z,
                "z_expected": z_expected,
                "bound": bound,
                "relevant_over_rest": np.mean((simulation.sizes / rest)[:, position]),
            }
