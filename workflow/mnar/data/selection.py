"""Who rates what, simulated on a complete matrix: the generator's observation model for any data.

Item i is exposed by its position, 0 for the most exposed one. With s_i = the share of users who
like item i, standardised over the items, and normal numbers g_i,

    position_i = rank of c · s_i + √(1 − c²) · g_i, highest first      c: correlation
    exposure x_i = (position_i + offset)^−exponent                     exponent 0 switches it off
    α_i = min(1, scale · x_i)                 chance that a liked item is rated
    β_i = α_i · tail^(1 − h_i) · head^h_i     chance of another one; ratio 1 switches it off

where h_i runs from 0 at the last position to 1 at the first, on the scale of log(position + offset).
The scale makes users rate as many items on average as asked for.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.data.synthetic import FULL_POSITIVITY
from mnar.matrices.ratings import Ratings

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mechanism:
    """How users select, from none of the effects (0, 0, 0) to all of them."""

    popularity_exponent: float
    positivity: float
    correlation: float
    ratings_per_user: float = 20.0
    popularity_offset: float = 5.0

    def __post_init__(self) -> None:
        limits = {
            "popularity_exponent": (0, 10),
            "positivity": (0, 1),
            "correlation": (-1, 1),
            "ratings_per_user": (1e-6, np.inf),
            "popularity_offset": (1e-6, np.inf),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise UserError(
                    f"Selection mechanism: {name} is {value!r}; give a number from {low:g} to {high:g}."
                )


@dataclass(frozen=True)
class Chances:
    """P(rated) of each item by a user who likes it (alpha) and by one who does not (beta)."""

    alpha: Floats
    beta: Floats

    def of(self, items: NDArray[np.integer], relevant: NDArray[np.bool_]) -> Floats:
        """The chance of each pair, given its item and whether it is liked."""
        return np.where(relevant, self.alpha[items], self.beta[items])


@dataclass(frozen=True)
class CompleteMatrix:
    """What everyone thinks of everything."""

    values: NDArray[np.float32]
    relevant: NDArray[np.bool_]

    @property
    def shape(self) -> tuple[int, int]:
        return self.relevant.shape[0], self.relevant.shape[1]

    def at(self, cells: NDArray[np.bool_]) -> Ratings:
        """The ratings at the true cells of a users × items mask."""
        users, items = np.nonzero(cells)
        return Ratings.from_triplets(
            users, items, self.values[cells], self.relevant[cells], self.shape
        )


def complete_part(ratings: Ratings) -> CompleteMatrix:
    """The users who rated every item, in their order."""
    everything = np.diff(ratings.indptr) == ratings.n_items
    if not everything.any():
        raise UserError(
            f"None of the {ratings.n_users} users rated all {ratings.n_items} items, so there is no "
            "complete part to simulate selection on; use a dataset that has one."
        )
    mine = ratings.of_users(np.flatnonzero(everything))
    shape = (mine.n_users, mine.n_items)
    return CompleteMatrix(mine.values.reshape(shape), mine.relevant.reshape(shape))


def chances_of(relevant: NDArray[np.bool_], mechanism: Mechanism, *seed: object) -> Chances:
    """α and β of each item under a mechanism; positions are drawn by seed."""
    liked = relevant.mean(axis=0)
    spread = liked.std()
    standing = (liked - liked.mean()) / spread if spread > 0 else np.zeros(len(liked))
    c = mechanism.correlation
    normal = generator(*seed, "positions").standard_normal(len(liked))
    order = np.argsort(-(c * standing + np.sqrt(1 - c**2) * normal), kind="stable")
    position = np.empty(len(liked))
    position[order] = np.arange(len(liked))
    height = -np.log(position + mechanism.popularity_offset)
    exposure = np.exp(mechanism.popularity_exponent * (height - height.max()))
    height = (height - height.min()) / (np.ptp(height) or 1)
    tail, head = (ratio**mechanism.positivity for ratio in FULL_POSITIVITY)
    ratio = tail ** (1 - height) * head**height
    alpha = _calibrated(exposure, liked + ratio * (1 - liked), mechanism.ratings_per_user)
    return Chances(alpha, ratio * alpha)


def _calibrated(exposure: Floats, rated: Floats, wanted: float) -> Floats:
    """α = min(1, scale · exposure) such that Σ α · rated is as many ratings as wanted."""
    if wanted > rated.sum():
        raise UserError(
            f"Selection mechanism: ratings_per_user is {wanted:g}, but with this positivity a user "
            f"rates at most {rated.sum():.1f} of {len(rated)} items; ask for fewer."
        )

    def excess(log_scale: float) -> float:
        return float((np.minimum(1, np.exp(log_scale) * exposure) * rated).sum() - wanted)

    # At the upper end every item is capped, at the lower end next to nothing is rated.
    low = np.log(wanted / (exposure * rated).sum()) - 1
    high = -np.log(exposure.min()) + 1
    return np.minimum(1, np.exp(brentq(excess, low, high, xtol=1e-13)) * exposure)


def observe(complete: CompleteMatrix, chances: Chances, *seed: object) -> NDArray[np.bool_]:
    """Which cells users rate: each by itself, with its chance."""
    chance = np.where(complete.relevant, chances.alpha, chances.beta)
    return generator(*seed, "observation").random(complete.shape) < chance
