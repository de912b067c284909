"""Which measures are taken of which set when a fold is searched, and that any model can be searched."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from mnar import splits
from mnar.config import settings as configuration
from mnar.core.errors import UserError
from mnar.matrices.view import Entries, View
from mnar.splits.fold import Fold
from mnar.tuning.fold_search import train_fold

USERS, ITEMS = 12, 30
CONFIG = yaml.safe_load((Path(__file__).parents[3] / "config.yaml").read_text(encoding="utf-8"))
BEYOND_THE_TABLES = [
    "ease",
    "bpr",
    "item-knn",
    "user-knn",
    "item-knn-ranking",
    "user-knn-ranking",
    "integrated-model",
    "rbm",
    "mf-temporal",
    "cofirank",
]


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


def random_view() -> View:
    """Ratings 1 to 5 at random times, relevant from 4."""
    rng = np.random.default_rng(1)
    users, items = np.nonzero(rng.random((40, ITEMS)) < 0.6)
    values = rng.integers(1, 6, len(users)).astype(np.float32)
    times = rng.integers(10**8, size=len(users))
    entries = Entries(users.astype(np.int32), items.astype(np.int32), values, values >= 4, times)
    none = Entries(*(part[:0] for part in vars(entries).values()))
    return View(np.arange(40), np.arange(ITEMS), entries, none, np.empty((ITEMS, 0), np.int32))


@pytest.mark.parametrize("protocol", ["four-folds", "global-time"])
@pytest.mark.parametrize("name", BEYOND_THE_TABLES)
def test_methods_of_no_study_can_be_put_into_one(name, protocol):
    """As a study would take them from the config, with models that are no factor models."""
    config = {**CONFIG, "studies": {"tried": {"protocol": protocol}}}
    method = configuration.method_settings(config, "tried", "movielens-small", name)
    assert len(method["grid"]) > 0
    # The last value of each: the search is the same with fewer points.
    method["grid"] = {key: values[-1:] for key, values in method["grid"].items()}
    view = random_view()
    fold = Fold.of(view, splits.split(protocol, view, CONFIG["protocols"][protocol], 0, 1))
    study = {
        "candidates": ["unseen", "all"],
        "sets": ["validation", "test"],
        "measures": ["adg", "atop", "recall@10", "rmse"],
        "average": "user",
    }
    outcome = train_fold(fold, method, study, 1, 2)
    assert len(outcome.points) == 1
    measured = {(candidates, name) for _, candidates, name in outcome.scores}
    sets = {"validation", "test"}
    assert measured == {(c, s) for c in ("unseen", "all") for s in sets} | {("all", "train")}
    for values in outcome.scores.values():
        assert set(values) == set(study["measures"])
        assert all(np.isfinite(found.mean("user")) for found in values.values())
    # All of them have learned something of what they were trained on.
    trained = outcome.scores[0, "all", "train"]
    if method["select_by"] == "rmse":
        spread = fold.train.values.std()
        assert trained["rmse"].mean("pair") < spread
    else:
        assert trained["atop"].mean("user") > 0.55


def test_a_method_that_cannot_fold_in_is_refused_where_users_are_folded_in():
    view = random_view()
    fold = Fold.of(view, splits.split("strong", view, {"evaluation_users": 10}, 0, 1))
    method = {"module": "user-knn", "settings": {}, "grid": {}, "refine": 0, "select_by": "rmse"}
    study = {
        "candidates": ["unseen"],
        "sets": ["validation"],
        "measures": ["rmse"],
        "average": "pair",
    }
    with pytest.raises(UserError, match="user-knn has no fold_in"):
        train_fold(fold, method, study, 1, 1)
    found = train_fold(fold, {**method, "module": "item-knn"}, study, 1, 1)
    assert np.isfinite(found.scores[0, "unseen", "validation"]["rmse"].mean("pair"))
