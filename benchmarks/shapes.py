"""Ratings to measure on: drawn once at a given shape, as skewed as MovieLens, and kept in a file.

A shape is a name (s, l, …) or numbers such as 480189x17770x100480507: users, items, ratings.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from mnar.core.files import write_arrays
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator, seed_of
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings
from mnar.models._pairwise_kernels import below, scramble

SEED = 2010
TASTES = 4
# Spread of the logarithm of an item's popularity and of a user's number of ratings; MovieLens 1M
# has 1.6 and 1.0 where the items with fewest ratings are left out.
ITEM_SPREAD, USER_SPREAD = 1.6, 1.0
USERS_PER_BLOCK = 2048
# Share of each user's ratings that is held out.
HELD_OUT = 0.2


@dataclass(frozen=True)
class Shape:
    users: int
    items: int
    ratings: int

    def __str__(self) -> str:
        return f"{self.users}x{self.items}x{self.ratings}"


NAMED = {
    "tiny": Shape(400, 300, 12_000),
    "s": Shape(10_000, 5_000, 710_000),
    "l": Shape(70_000, 10_700, 10_000_000),
    "netflix": Shape(480_189, 17_770, 100_480_507),
    "yahoo-music": Shape(1_000_990, 624_961, 262_810_175),
}


def shape_of(name: str) -> Shape:
    return NAMED[name] if name in NAMED else Shape(*map(int, name.split("x")))


def data_file(name: str, folder: Path) -> Path:
    """The file of training and held-out ratings of a shape or placed dataset; made where missing."""
    path = folder / f"{name}.npz"
    if not path.exists():
        ratings = movielens_1m(folder) if name == "movielens-1m" else draw(shape_of(name))
        train, held_out = halves(ratings)
        arrays = {"n_items": np.array(ratings.n_items)}
        for part, entries in (("train", train), ("held_out", held_out)):
            arrays |= {f"{part}_indptr": entries.indptr, f"{part}_items": entries.items}
        folder.mkdir(parents=True, exist_ok=True)
        write_arrays(path, arrays)
    return path


def matrix(indptr: NDArray[np.int64], items: NDArray[np.int32], n_items: int) -> Ratings:
    """Every entry is relevant and has the value 1: the data all peers can be given."""
    ones = np.ones(len(items), np.float32)
    return Ratings(indptr, items, ones, np.ones(len(items), np.bool_), n_items)


def few() -> Ratings:
    """A few ratings to compile kernels with, before a clock runs."""
    return matrix(np.array([0, 3, 6]), np.array([0, 1, 2, 1, 2, 3], np.int32), 5)


def halves(ratings: Ratings) -> tuple[Ratings, Ratings]:
    """A random fifth of the ratings is held out."""
    held_out = generator(SEED, "held out").random(len(ratings.items), np.float32) < HELD_OUT
    return ratings.select(~held_out), ratings.select(held_out)


def movielens_1m(folder: Path) -> Ratings:
    """All ratings of MovieLens 1M, whatever their value, from where a user places it."""
    import polars as pl

    from mnar.data.prepare import prepare

    root = Path(__file__).parents[1]
    entry = yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8"))["datasets"]
    prepare("movielens-1m", entry["movielens-1m"], root / "data" / "movielens-1m", folder / "ml-1m")
    table = pl.read_parquet(folder / "ml-1m" / "interactions.parquet", columns=["user", "item"])
    users, items = (np.unique(table[column], return_inverse=True)[1] for column in table.columns)
    ones = np.ones(len(users))
    shape = (int(users.max()) + 1, int(items.max()) + 1)
    return Ratings.from_triplets(users, items, ones, ones > 0, shape)


def draw(shape: Shape, threads: int = 2) -> Ratings:
    """Ratings of the given shape: popular items, active users, and tastes to be learnt."""
    random = generator(SEED, shape)
    popularity = random.permutation(np.exp(ITEM_SPREAD * _normal_scores(shape.items)))
    cumulative = np.cumsum(popularity)
    cumulative *= 2.0**32 / cumulative[-1]
    counts = _counts(shape, np.exp(USER_SPREAD * random.standard_normal(shape.users)))
    user_tastes = random.standard_normal((shape.users, TASTES), np.float32)
    item_tastes = random.standard_normal((shape.items, TASTES), np.float32)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    items = np.empty(indptr[-1], np.int32)
    key = np.uint64(seed_of(SEED, "items"))

    def work(first: int, last: int) -> None:
        draw_items(first, last, indptr, items, cumulative, user_tastes, item_tastes, key)

    for_blocks(work, shape.users, threads, USERS_PER_BLOCK)
    return matrix(indptr, items, shape.items)


def _normal_scores(n: int) -> NDArray[np.float64]:
    from scipy.special import ndtri

    return ndtri((np.arange(n) + 0.5) / n)


def _counts(shape: Shape, activity: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers in proportion to activity, at most a quarter of the catalogue, summing up."""
    most = shape.items // 4
    if shape.ratings > most * shape.users:
        raise ValueError(f"{shape} is too dense: a user rates a quarter of the items at most")
    counts = np.zeros(shape.users, np.int64)
    while (left := shape.ratings - int(counts.sum())) > 0:
        room = counts < most
        share = activity * room
        more = np.floor(left * share / share.sum()).astype(np.int64)
        if not more.any():
            more[np.argsort(-share, kind="stable")[:left]] = 1
        counts = np.minimum(counts + more, most)
    return counts


@njit(cache=True, nogil=True)
def draw_items(first, last, indptr, items, cumulative, user_tastes, item_tastes, key):
    """Distinct items for users first to last: by popularity, kept more often if to their taste."""
    last_user = np.full(len(cumulative), -1, np.int64)
    guide = np.searchsorted(cumulative, np.arange(65_537) * 65_536.0)
    for user in range(first, last):
        stream = scramble(key, user)
        draws = np.uint64(0)
        entry = indptr[user]
        while entry < indptr[user + 1]:
            draws += np.uint64(1)
            bits = scramble(stream, draws)
            drawn = np.float64(bits >> np.uint64(32))
            slot = np.int64(bits >> np.uint64(48))
            item = guide[slot]
            while item < len(cumulative) - 1 and cumulative[item] <= drawn:
                item += 1
            score = np.float32(0)
            for k in range(user_tastes.shape[1]):
                score += user_tastes[user, k] * item_tastes[item, k]
            # Kept with probability σ(2 score - 4), one in six, from the other half of the bits.
            kept = below(bits, 1_000_000) * (1 + np.exp(4 - 2 * score)) < 1_000_000
            if kept and last_user[item] != user:
                last_user[item] = user
                items[entry] = item
                entry += 1
        items[indptr[user] : indptr[user + 1]].sort()
