"""Ranks among a few drawn items instead of all unseen ones, as many papers take them."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnar.core.seeds import generator
from mnar.estimators.selected_ratings import Selected
from mnar.kernels.compiled import njit
from mnar.matrices.model import Model, score_pairs
from mnar.measures.ranking import RankCounts

# Scores of that many cells are held at a time.
_CELLS = 1 << 22


@njit(cache=True, nogil=True)
def draw_others(random, users, items, n_items, indptr, seen, chances, drawn):
    """For each pair, items that are neither seen by its user nor the item itself.

    `chances` are running sums of the chance to be drawn. An empty one draws uniformly without
    replacement, all others where there are too few; positions that stay empty hold −1.
    """
    for pair in range(len(users)):
        taken = np.zeros(n_items, np.bool_)
        for entry in range(indptr[users[pair]], indptr[users[pair] + 1]):
            taken[seen[entry]] = True
        taken[items[pair]] = True
        left = n_items - taken.sum()
        drawn[pair] = -1
        if len(chances):
            some = False
            for item in range(n_items):
                step = chances[item] - (chances[item - 1] if item else 0.0)
                some |= not taken[item] and step > 0
            n = 0
            while some and n < drawn.shape[1]:
                item = np.searchsorted(chances, random.random() * chances[-1], side="right")
                if item < n_items and not taken[item]:
                    drawn[pair, n] = item
                    n += 1
        elif left <= drawn.shape[1]:
            drawn[pair, :left] = np.flatnonzero(~taken)
        else:
            n = 0
            while n < drawn.shape[1]:
                item = random.integers(0, n_items)
                if not taken[item]:
                    taken[item] = True
                    drawn[pair, n] = item
                    n += 1


@njit(cache=True, nogil=True)
def count_drawn(scores, first_user, users, items, drawn, above, tied, candidates):
    """How many drawn items score above, and how many as, the item of each pair, itself included."""
    for pair in range(len(users)):
        row = scores[users[pair] - first_user]
        score = row[items[pair]]
        tied[pair] = candidates[pair] = 1
        above[pair] = 0
        for item in drawn[pair]:
            if item >= 0:
                candidates[pair] += 1
                above[pair] += row[item] > score
                tied[pair] += row[item] == score


@lru_cache(maxsize=4)
def drawn_items(selected: Selected, how: str, size: int) -> NDArray[np.int32]:
    """The same for all models; `popularity` draws by training ratings, with replacement."""
    train, held_out = selected.train, selected.held_out
    positions = np.flatnonzero(held_out.relevant)
    drawn = np.empty((len(positions), size), np.int32)
    counts = np.bincount(train.items, minlength=train.n_items)
    chances = np.cumsum(counts, dtype=np.float64) if how == "popularity" else np.zeros(0)
    random = generator(selected.seed, "sampled", how, size)
    users, items = held_out.users[positions], held_out.items[positions]
    draw_others(random, users, items, train.n_items, train.indptr, train.items, chances, drawn)
    return drawn


def sampled_counts(model: Model, selected: Selected, how: str, size: int) -> RankCounts:
    """Where each relevant held-out item stands among the drawn ones."""
    drawn = drawn_items(selected, how, size)
    held_out = selected.liked
    users, items = held_out.users, held_out.items
    above, tied, candidates = (np.empty(len(users), np.int32) for _ in range(3))
    n_items = held_out.n_items
    block = max(1, _CELLS // n_items)
    for first in range(0, held_out.n_users, block):
        last = min(first + block, held_out.n_users)
        every = np.repeat(np.arange(first, last, dtype=np.int32), n_items)
        cells = np.tile(np.arange(n_items, dtype=np.int32), last - first)
        scores = score_pairs(model, every, cells).reshape(last - first, n_items)
        some = slice(held_out.indptr[first], held_out.indptr[last])
        found = (above[some], tied[some], candidates[some])
        count_drawn(scores, first, users[some], items[some], drawn[some], *found)
    alone = np.ones(len(users), np.int32)
    # Drawn with replacement, more may stand above than there are items.
    shape = (held_out.n_users, max(n_items, size + 1))
    return RankCounts(users, items, above, tied, 0 * alone, alone, alone, candidates, *shape)
