"""Γ: how wrong weights must be to turn the order of two systems, when there is no truth at all.

Let the weight of each pair be wrong by some factor between 1/Γ and Γ. The weighted mean of the
differences g_A − g_B then lies in an interval (Zhao, Small and Bhattacharya 2019). At its upper end
all pairs whose difference is above a threshold weigh Γ times as much, the others 1/Γ times; so one
sort gives it exactly.

A and B may change places as soon as the interval reaches 0. The sign of the mean is that of its
numerator, which is smallest where every difference against A weighs Γ and every one for A weighs
1/Γ. That is 0 where Γ² = (Σ w·d over d > 0) / (Σ w·|d| over d < 0): a closed form, no search.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.kernels.compiled import njit

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Flip:
    """Which system leads, by how much, and the Γ from which on the other may lead."""

    leader: str
    lead: float
    gamma: float

    def sentence(
        self, first: str, second: str, beyond: str = "popularity", pairs: str = "liked items"
    ) -> str:
        """The conclusion in one sentence: weights that are off by up to Γ differ by up to Γ²."""
        if self.leader == "":
            return f"{first} and {second} are level."
        ahead, behind = (first, second) if self.leader == "first" else (second, first)
        if np.isinf(self.gamma):
            return (
                f"{ahead} stays ahead of {behind} whatever the weights: no pair speaks against it."
            )
        already = f", beyond {beyond}" if beyond else ""
        return (
            f"{ahead} stays ahead of {behind} unless {pairs} differ by more than "
            f"{self.gamma**2:.2f} times in their chance of being rated{already} (Γ = {self.gamma:.2f})."
        )


def interval(differences: Floats, weights: Floats, gamma: float) -> tuple[float, float]:
    """The lowest and the highest weighted mean if each weight is wrong by up to a factor Γ."""
    if gamma < 1:
        raise UserError(f"Γ is {gamma:g}; it is a factor of at least 1.")
    return -_highest(-differences, weights, gamma), _highest(differences, weights, gamma)


def _highest(differences: Floats, weights: Floats, gamma: float) -> float:
    order = np.argsort(-differences, kind="stable")
    d, w = differences[order], weights[order]
    # With the first k pairs at Γ and the others at 1/Γ, for every k at once.
    more = gamma - 1 / gamma
    above = (w * d).sum() / gamma + more * np.append(0, np.cumsum(w * d))
    below = w.sum() / gamma + more * np.append(0, np.cumsum(w))
    return float((above / below).max())


def flip(differences: Floats, weights: Floats) -> Flip:
    """The smallest Γ at which the order of two systems may turn; infinite if it never can."""
    weighted = weights * differences
    ahead, behind = weighted[weighted > 0].sum(), -weighted[weighted < 0].sum()
    lead = float((ahead - behind) / weights.sum())
    if ahead == behind:
        return Flip("", 0.0, 1.0)
    leader = "first" if ahead > behind else "second"
    less, more = min(ahead, behind), max(ahead, behind)
    return Flip(leader, abs(lead), float(np.sqrt(more / less)) if less > 0 else np.inf)


@njit(cache=True, nogil=True)
def sum_sides(gains, weights, ahead, behind):
    """Σ w·d over d > 0 and Σ w·|d| over d < 0 for d = g_i − g_j, of each two systems i > j."""
    pair = 0
    for i in range(len(gains)):
        for j in range(i):
            more = less = 0.0
            for n in range(len(weights)):
                difference = weights[n] * (gains[i, n] - gains[j, n])
                more += max(difference, 0.0)
                less -= min(difference, 0.0)
            ahead[pair], behind[pair] = more, less
            pair += 1


def flips(gains: Floats, weights: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Of each two systems i > j (rows of gains): 1 if i leads, −1 if j does, and their Γ."""
    pairs = len(gains) * (len(gains) - 1) // 2
    ahead, behind = np.empty(pairs), np.empty(pairs)
    sum_sides(np.ascontiguousarray(gains), weights, ahead, behind)
    less, more = np.minimum(ahead, behind), np.maximum(ahead, behind)
    square = np.divide(more, less, out=np.full(pairs, np.inf), where=less > 0)
    square[ahead == behind] = 1
    return np.sign(ahead - behind).astype(np.int8), np.sqrt(square)


def needed_gamma(true: Floats, taken: Floats, share: float = 1.0) -> float:
    """Γ that covers the true chances of pairs where others were taken, for a share of the pairs.

    With z = taken/true each weight is off by z up to a common factor, which no mean notices. The
    best common factor puts the largest and the smallest z equally far from 1.
    """
    off = taken / true
    low, high = np.quantile(off, [(1 - share) / 2, (1 + share) / 2])
    return float(np.sqrt(high / low))
