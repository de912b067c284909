"""Protocols: each against docs/protocols.md, by properties and slow versions."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from mnar import splits
from mnar.core.errors import UserError
from mnar.matrices import user_order
from mnar.matrices.view import Entries, View
from mnar.splits import (
    FOLD_IN,
    TEST,
    TRAIN,
    UNUSED,
    VALIDATION,
    Split,
    load_split,
    save_splits,
    track2,
)
from mnar.splits._newest import move_newest
from mnar.splits.fold import Fold
from mnar.splits.four_folds import held_out
from mnar.splits.track2 import draw_unrated

SETTINGS = {
    "four-folds": {},
    "global-time": {},
    "last-five": {},
    "probe": {},
    "selected": {},
    "strong": {"evaluation_users": "halves"},
    "track1": {},
    "track2": {},
}


def entries(user, item, rating=None, relevant=None, time=None):
    user, item = np.asarray(user, np.int32), np.asarray(item, np.int32)
    n = len(user)
    return Entries(
        user,
        item,
        np.full(n, 5, np.float32) if rating is None else np.asarray(rating, np.float32),
        np.ones(n, np.bool_) if relevant is None else np.asarray(relevant, np.bool_),
        np.full(n, -1, np.int64) if time is None else np.asarray(time, np.int64),
    )


def view_of(ratings, shape, random=None, parents=None, part=()):
    return View(
        np.arange(shape[0]),
        np.arange(shape[1]),
        ratings,
        entries([], []) if random is None else random,
        np.zeros((shape[1], 0), np.int32) if parents is None else parents,
        part=np.asarray(part, np.uint8),
    )


def random_view(seed, n_users=30, n_items=40, density=0.4, times=6):
    """Every user has a rating; few different times, so that there are ties."""
    random = np.random.default_rng(seed)
    rated = random.random((n_users, n_items)) < density
    rated[np.arange(n_users), random.integers(n_items, size=n_users)] = True
    user, item = np.nonzero(rated)
    ratings = entries(
        user, item, None, random.random(len(user)) < 0.6, random.integers(times, size=len(user))
    )
    asked = random.random((n_users, n_items)) < 0.1
    part = random.integers(3, size=len(user))
    return view_of(ratings, (n_users, n_items), entries(*np.nonzero(asked)), part=part)


views = st.builds(
    random_view,
    st.integers(0, 10_000),
    n_users=st.integers(4, 12),
    n_items=st.integers(8, 25),
    density=st.floats(0, 0.8),
    times=st.sampled_from([1, 3, 1000]),
)


def rows_of(view, user):
    return np.flatnonzero(view.ratings.user == user)


def pairs(of, keep=slice(None)):
    return set(zip(of.user[keep].tolist(), of.item[keep].tolist(), strict=True))


def test_every_file_without_underscore_is_a_protocol():
    assert splits.names() == sorted(SETTINGS)
    with pytest.raises(
        UserError, match=r"Unknown protocol 'five'; did you mean 'last-five'\? Known are"
    ):
        splits.split("five", random_view(0), {}, 0, 0)


# Chance has no part in splitting at one moment.
@pytest.mark.parametrize("protocol", sorted(set(SETTINGS) - {"global-time"}))
def test_a_split_depends_on_seed_and_fold_and_nothing_else(protocol):
    view = random_view(1)
    if protocol == "track1":
        view = replace(view, part=np.zeros(0, np.uint8))
    before = [column.copy() for column in vars(view.ratings).values()]

    def bytes_of(fold, seed):
        split = splits.split(protocol, view, SETTINGS[protocol], fold, seed)
        return b"".join(column.tobytes() for column in vars(split).values())

    assert bytes_of(2, 7) == bytes_of(2, 7)
    assert len({bytes_of(fold, seed) for fold in range(3) for seed in range(3)}) == 9
    after = vars(view.ratings).values()
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("protocol", sorted(SETTINGS))
@settings(deadline=None)
@given(view=views, fold=st.integers(0, 3))
def test_every_rating_has_one_role_and_random_ratings_are_unseen(protocol, view, fold):
    try:
        split = splits.split(protocol, view, SETTINGS[protocol], fold, 3)
    except UserError:
        assert protocol in ("probe", "track2", "global-time", "four-folds")
        return
    assert split.roles.shape == (len(view.ratings),)
    assert split.roles.dtype == np.uint8
    third = {"strong": {FOLD_IN}, "global-time": {TEST, UNUSED}}.get(protocol, {TEST})
    assert set(split.roles) <= {TRAIN, VALIDATION} | third

    learned = pairs(view.ratings, (split.roles == TRAIN) | (split.roles == FOLD_IN))
    evaluated = set(range(view.shape[0]))
    if protocol == "strong":
        evaluated = set(view.ratings.user[split.roles == FOLD_IN].tolist())
    if protocol == "global-time":
        evaluated = set(view.ratings.user[split.roles == TRAIN].tolist())
    expected = [
        pair not in learned and pair[0] in evaluated
        for pair in zip(view.random.user.tolist(), view.random.item.tolist(), strict=True)
    ]
    assert split.random.tolist() == expected


def slow_held_out(n, test, validation):
    """Seats by largest remainder, one after the other, in the order test, training, validation."""
    shares = {"test": test, "training": 1 - test - validation, "validation": validation}
    seats = {name: int(n * share) for name, share in shares.items()}
    left = sorted(shares, key=lambda name: seats[name] - n * shares[name])
    for name in left[: n - sum(seats.values())]:
        seats[name] += 1
    if n and not seats["training"]:
        seats["validation" if seats["validation"] else "test"] -= 1
    return seats["test"], seats["validation"] if seats["test"] else 0


@pytest.mark.parametrize(
    ("test", "validation"), [("0.2", "0.1"), ("0.2", "0.4"), ("0.05", "0.3"), ("0.4", "0.55")]
)
def test_sizes_are_those_of_the_largest_remainder(test, validation):
    test, validation = Fraction(test), Fraction(validation)
    counts = np.arange(300)
    to_test, to_validation = held_out(counts, test, validation)
    expected = [slow_held_out(n, test, validation) for n in counts.tolist()]
    assert list(zip(to_test.tolist(), to_validation.tolist(), strict=True)) == expected
    assert np.all((to_test + to_validation < counts) | (counts == 0))


def test_sizes_of_small_users_by_hand():
    to_test, to_validation = held_out(np.arange(8), Fraction("0.2"), Fraction("0.1"))
    assert to_test.tolist() == [0, 0, 1, 1, 1, 1, 1, 1]
    assert to_validation.tolist() == [0, 0, 0, 0, 0, 0, 1, 1]


@settings(deadline=None)
@given(view=views, fold=st.integers(0, 3))
def test_four_folds_hold_out_relevant_ratings_only(view, fold):
    relevant = [int(view.ratings.relevant[rows_of(view, u)].sum()) for u in range(view.shape[0])]
    wanted = [slow_held_out(n, Fraction("0.25"), Fraction("0.1")) for n in relevant]
    if not any(test for test, _ in wanted):
        with pytest.raises(UserError, match="no user has two relevant items"):
            splits.split("four-folds", view, {"test": 0.25}, fold, 5)
        return
    roles = splits.split("four-folds", view, {"test": 0.25}, fold, 5).roles
    assert np.all(roles[~view.ratings.relevant] == TRAIN)
    # Where all shares round to nothing, validation is drawn from all items together.
    share = 0 if any(validation for _, validation in wanted) else 1
    for user in range(view.shape[0]):
        mine = rows_of(view, user)
        test, validation = (roles[mine] == TEST).sum(), (roles[mine] == VALIDATION).sum()
        assert test == wanted[user][0]
        assert validation - wanted[user][1] in range(share + 1)


def test_four_folds_draw_uniformly():
    user, item = np.divmod(np.arange(3000 * 10), 10)
    view = view_of(entries(user, item), (3000, 10))
    roles = splits.split("four-folds", view, {}, 0, 1).roles
    for role, each in ((TEST, 600), (VALIDATION, 300)):
        counts = np.bincount(item[roles == role], minlength=10)
        assert counts.sum() == 10 * each
        # Without replacement within a user the counts vary less than this assumes, never more.
        assert chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"test": 0.5, "validation": 0.5}, "leave no training data"),
        ({"test": 0}, "setting test is 0; it must lie between 0 and 1"),
        ({"validation": 1.5}, "setting validation is 1.5; it must lie between 0 and 1"),
    ],
)
def test_four_folds_refuse_shares_that_make_no_sense(shares, message):
    with pytest.raises(UserError, match=message):
        splits.split("four-folds", random_view(0), shares, 0, 0)


@settings(deadline=None)
@given(view=views, held_out=st.integers(1, 7))
def test_last_five_holds_out_the_newest(view, held_out):
    roles = splits.split("last-five", view, {"held_out": held_out}, 0, 5).roles
    for user in range(view.shape[0]):
        mine = rows_of(view, user)
        out = roles[mine] != TRAIN
        assert out.sum() == min(held_out, len(mine) - 1)
        if out.any():
            assert view.ratings.time[mine][~out].max() <= view.ratings.time[mine][out].min()
    assert 0 <= (roles == TEST).sum() - (roles == VALIDATION).sum() <= 1


def test_last_five_breaks_ties_in_time_by_seed():
    time = [9, *[5] * 8, 1]
    view = view_of(entries([0] * 10, range(10), time=time), (1, 10))
    held = [splits.split("last-five", view, {}, fold, 0).roles != TRAIN for fold in range(400)]
    counts = np.sum(held, axis=0)
    assert counts[0] == 400
    assert counts[9] == 0
    assert chisquare(counts[1:9]).pvalue > 0.001


def test_probe_is_halved_and_never_trained_on():
    view = random_view(4)
    roles = splits.split("probe", view, {}, 0, 0).roles
    assert np.array_equal(roles == TRAIN, view.part == 0)
    assert 0 <= (roles == TEST).sum() - (roles == VALIDATION).sum() <= 1
    for part in (np.zeros(0, np.uint8), np.zeros_like(view.part)):
        with pytest.raises(UserError, match="needs a dataset with an official probe set"):
            splits.split("probe", replace(view, part=part), {}, 0, 0)


def evaluated_by(view, split):
    return set(view.ratings.user[split.roles != TRAIN].tolist())


@settings(deadline=None)
@given(view=views, share=st.sampled_from([0.2, 0.5, 0.9]))
def test_strong_cuts_evaluation_users_and_leaves_the_others_whole(view, share):
    wanted = {"evaluation_users": 3, "validation": share}
    split = splits.split("strong", view, wanted, 1, 5)
    evaluated = evaluated_by(view, split)
    assert len(evaluated) == 3
    for user in evaluated:
        roles = split.roles[rows_of(view, user)]
        assert set(roles) <= {FOLD_IN, VALIDATION}
        n = len(roles)
        rounded = int(n * Fraction(str(share)) + Fraction(1, 2))
        assert (roles == VALIDATION).sum() == min(max(rounded, 1), n - 1)


def test_strong_takes_those_with_random_ratings():
    view = random_view(5, n_users=60)
    random = entries([3, 3, 8], [0, 1, 2])
    split = splits.split(
        "strong", replace(view, random=random), {"evaluation_users": "random"}, 0, 0
    )
    assert evaluated_by(view, split) == {3, 8}


def test_strong_takes_a_share_or_a_number():
    view = random_view(6, n_users=50)
    for wanted, found in ((0.3, 15), (0.001, 1), (7, 7)):
        split = splits.split("strong", view, {"evaluation_users": wanted}, 0, 0)
        assert len(evaluated_by(view, split)) == found


def test_strong_halves_take_turns():
    view = random_view(7, n_users=31)
    folds = [splits.split("strong", view, {"evaluation_users": "halves"}, f, 9) for f in range(4)]
    who = [evaluated_by(view, split) for split in folds]
    assert who[0] | who[1] == who[2] | who[3] == set(range(31))
    assert len(who[0]) == len(who[2]) == 15
    assert not who[0] & who[1]
    assert not who[2] & who[3]
    assert who[0] not in (who[2], who[3])


def test_strong_holds_out_other_ratings_of_the_same_users_in_each_fold():
    view = random_view(5, n_users=60)
    view = replace(view, random=entries(range(50), [0] * 50))
    held_out = {
        splits.split("strong", view, {"evaluation_users": "random"}, fold, 1).roles.tobytes()
        for fold in range(6)
    }
    assert len(held_out) == 6


@pytest.mark.parametrize("which", [0, -2, 30, 1000, "random", "some"])
def test_strong_refuses_evaluation_users_that_leave_a_side_empty(which):
    view = replace(random_view(8), random=entries([], []))
    with pytest.raises(UserError, match=f"evaluation_users .*{which}"):
        splits.split("strong", view, {"evaluation_users": which}, 0, 0)


@settings(deadline=None)
@given(view=views)
def test_track1_orders_training_validation_and_test_in_time(view):
    view = replace(view, part=np.zeros(0, np.uint8))
    roles = splits.split("track1", view, {}, 0, 5).roles
    for user in range(view.shape[0]):
        mine = rows_of(view, user)
        n = len(mine)
        sizes = [(roles[mine] == role).sum() for role in (TEST, VALIDATION)]
        assert sizes == [min(6, n - 1), min(4, max(n - 7, 0))]
        times = [view.ratings.time[mine][roles[mine] == role] for role in (TRAIN, VALIDATION, TEST)]
        for earlier, later in ((0, 1), (1, 2), (0, 2)):
            if len(times[later]) and len(times[earlier]):
                assert times[earlier].max() <= times[later].min()


def test_track1_keeps_the_official_parts():
    view = random_view(9)
    roles = splits.split("track1", view, {}, 0, 0).roles
    assert roles.tolist() == [(TRAIN, VALIDATION, TEST)[part] for part in view.part]


def test_track1_tests_on_official_validation_where_test_ratings_are_withheld():
    view = random_view(9)
    view = replace(view, part=view.part % 2)
    roles = splits.split("track1", view, {}, 0, 0).roles
    assert np.array_equal(roles == TEST, view.part == 1)
    for user in range(view.shape[0]):
        mine = roles[rows_of(view, user)]
        training = (mine != TEST).sum()
        assert (mine == VALIDATION).sum() == min(4, max(training - 1, 0))
    untold = replace(view, part=np.zeros_like(view.part))
    by_time = splits.split("track1", replace(view, part=np.zeros(0, np.uint8)), {}, 0, 0)
    assert np.array_equal(splits.split("track1", untold, {}, 0, 0).roles, by_time.roles)


def slow_move_newest(starts, time, chance, roles, role, number):
    for first, last in pairwise(starts):
        training = [at for at in range(first, last) if roles[at] == TRAIN]
        training.sort(key=lambda at: (time[at], chance[at]))
        roles[training[1:][-number:]] = role


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 7))
def test_the_newest_are_moved_as_by_sorting(seed, number):
    random = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(random.integers(0, 12, size=20))])
    n = starts[-1]
    time = random.integers(-1, 3, size=n)
    chance = random.permutation(n).astype(np.uint32)
    roles = random.choice(np.array([TRAIN, TRAIN, TEST], np.uint8), size=n)
    expected = roles.copy()
    slow_move_newest(starts, time, chance, expected, VALIDATION, number)
    move_newest(starts, time, chance, roles, VALIDATION, number)
    assert np.array_equal(roles, expected)


@settings(deadline=None)
@given(view=views)
def test_track2_sets_three_against_three(view):
    rated = pairs(view.ratings)
    popular = set(view.ratings.item[view.ratings.relevant].tolist())
    drawable, qualified = {}, set()
    for user in range(view.shape[0]):
        mine = rows_of(view, user)
        drawable[user] = popular - {item for who, item in rated if who == user}
        enough = view.ratings.relevant[mine].sum() >= 3 and len(drawable[user]) >= 3
        if enough and len(mine) > 3:
            qualified.add(user)
    if len(qualified) < 2:
        with pytest.raises(UserError, match="Protocol track2 needs two users"):
            splits.split("track2", view, {}, 0, 5)
        return

    split = splits.split("track2", view, {}, 0, 5)
    assert evaluated_by(view, split) == qualified
    for user in qualified:
        mine = rows_of(view, user)
        held_out = mine[split.roles[mine] != TRAIN]
        drawn = split.drawn_user == user
        assert len(held_out) == 3
        assert view.ratings.relevant[held_out].all()
        assert len(set(split.drawn_item[drawn].tolist()) & drawable[user]) == drawn.sum() == 3
        roles = set(split.roles[held_out]) | set(split.drawn_role[drawn])
        assert len(roles) == 1
        assert roles <= {VALIDATION, TEST}
    sizes = [len(set(split.drawn_user[split.drawn_role == role])) for role in (VALIDATION, TEST)]
    assert sizes == [len(qualified) // 2, (len(qualified) + 1) // 2]
    assert np.all(np.diff(split.drawn_user) >= 0)


def test_track2_first_draw_follows_how_often_items_are_rated_highly():
    random = np.random.default_rng(11)
    popularity = 0.9 / np.arange(1, 61)
    rated = random.random((4000, 60)) < popularity
    rated[:, :2] |= random.random((4000, 2)) < 0.5
    user, item = np.nonzero(rated)
    view = view_of(entries(user, item, relevant=random.random(len(user)) < 0.7), (4000, 60))
    split = splits.split("track2", view, {}, 0, 12)

    weights = np.bincount(item[view.ratings.relevant], minlength=60)
    chances = np.where(rated, 0, weights)[split.drawn_user[::3]]
    expected = (chances / chances.sum(axis=1, keepdims=True)).sum(axis=0)
    observed = np.bincount(split.drawn_item[::3], minlength=60)
    assert len(chances) > 500
    assert chisquare(observed, expected).pvalue > 0.001
    uniform = ((chances > 0) / (chances > 0).sum(axis=1, keepdims=True)).sum(axis=0)
    assert chisquare(observed, uniform).pvalue < 1e-10


def test_track2_draws_one_after_the_other_without_replacement(monkeypatch):
    """All 60 ordered triples of the five items that a user with items 1 and 4 may get."""
    monkeypatch.setattr(track2, "USERS_AT_A_TIME", 8192)
    weights = np.array([5, 7, 1, 4, 9, 0, 2, 8])
    user, item = np.repeat(np.arange(30_000), 2), np.tile([1, 4], 30_000)
    view = view_of(entries(user, item), (30_000, 8))
    drawn = draw_unrated(view, weights, np.arange(30_000), np.random.default_rng(13))[1]
    found = Counter(map(tuple, drawn.reshape(-1, 3).tolist()))
    triples = list(permutations([0, 2, 3, 6, 7], 3))
    expected = []
    for triple in triples:
        left, chance = 20, 30_000.0
        for item in triple:
            chance *= weights[item] / left
            left -= weights[item]
        expected.append(chance)
    assert set(found) <= set(triples)
    assert chisquare([found[triple] for triple in triples], expected).pvalue > 0.001


def test_track2_takes_tracks_only_where_there_is_a_taxonomy():
    view = random_view(14, n_users=40, n_items=30)
    parents = np.full((30, 2), -1, np.int32)
    parents[:20, 0] = 25
    parents[20:25, 1] = 29
    split = splits.split("track2", replace(view, parents=parents), {}, 0, 0)
    assert split.drawn_item.max() < 20
    assert view.ratings.item[split.roles != TRAIN].max() < 20


def test_track2_takes_the_contests_own_test_where_it_is_given():
    view = random_view(14, n_users=40, n_items=60)
    rated = np.zeros(view.shape, np.bool_)
    rated[view.ratings.user, view.ratings.item] = True
    users = np.repeat([3, 5, 8], 6)
    items = np.concatenate([np.flatnonzero(~rated[user])[:6] for user in (3, 5, 8)])
    liked = np.tile([True, False, False, True, True, False], 3)
    # One of the last user's six is not known: that user is not scored.
    answers = entries(users[:-1], items[:-1], relevant=liked[:-1])
    view = replace(view, random=answers)
    split = splits.split("track2", view, {}, 0, 0)
    assert not (split.roles == TEST).any()
    fold = Fold.of(view, split)
    test, (drawn_user, drawn_item) = fold.sets["test"], fold.contexts["test"].drawn
    assert test.users.tolist() == drawn_user.tolist() == [3] * 3 + [5] * 3
    assert test.items.tolist() == items[:12][liked[:12]].tolist()
    assert drawn_item.tolist() == items[:12][~liked[:12]].tolist()
    held_out = fold.sets["validation"]
    assert (
        np.unique(held_out.users).tolist()
        == np.unique(fold.contexts["validation"].drawn[0]).tolist()
    )
    assert len(np.unique(held_out.users)) > 20


def test_all_folds_come_back_from_one_file(tmp_path):
    view = random_view(15)
    for protocol in ("track2", "strong"):
        folds = [splits.split(protocol, view, SETTINGS[protocol], f, 0) for f in range(3)]
        path = tmp_path / f"{protocol}.npz"
        save_splits(path, folds)
        first = path.read_bytes()
        save_splits(path, folds)
        assert path.read_bytes() == first
        for fold, expected in enumerate(folds):
            for name, column in vars(load_split(path, fold)).items():
                assert column.dtype == getattr(expected, name).dtype
                assert np.array_equal(column, getattr(expected, name))
        for fold in (-1, 3):
            with pytest.raises(UserError, match=f"has folds 0 to 2, but fold {fold} was asked"):
                load_split(path, fold)


def test_all_folds_are_the_folds_one_by_one():
    view = random_view(4)
    found = splits.all_folds("four-folds", view, {"folds": 3}, 5)
    alone = [splits.split("four-folds", view, {}, fold, 5) for fold in range(3)]
    assert [f.roles.tobytes() for f in found] == [f.roles.tobytes() for f in alone]
    assert len({f.roles.tobytes() for f in found}) == 3


def test_counts_by_hand():
    view = view_of(entries([0, 0, 0, 1, 2], [0, 1, 2, 0, 1]), (3, 4), entries([0, 1], [3, 3]))
    roles = np.array([TRAIN, VALIDATION, TEST, FOLD_IN, TEST], np.uint8)
    drawn = np.array([0, 0, 0], np.int32)
    split = Split(roles, np.array([True, False]), drawn, drawn, np.full(3, TEST, np.uint8))
    assert split.counts(view) == {
        "unused": 0,
        "train": 1,
        "validation": 1,
        "test": 2,
        "fold_in": 1,
        "random": 1,
        "drawn": 3,
        "users": 3,
        "users_in_validation": 1,
        "users_in_test": 2,
        "users_left_out": 1,
        "users_without_training": 1,
    }


def test_a_view_keeps_its_parts_on_disk(tmp_path):
    view = random_view(16)
    view.save(tmp_path / "view.npz")
    loaded = View.load(tmp_path / "view.npz")
    assert np.array_equal(loaded.part, view.part)
    assert loaded.part.dtype == np.uint8


@pytest.mark.parametrize("at_a_time", [1, 10, 999])
def test_users_may_be_shuffled_some_at_a_time(at_a_time, monkeypatch):
    users = np.sort(np.random.default_rng(1).integers(0, 300, 5000)).astype(np.int32)
    at_once = np.argsort(users + np.random.default_rng(7).random(len(users)), kind="stable")
    monkeypatch.setattr(user_order, "_AT_A_TIME", at_a_time)
    assert (user_order.shuffled(users, np.random.default_rng(7)) == at_once).all()
