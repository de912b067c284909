"""A fold as matrices: nothing that is held out is learned from, whatever the protocol."""

from dataclasses import replace

import numpy as np
import pytest

from mnar import splits
from mnar.core.errors import UserError
from mnar.matrices.context import head_items
from mnar.matrices.view import Entries, View
from mnar.splits import FOLD_IN, TRAIN, VALIDATION, fold
from mnar.splits.fold import Fold

USERS, ITEMS = 40, 30
PROTOCOLS = {"strong": {"evaluation_users": "halves"}}


def entries(mask, rng):
    users, items = np.nonzero(mask)
    values = rng.integers(1, 6, len(users)).astype(np.float32)
    time = rng.integers(10**6, size=len(users))
    return Entries(users.astype(np.int32), items.astype(np.int32), values, values >= 4, time)


@pytest.fixture
def view():
    rng = np.random.default_rng(3)
    chosen = entries(rng.random((USERS, ITEMS)) < 0.5, rng)
    random = entries(rng.random((USERS, ITEMS)) < 0.3, rng)
    parts = rng.integers(3, size=len(chosen)).astype(np.uint8)
    nothing = np.zeros((ITEMS, 0), np.int32)
    return View(np.arange(USERS), np.arange(ITEMS), chosen, random, nothing, part=parts)


def pairs(ratings):
    return set(zip(ratings.users.tolist(), ratings.items.tolist(), strict=True))


def pairs_in(view, rows):
    columns = (view.ratings.user[rows], view.ratings.item[rows])
    return set(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("protocol", splits.names())
def test_a_fold_has_each_rating_in_its_part_alone(view, protocol):
    split = splits.split(protocol, view, PROTOCOLS.get(protocol, {}), 0, 1)
    found = Fold.of(view, split)
    rows = {role: pairs_in(view, split.roles == role) for role in range(5)}
    assert pairs(found.seen) == rows[TRAIN] | rows[FOLD_IN]
    assert pairs(found.sets["validation"]) == rows[VALIDATION]
    assert pairs(found.sets["train"]) == rows[TRAIN]
    if protocol != "strong":
        assert pairs(found.train) == rows[TRAIN]
        assert found.fold_in is None
    for name in ("validation", "test", "random"):
        assert not pairs(found.seen) & pairs(found.sets[name]), name


def test_evaluation_users_are_folded_in_without_their_held_out_ratings(view):
    split = splits.split("strong", view, {"evaluation_users": 12}, 0, 1)
    found = Fold.of(view, split)
    assert pairs(found.fold_in) == pairs_in(view, split.roles == FOLD_IN)
    evaluated = np.unique(view.ratings.user[split.roles == FOLD_IN])
    assert len(evaluated) == 12
    # Rows of the training matrix are the other users, in their order.
    others = np.setdiff1d(np.arange(USERS), evaluated)
    assert found.train.n_users == len(others)
    kept = {(int(others[user]), item) for user, item in pairs(found.train)}
    assert kept == pairs_in(view, split.roles == TRAIN)


@pytest.mark.parametrize("protocol", ["four-folds", "strong"])
def test_the_head_is_counted_over_all_ratings_of_the_view(view, protocol):
    """The head is a fact about items; counted on training ratings alone it would follow the split."""
    found = Fold.of(view, splits.split(protocol, view, PROTOCOLS.get(protocol, {}), 0, 1))
    expected = head_items(np.bincount(view.ratings.item, minlength=ITEMS))
    for context in found.contexts.values():
        assert context.head.tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["validation", "test"])
@pytest.mark.parametrize("at_a_time", [7, 1 << 16])
def test_a_planted_leak_is_refused(view, name, at_a_time, monkeypatch):
    monkeypatch.setattr(fold, "USERS_AT_A_TIME", at_a_time)
    clean = Fold.of(view, splits.split("four-folds", view, {}, 0, 1))
    held_out = clean.sets[name]
    one = np.zeros(len(held_out.items), bool)
    one[-1] = True
    leaked = view.matrix(
        np.array(
            [
                pair in pairs(clean.train) | pairs(held_out.select(one))
                for pair in zip(view.ratings.user.tolist(), view.ratings.item.tolist(), strict=True)
            ]
        )
    )
    planted = replace(clean, train=leaked, seen=leaked)
    with pytest.raises(ValueError, match=f"The fold leaks: 1 ratings of {name} are in training"):
        planted.without_leak()


def test_a_rating_that_is_learned_from_unseen_is_refused(view):
    clean = Fold.of(view, splits.split("strong", view, {"evaluation_users": 12}, 0, 1))
    whole = view.matrix()
    with pytest.raises(ValueError, match=r"The fold leaks: .* are marked as seen"):
        replace(clean, fold_in=whole).without_leak()


def test_protocols_that_cannot_split_say_so(view):
    empty = replace(view, ratings=Entries(*(column[:0] for column in vars(view.ratings).values())))
    with pytest.raises(UserError):
        splits.split("track2", empty, {}, 0, 1)
