"""The settings of the generator: their defaults, and the values each may have."""

from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

import numpy as np

from mnar.core.errors import UserError
from mnar.core.seeds import generator, seed_of

# β/α at full positivity strength: the last and the first position.
FULL_POSITIVITY = (0.12, 0.42)

# Family sizes as in Yahoo! Music (kddcup2011): tracks an album, albums an artist, artists a genre.
TAXONOMY_LEVELS = {"album": 6, "artist": 3, "genre": 28}


@dataclass(frozen=True)
class Settings:
    """What the config may say about a synthetic dataset; the defaults are those of docs/datasets.md."""

    users: int = 2000
    items: int = 1000
    ratings_per_user: float = 22.0
    rank: int = 5
    taste: float = 1.2
    quality: float = 0.6
    quality_exposure_correlation: float = 0.4
    noise: float = 0.6
    popularity_exponent: float = 0.8
    popularity_offset: float = 5.0
    # A strength (0: off, 1: full), or β/α in the tail and at the head.
    positivity: float | tuple[float, float] = 1.0
    histogram: tuple[float, float, float, float, float] = (0.50, 0.17, 0.15, 0.11, 0.07)
    seed: int = 0
    # Users who also rate randomly chosen items: a number if whole, a share of the users if not.
    random_users: int | float = 0.35
    random_ratings: int = 10
    # The share of the variance of item vectors and qualities that families of items explain.
    taxonomy: float = 0.0

    @classmethod
    def from_config(cls, config: dict[str, Any] | None) -> "Settings":
        if config is None:
            config = {}
        if not isinstance(config, dict):
            raise UserError(
                f"Synthetic dataset: its generator is {config!r};"
                " give its settings by name, as in {users: 2000}."
            )
        known = [field.name for field in fields(cls)]
        unknown = [repr(key) for key in config if key not in known]
        if unknown:
            raise UserError(
                f"Synthetic dataset: unknown setting {', '.join(unknown)};"
                f" known are {', '.join(known)}."
            )
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in config.items()
        }
        return cls(**values)

    def __post_init__(self) -> None:
        largest = 2**31 - 1
        self._check("users", self.users, 1, largest, Integral)
        self._check("items", self.items, 2, largest, Integral)
        self._check("ratings_per_user", self.ratings_per_user, 1e-6, self.items)
        self._check("rank", self.rank, 1, 1000, Integral)
        self._check("taste", self.taste, 0, 1e6)
        self._check("quality", self.quality, 0, 1e6)
        self._check("quality_exposure_correlation", self.quality_exposure_correlation, -1, 1)
        self._check("noise", self.noise, 0 if self.taste else 1e-6, 1e6)
        self._check("popularity_exponent", self.popularity_exponent, 0, 10)
        self._check("popularity_offset", self.popularity_offset, 1e-6, 1e9)
        self._check("seed", self.seed, 0, 2**63 - 1, Integral)
        self._check("random_ratings", self.random_ratings, 1, self.items, Integral)
        self._check("taxonomy", self.taxonomy, 0, 1)
        whole = isinstance(self.random_users, Integral)
        self._check("random_users", self.random_users, 0, self.users if whole else 1)
        if isinstance(self.positivity, tuple):
            self._check_list("positivity", self.positivity, 2, 1e-6, "the ratios of tail and head")
        else:
            self._check("positivity", self.positivity, 0, 1)
        self._check_list("histogram", self.histogram, 5, 1e-9, "the shares of ratings 1 to 5")
        if abs(sum(self.histogram) - 1) > 1e-6:
            raise UserError(
                f"Synthetic dataset: histogram adds up to {sum(self.histogram):g};"
                " give shares of ratings 1 to 5 that add up to 1."
            )

    @staticmethod
    def _check(name: str, value: object, low: float, high: float, kind: type = Real) -> None:
        is_kind = isinstance(value, kind) and not isinstance(value, bool)
        if not (is_kind and low <= value <= high):  # type: ignore[operator]
            noun = "a whole number" if kind is Integral else "a number"
            raise UserError(
                f"Synthetic dataset: {name} is {value!r}; give {noun} from {low:g} to {high:g}."
            )

    @classmethod
    def _check_list(cls, name: str, values: object, length: int, low: float, meaning: str) -> None:
        if not isinstance(values, tuple) or len(values) != length:
            raise UserError(
                f"Synthetic dataset: {name} is {values!r}; give a list of {length}, {meaning}."
            )
        for value in values:
            cls._check(name, value, low, 1)

    @property
    def positivity_ratios(self) -> tuple[float, float]:
        """β/α in the tail and at the head."""
        if isinstance(self.positivity, tuple):
            return self.positivity
        tail, head = FULL_POSITIVITY
        return tail**self.positivity, head**self.positivity

    @property
    def number_of_random_users(self) -> int:
        if isinstance(self.random_users, Integral):
            return int(self.random_users)
        return round(self.random_users * self.users)

    def generator(self, part: str) -> np.random.Generator:
        return generator(self.seed, "synthetic", part)

    def stream(self, part: str) -> np.uint64:
        return np.uint64(seed_of(self.seed, "synthetic", part))
