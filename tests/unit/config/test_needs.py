"""Memory that jobs ask for, from what methods say of themselves."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar import models, splits
from mnar.config import needs
from mnar.matrices.view import Entries, View

METHODS = {
    "item-knn": {},
    "item-knn-ranking": {"module": "item-knn"},
    "user-knn": {},
    "ease": {},
    "svd": {},
    "made-elsewhere": {"scores": {}},
}


def saved_view(path, user_ids, item_ids):
    none = np.zeros(0, np.int32)
    entries = Entries(none, none, none.astype(np.float32), none.astype(bool), none.astype(np.int64))
    parents = np.zeros((len(item_ids), 0), np.int32)
    View(user_ids, item_ids, entries, entries, parents).save(path)
    return str(path)


def words(count):
    return np.array([f"n{n}" for n in range(count)], np.dtypes.StringDType())


@pytest.mark.parametrize("ids", [np.arange, words])
def test_a_method_takes_what_it_says_of_users_and_items(tmp_path, ids):
    view = saved_view(tmp_path / "view.npz", ids(1000), ids(3000))
    asked = {m: needs.methods_mb({"methods": METHODS}, [m], view) for m in METHODS}
    assert asked["item-knn"] == asked["item-knn-ranking"] == 9 * asked["user-knn"] == 126
    assert asked["svd"] == asked["made-elsewhere"] == 0
    assert asked["ease"] == 180


def test_the_neediest_of_several_methods_counts(tmp_path):
    view = saved_view(tmp_path / "view.npz", np.arange(1000), np.arange(3000))
    assert needs.methods_mb({"methods": METHODS}, ["svd", "item-knn", "user-knn"], view) == 126
    assert needs.methods_mb({"methods": METHODS}, [], view) == 0


def test_of_complete_data_those_who_rated_all_are_the_users_of_trust(tmp_path):
    """Nine of ten users rated one item; their similarities must not be asked for."""
    users = np.concatenate([np.repeat(np.arange(100), 10), np.arange(100, 1000)]).astype(np.int32)
    items = np.concatenate([np.tile(np.arange(10), 100), np.zeros(900)]).astype(np.int32)
    values = np.ones(len(users), np.float32)
    entries = Entries(users, items, values, values > 0, np.full(len(users), -1, np.int64))
    none = Entries(*(column[:0] for column in vars(entries).values()))
    path = str(tmp_path / "view.npz")
    View(np.arange(1000), np.arange(10), entries, none, np.zeros((10, 0), np.int32)).save(path)
    systems = {"user-knn-ranking": {"module": "user-knn"}, "svd": {}}

    def asked(*has):
        return needs.trust_mb({"settings": {"systems": systems}, "has": has}, path)

    assert asked("random") == 14
    assert asked("complete") == 0


def test_a_view_that_is_not_there_yet_is_left_to_snakemake(tmp_path):
    with pytest.raises(FileNotFoundError):
        needs.methods_mb({"methods": METHODS}, ["item-knn"], str(tmp_path / "view.npz"))


def test_a_damaged_view_is_left_to_the_job(tmp_path):
    path = tmp_path / "view.npz"
    saved_view(path, np.arange(10), np.arange(30))
    path.write_bytes(path.read_bytes()[:200])
    assert needs.methods_mb({"methods": METHODS}, ["item-knn"], str(path)) == 0


@pytest.mark.parametrize("name", ["item-knn", "user-knn", "ease", "integrated-model"])
def test_methods_with_square_matrices_ask_for_at_least_what_a_model_holds(name):
    """Arrays of a trained model are part of what the method takes."""
    train = random_ratings(users=150, items=200, share=0.1)
    model = next(models.fit_grid(name, train, [{}], 1, 1))
    assert models.about(name).memory(150, 200) >= held(model)


def held(value):
    """Bytes of the square arrays (one side of them users or items) in a model."""
    parts = list(vars(value).values()) if hasattr(value, "__dict__") else []
    if isinstance(value, tuple):
        parts = list(value)
    own = value.nbytes if isinstance(value, np.ndarray) and min(value.shape, default=0) > 100 else 0
    return own * (getattr(value, "ndim", 0) == 2) + sum(map(held, parts))


@pytest.mark.parametrize("protocol", splits.names())
def test_a_protocol_that_loads_numba_says_so(protocol):
    program = f"import sys, {splits.module_name(protocol)}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == str(splits.compiled(protocol))
    asked = needs.split_mb(SimpleNamespace(protocol=protocol), {})
    assert asked == (210 if splits.compiled(protocol) else 70)


def test_a_generated_truth_takes_more_in_a_simulation():
    assert needs.simulate_mb(None, {"view": "v"}) < needs.simulate_mb(None, {"truth": "t"})
