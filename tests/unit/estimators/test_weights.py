"""Estimators against plain numpy on a tiny complete matrix: all held-out sets, with their chances."""

from itertools import product

import numpy as np
import pytest
from helpers.estimates import estimate
from helpers.matrices import ratings_of
from helpers.rankings import model_of

from mnar.core.errors import UserError
from mnar.data.selection import Chances
from mnar.estimators.estimator_names import parse
from mnar.estimators.selected_ratings import Selected, compared, held_out_chance
from mnar.estimators.weights import LEAST_EFFECTIVE, weights_of
from mnar.statistics.bootstrap import user_samples

SHARE = 0.3
ALPHA, BETA = np.array([0.9, 0.6, 0.3, 0.5]), np.array([0.4, 0.3, 0.1, 0.2])
LIKED = np.array([[1, 0, 1, 1], [0, 1, 1, 0]], bool)
TRAINED = np.array([[1, 0, 0, 0], [0, 0, 0, 0]], bool)
# A tie in the first row.
SCORES = np.array([[0.1, 0.7, 0.7, 0.2], [0.9, 0.3, 0.5, 0.4]])


def gains(measure):
    """Value of each unseen liked cell, by the definition: the mean over the places of a tie."""
    found = np.full(LIKED.shape, np.nan)
    for user, item in np.argwhere(LIKED & ~TRAINED):
        others = SCORES[user][~TRAINED[user]]
        above, tied = (others > SCORES[user, item]).sum(), (others == SCORES[user, item]).sum()
        positions = np.arange(above, above + tied)
        found[user, item] = {
            "adg": (1 / np.log2(positions + 2)).mean(),
            "atop": ((len(others) - 1 - positions) / (len(others) - 1)).mean(),
            "recall@1": (positions < 1).mean(),
        }[measure]
    return found


def selected_of(held_out, train=TRAINED, liked=LIKED, **more):
    values = np.where(liked, 5.0, 2.0)
    return Selected(
        ratings_of(train, liked, values), ratings_of(held_out, liked, values), SHARE, **more
    )


def expected_over_all_sets(measure, name, alpha):
    """Mean of an estimator over every possible held-out set, each with its true probability.

    A liked unseen cell is held out with probability h·α / (1 − (1 − h)·α): derived here from
    rating and splitting, not from the formula.
    """
    cells = np.argwhere(LIKED & ~TRAINED)
    rated_and_held, unrated = SHARE * ALPHA, 1 - ALPHA
    pi = (rated_and_held / (rated_and_held + unrated))[cells[:, 1]]
    total = weight = 0.0
    for drawn in product([False, True], repeat=len(cells)):
        chance = np.where(drawn, pi, 1 - pi).prod()
        held_out = np.zeros_like(LIKED)
        held_out[tuple(cells[np.array(drawn)].T)] = True
        sizes = (LIKED & ~TRAINED).sum(axis=1)
        value = 0.0
        if any(drawn):
            selected = selected_of(held_out, chances=Chances(alpha, BETA))
            [[found]] = estimate(
                [model_of(SCORES)], selected, [f"{measure}~{name}"], samples=0, relevant_sizes=sizes
            )
            value = found.value
        total += chance * value
        weight += chance
    assert weight == pytest.approx(1)
    return total


@pytest.mark.parametrize("measure", ["adg", "atop", "recall@1"])
def test_ips_is_unbiased_over_all_sets(measure):
    truth = np.nanmean(gains(measure))
    assert expected_over_all_sets(measure, "ips(known)", ALPHA) == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("measure", ["adg", "atop", "recall@1"])
def test_a_wrong_propensity_is_caught(measure):
    """With hα for π the estimate is off by far more than rounding."""
    truth = np.nanmean(gains(measure))
    # The α whose π is hα of the true one.
    wrong = SHARE * ALPHA
    alpha = wrong / (SHARE + (1 - SHARE) * wrong)
    assert held_out_chance(alpha, SHARE) == pytest.approx(SHARE * ALPHA)
    assert abs(expected_over_all_sets(measure, "ips(known)", alpha) / truth - 1) > 0.1


def test_chances_of_irrelevant_pairs_come_from_beta():
    everything = ~TRAINED
    chances = Chances(ALPHA, BETA)
    selected = selected_of(everything, chances=chances)
    weights = weights_of(parse("rmse~snips(known)"), selected).data
    rated = np.where(LIKED, ALPHA, BETA)[everything]
    np.testing.assert_allclose(weights, (1 - 0.7 * rated) / (0.3 * rated))


def random_case(users=40, items=30, seed=0):
    random = np.random.default_rng(seed)
    liked = random.random((users, items)) < 0.4
    popular = random.random(items) ** 2
    rated = random.random((users, items)) < 0.1 + 0.8 * popular
    held_out = rated & (random.random((users, items)) < SHARE)
    scores = np.round(random.random((users, items)), 1)
    chances = Chances(0.1 + 0.8 * popular, 0.1 + 0.8 * popular)
    selected = selected_of(held_out, rated & ~held_out, liked, chances=chances)
    return selected, scores


def plain_auc(selected, scores, weigh):
    """Σ w w' [s > s'] over the liked and other held-out items of each user."""
    above = below = 0.0
    held_out = selected.held_out
    for user in range(held_out.n_users):
        mine = np.flatnonzero(held_out.users == user)
        for i in mine[held_out.relevant[mine]]:
            for j in mine[~held_out.relevant[mine]]:
                s, t = scores[user, held_out.items[i]], scores[user, held_out.items[j]]
                weight = weigh(held_out.items[i], True) * weigh(held_out.items[j], False)
                above += weight * ((s > t) + 0.5 * (s == t))
                below += weight
    return above / below


def test_auc_pools_weighted_pairs():
    selected, scores = random_case()
    model = model_of(scores)
    [[naive, weighted]] = estimate([model], selected, ["auc", "auc~snips(known)"], samples=0)
    assert naive.value == pytest.approx(plain_auc(selected, scores, lambda item, liked: 1))

    def weigh(item, liked):
        rated = selected.chances.alpha[item] if liked else selected.chances.beta[item]
        return 1 / held_out_chance(rated, SHARE)

    assert weighted.value == pytest.approx(plain_auc(selected, scores, weigh))
    assert len(compared(selected.held_out).first) > 50


def test_aman_compares_with_all_other_unseen_items():
    selected, scores = random_case()
    [[found]] = estimate([model_of(scores)], selected, ["auc~aman"], samples=0)
    above = below = 0.0
    for user in range(selected.shape[0]):
        own = selected.held_out.items[
            (selected.held_out.users == user) & selected.held_out.relevant
        ]
        seen = selected.train.items[selected.train.users == user]
        others = np.setdiff1d(np.arange(selected.shape[1]), np.union1d(own, seen))
        for item in own:
            above += (scores[user, item] > scores[user, others]).sum()
            above += 0.5 * (scores[user, item] == scores[user, others]).sum()
            below += len(others)
    assert found.value == pytest.approx(above / below, rel=1e-9)


def test_effective_sample_size_and_flag():
    selected, scores = random_case()
    [[naive, weighted]] = estimate(
        [model_of(scores)], selected, ["adg", "adg~snips(known)"], samples=0
    )
    pairs = selected.held_out.relevant.sum()
    assert naive.effective == pytest.approx(pairs)
    weights = weights_of(parse("adg~snips(known)"), selected).data
    assert weighted.effective == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert weighted.effective < pairs
    few, scores = random_case(users=8)
    [[small]] = estimate([model_of(scores)], few, ["adg~snips(known)"], samples=0)
    assert small.effective < LEAST_EFFECTIVE


def test_clipping_cuts_at_the_quantile():
    selected, _ = random_case()
    whole = weights_of(parse("adg~snips(known)"), selected).data
    cut = weights_of(parse("adg~snips(known, clip=0.9)"), selected).data
    np.testing.assert_allclose(cut, np.minimum(whole, np.quantile(whole, 0.9)))


def test_wtd_takes_half_and_prefers_large_weights():
    selected, _ = random_case(users=200)
    whole = weights_of(parse("adg~snips(known)"), selected).data
    chosen = weights_of(parse("adg~wtd(known)"), selected).data
    assert set(chosen) == {0.0, 1.0}
    assert chosen.sum() == -(-len(whole) // 2)
    assert whole[chosen == 1].mean() > 1.2 * whole[chosen == 0].mean()


@pytest.mark.parametrize(
    "name",
    [
        "adg",
        "ndcg",
        "adg~snips(known)",
        "adg~snips(popularity)",
        "auc~snips(popularity, gamma=0.5)",
    ],
)
def test_bootstrap_samples_are_estimates_of_resampled_users(name):
    """Each sample equals the estimate from a matrix in which users stand as often as drawn.

    Propensities that are estimated are estimated again, which a fixed weight would not show.
    """
    from mnar.estimators import estimate_means
    from mnar.estimators.gains import gains_of

    selected, scores = random_case(users=15)
    times = user_samples(15, 3, "test")
    one = parse(name)
    model = model_of(scores)
    gains = gains_of(model, selected, [one.gain])[one.gain][None]
    means = estimate_means(one, gains, weights_of(one, selected, times), selected, times)
    for sample, drawn in enumerate(times):
        rows = np.repeat(np.arange(15), drawn.astype(int))
        dense = {}
        for part in ("train", "held_out"):
            ratings = getattr(selected, part)
            mask, liked = np.zeros((2, *selected.shape), bool)
            mask[ratings.users, ratings.items] = True
            liked[ratings.users, ratings.items] = ratings.relevant
            dense[part] = ratings_of(mask[rows], liked[rows], np.where(liked, 5.0, 2.0)[rows])
        again = Selected(dense["train"], dense["held_out"], SHARE, chances=selected.chances)
        [[found]] = estimate([model_of(scores[rows])], again, [name], samples=0)
        assert means.samples[0, sample] == pytest.approx(found.value, rel=1e-6)


def test_intervals_hold_the_value():
    selected, scores = random_case(users=200)
    [[found]] = estimate([model_of(scores)], selected, ["adg~snips(popularity)"], samples=200)
    assert found.low < found.value < found.high


def test_ips_needs_the_number_of_relevant_items():
    selected, scores = random_case()
    with pytest.raises(UserError, match="take snips"):
        estimate([model_of(scores)], selected, ["adg~ips(known)"], samples=0)
