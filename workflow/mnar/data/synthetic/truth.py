"""The complete ratings of a generated dataset, and who observes which of them."""

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.files import read_arrays, write_arrays
from mnar.data.synthetic import generator_kernels
from mnar.data.synthetic.generator_settings import TAXONOMY_LEVELS, Settings


@dataclass(frozen=True)
class Truth:
    """The complete rating matrix, computed where it is looked at, and who observes what of it."""

    user_vectors: NDArray[np.float32]
    item_vectors: NDArray[np.float32]
    item_quality: NDArray[np.float32]
    noise: float
    # A rating is at least 2, 3, 4, 5 where the noisy score is above these.
    thresholds: NDArray[np.float32]
    # P(observed | positive) and P(observed | negative) of each item.
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    seed: int

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.user_vectors), len(self.item_vectors)

    @cached_property
    def cells(self) -> generator_kernels.Cells:
        return generator_kernels.Cells(
            np.uint64(self.seed),
            self.user_vectors,
            self.item_vectors,
            self.item_quality,
            np.float32(self.noise),
            tuple(self.thresholds),
            generator_kernels.tabulate_normal_quantiles(),
        )

    def ratings(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray[np.uint8]:
        """The true ratings of (user, item) pairs."""
        for ids, count in zip((users, items), self.shape, strict=True):
            if len(ids) and not 0 <= ids.min() <= ids.max() < count:
                raise IndexError(f"ids from {ids.min()} to {ids.max()} where there are {count}")
        ratings = np.empty(len(users), np.uint8)
        generator_kernels.rate_pairs(
            self.cells, users.astype(np.int32), items.astype(np.int32), ratings
        )
        return ratings

    def block(self, first_user: int, last_user: int) -> NDArray[np.uint8]:
        """The true ratings of all items by the users from first_user to last_user − 1."""
        if not 0 <= first_user <= last_user <= len(self.user_vectors):
            raise IndexError(f"users {first_user} to {last_user} of {len(self.user_vectors)}")
        ratings = np.empty((last_user - first_user, len(self.item_vectors)), np.uint8)
        factors = np.ascontiguousarray(self.item_vectors.T)
        generator_kernels.rate_rows(self.cells, factors, first_user, ratings)
        return ratings

    def probability_positive(self) -> NDArray[np.float64]:
        """P(rating ≥ 4) of each item, over users: normal, hence a closed form."""
        spread = _spread(self.item_vectors, self.noise)
        return _normal_cdf((self.item_quality - self.thresholds[2].astype(np.float64)) / spread)

    def save(self, path: str | Path) -> None:
        write_arrays(path, {field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, path: str | Path) -> "Truth":
        parts: dict[str, Any] = dict(read_arrays(path))
        parts["noise"] = float(parts["noise"])
        parts["seed"] = int(parts["seed"])
        return cls(**parts)


def draw_taxonomy(settings: Settings) -> NDArray[np.int32]:
    """Families within families; each child picks its parent at random.

    Families are numbered on from the last item, level after level, so that no id means two things.
    """
    if settings.taxonomy == 0:
        return np.empty((settings.items, 0), np.int32)
    rng = settings.generator("taxonomy")
    columns = []
    members = settings.items
    family = np.arange(members)
    first_id = members
    for size in TAXONOMY_LEVELS.values():
        families = -(-members // size)
        family = rng.integers(families, size=members)[family]
        columns.append((first_id + family).astype(np.int32))
        members = families
        first_id += families
    return np.stack(columns, axis=1)


def _draw_item_normals(settings: Settings, parents: NDArray[np.int32]) -> NDArray[np.float64]:
    """Standard normal numbers, rank + 1 an item, that families have partly in common."""
    rng = settings.generator("items")
    columns = settings.rank + 1
    own = rng.standard_normal((settings.items, columns))
    if not parents.shape[1]:
        return own
    of_families = rng.standard_normal((parents.max() + 1 - settings.items, columns))
    common = of_families[parents - settings.items].sum(axis=1)
    share = settings.taxonomy
    return np.sqrt(1 - share) * own + np.sqrt(share / parents.shape[1]) * common


def draw_truth(settings: Settings, parents: NDArray[np.int32]) -> Truth:
    """The equations at the top of this module, in their order."""
    position = settings.generator("positions").permutation(settings.items)
    standing = -np.log(position + settings.popularity_offset)
    standardised = (standing - standing.mean()) / standing.std()
    normals = _draw_item_normals(settings, parents)
    correlation = settings.quality_exposure_correlation
    quality = correlation * standardised + np.sqrt(1 - correlation**2) * normals[:, 0]
    quality = (settings.quality * quality).astype(np.float32)
    vectors = (settings.taste / np.sqrt(settings.rank) * normals[:, 1:]).astype(np.float32)
    spread = _spread(vectors, settings.noise)
    thresholds = _thresholds(quality, spread, settings.histogram)
    positive = _normal_cdf((quality - thresholds[2]) / spread)

    # Exposure is relative to the first position, so that the scale is α there before the cap.
    exposure = np.exp(settings.popularity_exponent * (standing - standing.max()))
    height = (standing - standing.min()) / (standing.max() - standing.min())
    tail, head = settings.positivity_ratios
    ratio = tail ** (1 - height) * head**height
    alpha = _calibrate(exposure, positive + ratio * (1 - positive), settings.ratings_per_user)
    shape = (settings.users, settings.rank)
    return Truth(
        settings.generator("users").standard_normal(shape, dtype=np.float32),
        vectors,
        quality,
        settings.noise,
        thresholds.astype(np.float32),
        alpha,
        ratio * alpha,
        int(settings.stream("noise")),
    )


def _normal_cdf(values: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import ndtr

    return ndtr(values)


def _spread(item_vectors: NDArray[np.float32], noise: float) -> NDArray[np.float64]:
    """Standard deviation of an item's noisy score over users, whose vectors are standard normal."""
    vectors = item_vectors.astype(np.float64)
    return np.sqrt(np.einsum("ik,ik->i", vectors, vectors) + noise**2)


def _thresholds(
    quality: NDArray[np.float32], spread: NDArray[np.float64], histogram: tuple[float, ...]
) -> NDArray[np.float64]:
    """Where the score's distribution, a mixture of one normal an item, reaches the shares."""
    mean = quality.astype(np.float64)
    reach = np.abs(mean).max() + 10 * spread.max()
    shares = np.cumsum(histogram)[:-1]
    low, high = np.full(4, -reach), np.full(4, reach)
    # Each step halves the interval; after these, float32 sees no difference.
    for _ in range(32):
        middle = (low + high) / 2
        below = [_normal_cdf((threshold - mean) / spread).mean() for threshold in middle]
        too_low = below < shares
        low, high = np.where(too_low, middle, low), np.where(too_low, high, middle)
    return (low + high) / 2


def _calibrate(
    exposure: NDArray[np.float64], rated: NDArray[np.float64], ratings_per_user: float
) -> NDArray[np.float64]:
    """α_i = min(1, scale · exposure_i) such that Σ_i α_i · rated_i is as many as asked for.

    `rated` is P(positive) + β/α · P(negative): the share of those reached who rate.
    """
    if ratings_per_user > rated.sum():
        raise UserError(
            f"Synthetic dataset: ratings_per_user is {ratings_per_user:g}, but with this positivity"
            f" a user rates at most {rated.sum():.1f} of {len(rated)} items; ask for fewer ratings"
            " or give more items."
        )
    # The scale if the n most exposed items are capped, for each n: right is the first one that
    # keeps the next item below the cap.
    order = np.argsort(-exposure, kind="stable")
    capped = np.cumsum(rated[order]) - rated[order]
    uncapped = np.cumsum((exposure * rated)[order][::-1])[::-1]
    scale = (ratings_per_user - capped) / uncapped
    fits = scale * exposure[order] <= 1
    fits[-1] = True
    return np.minimum(1, scale[np.argmax(fits)] * exposure)
