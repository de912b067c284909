"""A small view in which popular items are rated more often, and selected ratings are better."""

import numpy as np

from mnar.matrices.view import Entries, View


def entries(user, item, rating):
    order = np.lexsort((item, user))
    user, item, rating = (np.asarray(part)[order] for part in (user, item, rating))
    values = rating.astype(np.float32)
    times = np.full(len(user), -1)
    return Entries(user.astype(np.int32), item.astype(np.int32), values, values >= 4, times)


def made_view(users=40, items=30, seed=3):
    """Item i is rated the more often the smaller i, and user-selected ratings are better."""
    random = np.random.default_rng(seed)
    chosen = np.nonzero(random.random((users, items)) < 1 / (1 + 0.3 * np.arange(items)))
    at_random = np.nonzero(random.random((users, items)) < 0.3)
    ratings = random.choice([1, 3, 4, 5], len(chosen[0]), p=[0.1, 0.2, 0.3, 0.4])
    plain = random.choice([1, 3, 4, 5], len(at_random[0]), p=[0.5, 0.2, 0.2, 0.1])
    return View(
        np.arange(users),
        np.arange(items),
        entries(*chosen, ratings),
        entries(*at_random, plain),
        np.empty((items, 0), np.int32),
    )
