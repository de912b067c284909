"""Which measures are taken of which set when a fold is searched."""

import numpy as np

from mnar import splits
from mnar.matrices.view import Entries, View
from mnar.splits.fold import Fold
from mnar.tuning.fold_search import train_fold

USERS, ITEMS = 12, 30


def liked_everywhere() -> View:
    """Every user has rated half of the items, all as relevant."""
    rng = np.random.default_rng(0)
    rated = np.sort([rng.permutation(ITEMS)[: ITEMS // 2] for _ in range(USERS)], axis=1)
    size = rated.size
    entries = Entries(
        np.repeat(np.arange(USERS, dtype=np.int32), ITEMS // 2),
        rated.ravel().astype(np.int32),
        np.full(size, 5, np.float32),
        np.ones(size, np.bool_),
        np.full(size, -1, np.int64),
    )
    none = Entries(*(part[:0] for part in vars(entries).values()))
    nothing = np.empty((ITEMS, 0), np.int32)
    return View(np.arange(USERS), np.arange(ITEMS), entries, none, nothing)


def test_training_items_have_no_measure_that_needs_drawn_pairs():
    view = liked_everywhere()
    fold = Fold.of(view, splits.split("track2", view, {}, 0, 1))
    method = {
        "module": "bestseller-count",
        "settings": {},
        "grid": {},
        "refine": 0,
        "select_by": "track2_error",
    }
    study = {
        "candidates": ["all"],
        "sets": ["test"],
        "measures": ["track2_error", "rmse"],
        "average": "user",
    }
    outcome = train_fold(fold, method, study, 1, 1)
    taken = {name: set(values) for (_, _, name), values in outcome.scores.items()}
    assert taken == {"test": {"track2_error", "rmse"}, "train": {"rmse"}}
