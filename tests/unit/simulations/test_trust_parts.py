"""Parts of experiment trust by hand: what is better, what is decided, what is weighed by what."""

import numpy as np
import pytest

from mnar.data.selection import Chances
from mnar.estimators.selected_ratings import Selected
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.simulations.generators import missing_weights as curves
from mnar.simulations.trust import experiment, scenes
from mnar.simulations.trust.looks import Values
from mnar.simulations.trust.orders import compare, decisions, goodness, regret
from mnar.simulations.trust.price import _blended
from mnar.simulations.trust.summaries import places
from mnar.simulations.trust.systems import _with_chances, chances_in, systems_of, twins_of


def test_a_small_error_is_good_and_a_small_gain_is_bad():
    values = np.array([0.1, 0.5])
    for measure in ("rmse", "mae"):
        assert goodness(measure, values).argmax() == 0
    for measure in ("adg", "recall@10", "atop", "auc"):
        assert goodness(measure, values).argmax() == 1


def test_an_estimator_of_errors_is_judged_by_the_smallest():
    """The estimate orders by RMSE as the truth does: nothing is lost by believing it."""
    truth, estimate = np.array([0.8, 0.9, 1.0, 1.2]), np.array([0.7, 0.85, 0.9, 1.3])
    systems = list(range(4))
    values = [Values(systems, one, np.tile(one[:, None], 50)) for one in (estimate, truth)]
    judged = Values(systems, np.array([0.4, 0.3, 0.2, 0.1]), np.zeros((4, 50)))
    row, again = compare("rmse", *values, ("adg", judged), complete=True)
    assert row["regret"] == 0
    assert row["tau"] == row["tau_judge"] == 1
    assert (row["right"], row["wrong"]) == (1, 0)
    assert (again["tau"] == 1).all()


def test_ties_of_an_estimator_are_not_broken_by_the_truth():
    truth = np.array([1.0, 2, 3, 4, 10])
    # Best and worst are tied: on average (10 + 1) / 2 is picked.
    assert regret(np.array([1.0, 0, 0, 0, 1]), truth) == pytest.approx((10 - 5.5) / 7)


def test_differences_of_a_sampled_truth_must_be_sure():
    """The second and third system differ by noise; they count where the truth is complete alone."""
    truth = np.array([3.0, 1.1, 1.0])
    noise = np.where(np.arange(100) % 2, 0.5, -0.5)
    samples = truth[:, None] + np.outer([0, 1, -1], noise)
    said = np.tile(np.array([[3.0], [1.0], [2.0]]), 100)
    sure = decisions(said[:, 0], said, truth, samples, complete=False)
    assert sure == {"pairs": 2, "right": 1, "wrong": 0, "undecided": 0}
    every = decisions(said[:, 0], said, truth, samples, complete=True)
    assert every["pairs"] == 3
    assert every["wrong"] == pytest.approx(1 / 3)


def test_the_surer_of_two_estimates_weighs_more():
    spread = np.array([-1.0, 1.0])
    exact = Values([0], np.array([0.2]), 0.2 + 0.1 * spread[None])
    noisy = Values([0], np.array([0.8]), 0.8 + 0.3 * spread[None])
    # Variances 0.01 and 0.09: nine parts of ten are the exact one.
    assert _blended(exact, noisy) == pytest.approx([0.9 * 0.2 + 0.1 * 0.8])
    assert _blended(noisy, exact) == pytest.approx([0.9 * 0.2 + 0.1 * 0.8])


def test_known_chances_of_training_are_those_of_each_rating():
    users, items = np.array([0, 0, 1]), np.array([0, 1, 1])
    relevant = np.array([True, False, True])
    train = Ratings.from_triplets(users, items, np.ones(3), relevant, (2, 2))
    chances = Chances(np.array([0.5, 0.2]), np.array([0.25, 0.1]))
    selected = Selected(train, train, 0.3, chances=chances)
    found = _with_chances({"propensities": "known"}, selected)["propensities"]
    assert found == pytest.approx(0.7 * np.array([0.5, 0.1, 0.2]))
    assert _with_chances({"lambda": 1}, selected) == {"lambda": 1}


def test_published_chances_of_training_are_those_of_each_cell():
    users, items = np.array([0, 0, 1]), np.array([0, 1, 1])
    relevant = np.array([True, False, True])
    train = Ratings.from_triplets(users, items, np.ones(3), relevant, (2, 2))
    published = np.array([[0.1, 0.2], [0.3, 0.4]])
    selected = Selected(train, train, 0.3, published=published)
    found = _with_chances({"propensities": "published"}, selected)["propensities"]
    assert found == pytest.approx(0.7 * np.array([0.1, 0.2, 0.4]))


def test_systems_that_need_chances_are_left_out_where_there_are_none():
    entry = {
        f"mf-ips-{kind}": {"module": "mf-ips", "settings": {"propensities": kind}}
        for kind in ("known", "published", "popularity")
    }
    train = Ratings.from_triplets(
        np.array([0]), np.array([0]), np.ones(1), np.array([True]), (1, 1)
    )
    bare = Selected(train, train, 0.3)
    given = Selected(train, train, 0.3, published=np.ones((1, 1)))

    def names(selected):
        return [system.name for system in systems_of(entry, chances_in(selected))]

    assert names(bare) == ["mf-ips-popularity"]
    assert names(given) == ["mf-ips-published", "mf-ips-popularity"]


def test_twins_differ_in_nothing_but_weights():
    entry = {
        "observed-only": {"settings": {"factors": 3}, "grid": {"lambda": [0.1, 0.4]}},
        "mf-ips": {"settings": {"factors": 3}, "grid": {"gamma": [0.5, 1], "lambda": [0.4, 0.8]}},
        "mf-ips-known": {
            "module": "mf-ips",
            "settings": {"factors": 5, "lambda": 0.1, "propensities": "known"},
        },
    }
    assert twins_of(systems_of(entry, ["known"])) == {
        "mf-ips gamma=0.5, lambda=0.4": "observed-only lambda=0.4",
        "mf-ips gamma=1, lambda=0.4": "observed-only lambda=0.4",
    }


def test_places_are_shares_of_the_other_systems():
    values = np.array([[0.1, 3.0], [0.2, 3.0], [0.4, 1.0]])
    np.testing.assert_allclose(places(values), [[0, 0.75], [0.5, 0.75], [1, 0]])


def small_view():
    rng = np.random.default_rng(0)

    def entries(mask):
        user, item = (part.astype(np.int32) for part in np.nonzero(mask))
        values = rng.integers(1, 6, len(user)).astype(np.float32)
        return Entries(user, item, values, values >= 4, np.full(len(user), -1, np.int64))

    shape = (30, 20)
    drawn, rated = rng.random(shape) < 0.4, rng.random(shape) < 0.3
    ids = (np.arange(n) for n in shape)
    return View(*ids, entries(rated), entries(drawn), np.empty((shape[1], 0), np.int32))


def pairs(ratings):
    return set(zip(ratings.users.tolist(), ratings.items.tolist(), strict=True))


def test_what_propensities_were_fitted_on_is_no_truth():
    scene = scenes.observed(small_view(), {"held_out": 0.3}, 0, 1, (1, 5), spared=0.3)
    spared = pairs(scene.selected.random)
    assert spared
    assert not spared & pairs(scene.truth)
    assert not pairs(scene.selected.train) & pairs(scene.truth)


def test_every_seed_of_a_real_dataset_is_another_split(monkeypatch):
    """run_observed asks for fold 0, 1, 2, and each has other training ratings."""
    seen = []

    def watched(scene, *_):
        seen.append(frozenset(pairs(scene.selected.train)))
        return None

    monkeypatch.setattr(experiment, "run_scene", watched)
    monkeypatch.setattr(experiment, "_gathered", lambda name, where, cells: len(cells))
    entry = {"measures": ["adg"], "estimators": ["naive"], "held_out": 0.3, "seeds": 3}
    entry |= {"spared": 0.1, "systems": {}}
    assert experiment.run_observed("d", small_view(), {}, (1, 5), entry, 5, 1) == 3
    assert len(set(seen)) == 3


def test_curves_over_the_weight_take_the_best_lambda():
    """At the middle weight one λ is the best of all and the other one the worst."""
    weights = np.array([0, 0, 0.1, 0.1, 1, 1])
    values = np.array([0.5, 0.5, 0.2, 0.9, 0.6, 0.6])
    names = [*curves.GOALS, *curves.CUT_OFFS]
    found = curves._along_the_curves(dict.fromkeys(names, values), weights)
    assert found["worst_w_m_atop"] == 0
    assert found["rise_after_best_atop"] == 0
    assert found["rise_of_atop"] == pytest.approx(1)
