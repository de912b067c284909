"""The synthetic dataset (docs/datasets.md): the one dataset whose complete truth is known.

Items stand in a random order of popularity; position 0 is the most exposed one. With
z_i = −log(position_i + offset), standardised over the items,

    exposure         x_i = (position_i + offset)^−exponent
    item quality     b_i = quality · (c · z_i + √(1 − c²) · g_i)            c: correlation
    item vector      q_i = taste / √rank · (standard normal vector)
    user vector      p_u = (standard normal vector)
    complete rating  r(u, i) = 1 + #{t : p_u · q_i + b_i + noise · e(u, i) > threshold_t}

e(u, i) is standard normal, read off a hash of (seed, u, i): no cell is stored, any can be had.
Over users the score of an item is normal with mean b_i and variance s_i² = ‖q_i‖² + noise². So
P(positive | i) = Φ((b_i − threshold_4) / s_i) is a closed form, and the thresholds that give the
wanted histogram are quantiles of the mean over items of Φ((t − b_i) / s_i).

User u rates item i with probability α_i if r(u, i) ≥ 4 and β_i if not (pradel2012 section 3.2):

    α_i = min(1, scale · x_i)         popularity effect; exponent 0 switches it off
    β_i / α_i = tail^(1 − h_i) · head^h_i      positivity effect; 1 everywhere switches it off

where h_i is z_i stretched to run from 0 (last position) to 1 (first). The scale makes the expected
number of ratings a user, Σ_i α_i P_i + β_i (1 − P_i), what the settings ask for. Quality and
positivity follow the position, not the exposure, so switching popularity off leaves the complete
ratings and β/α as they are. Each part has its own stream of random numbers, for the same reason.

A taxonomy (album, artist, genre), where asked for, gives items of a family a common part in
their vectors and in g_i, without changing the distribution of either.
"""

from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import pairwise
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.files import atomic, read_arrays, write_arrays, write_json
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator, seed_of
from mnar.data import _synthetic_kernels as kernels

# β/α at full positivity strength: the last and the first position.
FULL_POSITIVITY = (0.12, 0.42)

# Family sizes as in Yahoo! Music (kddcup2011): tracks an album, albums an artist, artists a genre.
TAXONOMY_LEVELS = {"album": 6, "artist": 3, "genre": 28}

# First moment at which a user may join, 2010-01-01, and for how many seconds they do.
_TIME_START = 1_262_304_000
_TIME_SPAN = 2 * 365 * 86_400

_ITEMS_A_BLOCK = 256
_USERS_A_BLOCK = 16_384
_USERS_A_GROUP = 1 << 15
_ROWS_A_GROUP = 2**20


@dataclass(frozen=True)
class Settings:
    """Settings of a synthetic dataset in the config; docs/datasets.md explains the defaults."""

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
    def from_config(cls, config: dict[str, Any]) -> "Settings":
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
    def cells(self) -> kernels.Cells:
        return kernels.Cells(
            np.uint64(self.seed),
            self.user_vectors,
            self.item_vectors,
            self.item_quality,
            np.float32(self.noise),
            tuple(self.thresholds),
            kernels.tabulate_normal_quantiles(),
        )

    def ratings(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray[np.uint8]:
        """The true ratings of (user, item) pairs."""
        for ids, count in zip((users, items), self.shape, strict=True):
            if len(ids) and not 0 <= ids.min() <= ids.max() < count:
                raise IndexError(f"ids from {ids.min()} to {ids.max()} where there are {count}")
        ratings = np.empty(len(users), np.uint8)
        kernels.rate_pairs(self.cells, users.astype(np.int32), items.astype(np.int32), ratings)
        return ratings

    def block(self, first_user: int, last_user: int) -> NDArray[np.uint8]:
        """The true ratings of all items by the users from first_user to last_user − 1."""
        if not 0 <= first_user <= last_user <= len(self.user_vectors):
            raise IndexError(f"users {first_user} to {last_user} of {len(self.user_vectors)}")
        ratings = np.empty((last_user - first_user, len(self.item_vectors)), np.uint8)
        factors = np.ascontiguousarray(self.item_vectors.T)
        kernels.rate_rows(self.cells, factors, first_user, ratings)
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


@dataclass(frozen=True)
class Synthetic:
    """A generated dataset: what users chose to rate, what some rated at random, and the truth."""

    settings: Settings
    # User-selected ratings, sorted by user, then item.
    user: NDArray[np.int32]
    item: NDArray[np.int32]
    rating: NDArray[np.uint8]
    timestamp: NDArray[np.int64]
    # Randomly selected ratings, sorted alike.
    random_user: NDArray[np.int32]
    random_item: NDArray[np.int32]
    random_rating: NDArray[np.uint8]
    # The family of each item on each level of the taxonomy; no columns where there is none. Ids
    # of families follow those of the items.
    parents: NDArray[np.int32]
    truth: Truth


def generate(settings: Settings, threads: int = 1) -> Synthetic:
    """A pure function of the settings: any number of threads gives the same bits."""
    parents = _draw_taxonomy(settings)
    truth = _draw_truth(settings, parents)
    indptr, item, rating = _observe(truth, settings, threads)
    users = np.arange(settings.users, dtype=np.int32)
    random_user, random_item = _choose_at_random(settings)
    return Synthetic(
        settings,
        np.repeat(users, np.diff(indptr)),
        item,
        rating,
        _draw_times(indptr, settings, threads),
        random_user,
        random_item,
        truth.ratings(random_user, random_item),
        parents,
        truth,
    )


def _draw_taxonomy(settings: Settings) -> NDArray[np.int32]:
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


def _draw_truth(settings: Settings, parents: NDArray[np.int32]) -> Truth:
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
    # Each step halves the interval: so many leave less than float32 can tell.
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


def _observe(
    truth: Truth, settings: Settings, threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
    """User-selected ratings as rows of users: where each row starts, items, ratings."""
    seed = settings.stream("observation")
    drawn: dict[int, tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]] = {}

    def draw(first: int, last: int) -> None:
        counts = np.zeros(last - first, np.int64)
        users, ratings = kernels.observe_items(
            truth.cells, seed, truth.alpha, truth.beta, first, counts
        )
        # Copied, because the buffers are up to twice as long as what is in them.
        drawn[first] = users[: counts.sum()].copy(), ratings[: counts.sum()].copy(), counts

    for_blocks(draw, settings.items, threads, _ITEMS_A_BLOCK)
    indptr = np.zeros(settings.users + 1, np.int64)
    for users, _, _ in drawn.values():
        np.add.at(indptr, users + 1, 1)
    np.cumsum(indptr, out=indptr)
    cursor = indptr[:-1].copy()
    item = np.empty(indptr[-1], np.int32)
    rating = np.empty(indptr[-1], np.uint8)
    for first in sorted(drawn):
        # Popped, so that the blocks do not stay in memory beside the rows.
        kernels.place_by_user(*drawn.pop(first), first, cursor, item, rating)
    return indptr, item, rating


def _draw_times(indptr: NDArray[np.int64], settings: Settings, threads: int) -> NDArray[np.int64]:
    seed = settings.stream("times")
    times = np.empty(indptr[-1], np.int64)

    def draw(first: int, last: int) -> None:
        kernels.date_ratings(seed, indptr, first, last, _TIME_START, _TIME_SPAN, times)

    for_blocks(draw, settings.users, threads, _USERS_A_BLOCK)
    return times


def _choose_at_random(settings: Settings) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Users and items of the random part, as Yahoo! R3 has one; the ratings play no part in it."""
    rng = settings.generator("random users")
    chosen = rng.choice(settings.users, settings.number_of_random_users, replace=False)
    users = np.sort(chosen).astype(np.int32)
    items = np.empty((len(users), settings.random_ratings), np.int32)
    kernels.choose_random_items(settings.stream("random items"), users, settings.items, items)
    return np.repeat(users, settings.random_ratings), np.sort(items, axis=1).ravel()


def write(synthetic: Synthetic, folder: str | Path) -> None:
    """The files of a prepared dataset, and the truth beside them."""
    folder = Path(folder)
    chosen: dict[str, Any] = {
        "user": synthetic.user,
        "item": synthetic.item,
        "rating": synthetic.rating,
        "timestamp": synthetic.timestamp,
    }
    at_random: dict[str, Any] = {
        "user": synthetic.random_user,
        "item": synthetic.random_item,
        "rating": synthetic.random_rating,
        "timestamp": None,
    }
    items = {"item": np.arange(synthetic.settings.items, dtype=np.int32)}
    levels = list(TAXONOMY_LEVELS)[: synthetic.parents.shape[1]]
    items |= dict(zip(levels, synthetic.parents.T, strict=True))
    _write_table(folder / "interactions.parquet", chosen)
    _write_table(folder / "random.parquet", at_random)
    _write_table(folder / "items.parquet", items)
    synthetic.truth.save(folder / "truth.npz")
    write_json(folder / "summary.json", summarise(synthetic))


def _write_table(path: Path, columns: dict[str, Any]) -> None:
    """A Parquet table, written group by group to spare memory; a column of None is all null."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {"rating": pa.float32(), "timestamp": pa.int64()}
    schema = pa.schema([(name, types.get(name, pa.int32())) for name in columns])
    rows = len(columns["item"])
    with atomic(path) as temporary, ParquetWriter(temporary, schema, compression="zstd") as writer:
        for first in range(0, max(rows, 1), _ROWS_A_GROUP):
            last = min(first + _ROWS_A_GROUP, rows)
            arrays = [
                pa.nulls(last - first, field.type)
                if columns[field.name] is None
                else pa.array(columns[field.name][first:last], field.type)
                for field in schema
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def summarise(synthetic: Synthetic) -> dict[str, Any]:
    """The facts that every prepared dataset states about itself, and the settings behind these."""
    chosen = (synthetic.user, synthetic.item, synthetic.rating, synthetic.timestamp)
    at_random = (synthetic.random_user, synthetic.random_item, synthetic.random_rating, None)
    return {
        "items": synthetic.settings.items,
        **_facts(*chosen),
        "duplicates_collapsed": 0,
        "bad_lines": 0,
        "random": _facts(*at_random) | {"duplicates_collapsed": 0},
        "source": "generated",
        "licence": "none needed: generated, no real person's ratings",
        "files": [],
        "settings": asdict(synthetic.settings),
    }


def _facts(user: NDArray, item: NDArray, rating: NDArray, time: NDArray | None) -> dict[str, Any]:
    """Counted as for data that are read, a group of rows at a time (users are sorted)."""
    import polars as pl

    from mnar.data.summary import Counts

    counts = Counts()
    cuts = np.searchsorted(user, np.arange(0, 1 + user.max(initial=0), _USERS_A_GROUP))
    groups = (
        pl.DataFrame(
            {
                "user": user[first:last],
                "item": item[first:last],
                "rating": rating[first:last].astype(np.float32),
                "timestamp": pl.Series([None] * (last - first), dtype=pl.Int64)
                if time is None
                else time[first:last],
            }
        )
        for first, last in pairwise([*cuts, len(user)])
        if last > first
    )
    for _ in counts.watching(groups):
        pass
    return counts.facts()
