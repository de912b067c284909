"""From a prepared dataset to a view: relevance, and the rows that a recipe keeps (docs/datasets.md).

The recipe's steps come in one fixed order, each counting what the one before it left: `top_items`,
`top_users`, `sample_users`, then the minima `min_per_item` and `min_per_user`, repeated until both
hold. Columns are read one at a time, since Yahoo! Music has 263 million rows.
"""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.files import check_parquet
from mnar.core.seeds import generator
from mnar.matrices.view import Entries, View

STEPS = ("top_items", "top_users", "sample_users")
MINIMA = ("min_per_item", "min_per_user")
# Taxonomy columns of items.parquet, finest first.
LEVELS = ("album", "artist", "genre")

Index = NDArray[np.int32]
Mask = NDArray[np.bool_]


def make_view(folder: str | Path, settings: dict[str, Any]) -> View:
    """The view of the dataset in `folder` (results/data/<dataset>) that the settings describe.

    `view` names it in messages; `relevant` is a number (that rating or more), "highest" (the upper
    end of `scale`) or "dataset" (`dataset_relevant`); `keep` is "relevant" or "all"; `catalogue` is
    "rated" (items that are left), "listed" (also all of items.parquet) or "ids" (all whole numbers
    up to the largest id; as "listed" where ids are not numbers without wide gaps); the recipe as
    above, with `seed` where it samples.
    """
    folder = Path(folder)
    where = f"Dataset {folder.name}, view {settings['view']}"
    source = folder / "interactions.parquet"
    for table in ("interactions", "random", "items"):
        check_parquet(folder / f"{table}.parquet")
    user_ids, user = _coded(_column(source, "user"))
    item_ids, item = _coded(_column(source, "item"))
    rating = _column(source, "rating").to_numpy()
    threshold = _threshold(settings, rating, where)
    relevant = rating >= threshold

    rows, dropped = _recipe(user, item, relevant, settings, where)
    users_left = np.flatnonzero(np.bincount(user[rows]))
    items_left = np.flatnonzero(np.bincount(item[rows]))
    listing = pl.read_parquet(folder / "items.parquet")
    catalogue = _catalogue(item_ids[items_left], listing["item"], settings, where)

    user = _renumbered(users_left, np.arange(len(users_left)), user[rows])
    new_index = np.searchsorted(catalogue, item_ids[items_left])
    item = _renumbered(items_left, new_index, item[rows])
    user_ids = user_ids[users_left]
    order = _by_user_and_item(user, item, len(catalogue))
    if order is not None:
        user, item, rows = user[order], item[order], rows[order]

    times = _times(_column(source, "timestamp"))
    ratings = Entries(user, item, rating[rows], relevant[rows], times[rows])
    random, dropped["random"] = _random(folder / "random.parquet", user_ids, catalogue, threshold)
    part = np.zeros(0, np.uint8)
    if "part" in pl.read_parquet_schema(source):
        part = _column(source, "part").to_numpy()[rows]
    facts = {
        "users": len(user_ids),
        "items": len(catalogue),
        "interactions": len(ratings),
        "density": len(ratings) / (len(user_ids) * len(catalogue)),
        "relevant": int(ratings.relevant.sum()),
        "relevant_from": threshold,
        "random": len(random),
        "dropped": dropped,
        "recipe": {step: settings[step] for step in _given(STEPS + MINIMA, settings)},
    }
    return View(user_ids, catalogue, ratings, random, _parents(listing, catalogue), facts, part)


def _column(path: Path, name: str) -> pl.Series:
    return pl.read_parquet(path, columns=[name])[name]


def _ids(values: pl.Series) -> NDArray:
    """Ids as numpy has them: whole numbers, or text of any length."""
    if values.dtype.is_integer():
        return values.to_numpy()
    return np.array(values.to_list(), np.dtypes.StringDType())


def _coded(values: pl.Series) -> tuple[NDArray, Index]:
    """The different ids in order, and the index of each value among them."""
    if values.dtype.is_integer() and len(values):
        numbers = values.to_numpy()
        low, high = int(numbers.min()), int(numbers.max())
        # Numbers without wide gaps, as most datasets have: a table is several times faster.
        if high - low < len(numbers):
            seen = np.zeros(high - low + 1, np.bool_)
            seen[numbers - low] = True
            return np.flatnonzero(seen) + low, (np.cumsum(seen, dtype=np.int32) - 1)[numbers - low]
    ids = values.unique().sort()
    indices = pl.int_range(len(ids), dtype=pl.Int32, eager=True)
    return _ids(ids), values.replace_strict(ids, indices, return_dtype=pl.Int32).to_numpy()


def _index_of(ids: NDArray, values: NDArray) -> NDArray[np.int64]:
    """The index of each value among sorted ids, -1 where it is none of them."""
    index = np.minimum(np.searchsorted(ids, values), len(ids) - 1)
    return np.where(ids[index] == values, index, -1)


def _times(timestamp: pl.Series) -> NDArray[np.int64]:
    return timestamp.cast(pl.Int64).fill_null(-1).to_numpy()


def _threshold(settings: dict[str, Any], rating: NDArray[np.float32], where: str) -> float:
    """From which rating on one is relevant; all are where ratings do not differ and nothing is said."""
    relevant = settings["relevant"]
    if relevant == "dataset":
        relevant = settings.get("dataset_relevant")
    elif relevant == "highest":
        relevant = settings["scale"][1] if settings.get("scale") else None
    if relevant is None and rating.min() == rating.max():
        relevant = float(rating[0])
    if not isinstance(relevant, int | float):
        raise UserError(
            f"{where}: `relevant` is {settings['relevant']!r}, which needs "
            "the dataset's own `relevant` or `scale`; give it, or a number here."
        )
    return float(relevant)


def _given(steps: tuple[str, ...], settings: dict[str, Any]) -> list[str]:
    return [step for step in steps if settings.get(step) is not None]


def _recipe(
    user: Index, item: Index, relevant: Mask, settings: dict[str, Any], where: str
) -> tuple[NDArray[np.int64], dict[str, int]]:
    """Which rows are left, and how many each step dropped."""
    rows = np.flatnonzero(relevant) if settings["keep"] == "relevant" else np.arange(len(user))
    dropped = {"not_relevant": len(user) - len(rows)}
    _not_empty(rows, where, f"keep: {settings['keep']}")

    def narrow(step: str) -> int:
        """Leave only the rows that the step chooses."""
        nonlocal rows
        column = (item if "item" in step else user)[rows]
        chosen = _chosen(step, np.bincount(column), settings)
        before, rows = len(rows), rows[chosen[column]]
        _not_empty(rows, where, f"{step}: {settings[step]}")
        dropped[step] = dropped.get(step, 0) + before - len(rows)
        return before - len(rows)

    for step in _given(STEPS, settings):
        narrow(step)
    while sum([narrow(step) for step in _given(MINIMA, settings)]):
        pass
    return rows, dropped


def _not_empty(rows: NDArray[np.int64], where: str, step: str) -> None:
    if not len(rows):
        raise UserError(
            f"{where}: no rating is left after {step}; change that step, or `relevant`."
        )


def _chosen(step: str, counts: NDArray[np.int64], settings: dict[str, Any]) -> Mask:
    """Which ids a step of the recipe keeps, given how many rows each has."""
    if step in MINIMA:
        return counts >= settings[step]
    if step == "sample_users":
        ranked = generator(settings["seed"], step).permutation(np.flatnonzero(counts))
    else:
        # Ties go to the smaller id.
        ranked = np.argsort(-counts, kind="stable")
    chosen = np.zeros(len(counts), np.bool_)
    chosen[ranked[: settings[step]]] = True
    return chosen


def _catalogue(left: NDArray, listed: pl.Series, settings: dict[str, Any], where: str) -> NDArray:
    """The sorted ids of all items that can be recommended."""
    wanted = settings.get("catalogue")
    catalogue = left if wanted in (None, "rated") else np.union1d(left, _ids(listed))
    if wanted == "ids" and catalogue.dtype.kind in "iu":
        first, last = min(int(catalogue[0]), 1), int(catalogue[-1])
        # Where most numbers are no items they are names, and the unused ones mean nothing.
        if first >= 0 and last - first + 1 < 2 * len(catalogue):
            catalogue = np.arange(first, last + 1)
    if len(catalogue) < 2:
        raise UserError(f"{where}: the catalogue has one item only, so nothing can be ranked.")
    return catalogue


def _renumbered(old: NDArray, new: NDArray, codes: Index) -> Index:
    """Codes with new numbers for old ones."""
    number = np.zeros(old[-1] + 1, np.int32)
    number[old] = new
    return number[codes]


def _by_user_and_item(user: Index, item: Index, n_items: int) -> NDArray[np.int64] | None:
    """The order that sorts the rows; none where the prepared file has it already."""
    key = user.astype(np.int64) * n_items + item
    if (key[1:] > key[:-1]).all():
        return None
    return np.argsort(key, kind="stable")


def _random(
    path: Path, user_ids: NDArray, item_ids: NDArray, threshold: float
) -> tuple[Entries, int]:
    """The randomly selected ratings of users and items in the view, and how many are not."""
    rows = pl.read_parquet(path)
    if rows.is_empty():
        # Its id columns may have any type, so they are not compared.
        return Entries(*(np.zeros(0, kind) for kind in ("i4", "i4", "f4", "?", "i8"))), 0
    user = _index_of(user_ids, _ids(rows["user"])).astype(np.int32)
    item = _index_of(item_ids, _ids(rows["item"])).astype(np.int32)
    known = np.flatnonzero((user >= 0) & (item >= 0))
    order = known[np.lexsort((item[known], user[known]))]
    rating = rows["rating"].to_numpy()[order]
    time = _times(rows["timestamp"])[order]
    entries = Entries(user[order], item[order], rating, rating >= threshold, time)
    return entries, len(rows) - len(known)


def _parents(listing: pl.DataFrame, item_ids: NDArray) -> Index:
    """Ancestors of each item of the catalogue, a column for each level the listing knows.

    An ancestor that is in the catalogue itself (an album that can be rated) has its index there;
    the others are numbered on from the last item.
    """
    levels = [level for level in LEVELS if level in listing.columns and listing[level].count() > 0]
    parents = np.full((len(item_ids), len(levels)), -1, np.int32)
    free = len(item_ids)
    for column, level in enumerate(levels):
        pairs = listing.select("item", level).drop_nulls()
        item, ancestor = _ids(pairs["item"]), _ids(pairs[level])
        shared = _names_items(item, ancestor)
        index = _index_of(item_ids, item)
        index, ancestor = index[index >= 0], ancestor[index >= 0]
        different, which = np.unique(ancestor, return_inverse=True)
        node = _index_of(item_ids, different) if shared else np.full(len(different), -1)
        others = np.flatnonzero(node < 0)
        node[others] = free + np.arange(len(others))
        free += len(others)
        parents[index, column] = node[which]
    return parents


def _names_items(item: NDArray, ancestor: NDArray) -> bool:
    """Whether the ancestors of a level have the ids of items, or ids of their own.

    An album has no album. So where an ancestor's id is that of an item which has such an ancestor
    too, the ids only look alike.
    """
    if item.dtype.kind != ancestor.dtype.kind:
        return False
    return not (_index_of(np.unique(ancestor), item) >= 0).any()
