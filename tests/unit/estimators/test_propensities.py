"""Propensity models against what they are defined by."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.estimates import estimate
from helpers.matrices import ratings_of
from helpers.rankings import model_of

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.data.selection import Chances
from mnar.estimators import propensities
from mnar.estimators.gains import gains_of
from mnar.estimators.propensities import logistic, published
from mnar.estimators.selected_ratings import Selected, held_out_chance
from mnar.matrices.ratings import Ratings
from mnar.statistics.bootstrap import MOST_DRAWN, user_samples

SHARE = 0.3


def case(users=300, items=40, seed=0):
    """Popular items and high ratings are rated more often."""
    random = np.random.default_rng(seed)
    values = random.integers(1, 6, (users, items)).astype(float)
    exposure = np.linspace(0.05, 0.6, items)
    alpha = exposure * np.array([0, 0.2, 0.2, 0.4, 0.8, 1.0])[values.astype(int)]
    rated = random.random(values.shape) < alpha
    held_out = rated & (random.random(values.shape) < SHARE)
    at_random = random.random(values.shape) < 0.25
    liked = values >= 4
    parts = (ratings_of(mask, liked, values) for mask in (rated & ~held_out, held_out, at_random))
    train, test, sample = parts
    return Selected(train, test, SHARE, random=sample), alpha, values


def test_popularity_counts_by_relevance():
    selected, _, _ = case()
    chances = propensities.chances("popularity", selected, {"gamma": 0.5}, None)
    held_out = selected.held_out
    for position in (0, 5, len(chances) - 1):
        same = selected.items == held_out.items[position]
        same &= selected.relevant == held_out.relevant[position]
        assert chances[position] == pytest.approx(same.sum() ** 0.5)


def test_naive_bayes_finds_the_chance_of_each_rating():
    """Against the mean chance of all cells with that rating, which the model cannot see."""
    selected, alpha, values = case(users=3000)
    found = propensities.chances("naive-bayes", selected, {}, None)
    for rating in (1, 3, 5):
        mine = selected.held_out.values == rating
        [chance] = np.unique(found[mine])
        expected = held_out_chance(alpha[values == rating].mean(), SHARE)
        assert chance == pytest.approx(expected, rel=0.08)


def test_naive_bayes_knows_how_many_users_a_drawn_group_has():
    """Beyond MOST_DRAWN users, groups are drawn: their chances must spread around those of the data."""
    selected, _, _ = case(users=MOST_DRAWN + 4000, items=8)
    times = user_samples(selected.shape[0], 40, "naive-bayes")
    assert times.shape[1] == MOST_DRAWN
    data = propensities.chances("naive-bayes", selected, {}, None)
    samples = propensities.chances("naive-bayes", selected, {}, times)
    assert samples.mean(axis=0) == pytest.approx(data, rel=0.03)


def test_naive_bayes_puts_many_values_into_classes():
    selected, _, _ = case()
    spread = np.random.default_rng(1).random(len(selected.held_out.values)) * 0.5

    def many(part):
        values = part.values + np.resize(spread, len(part.values)).astype(np.float32)
        return ratings_with(part, values)

    def ratings_with(part, values):
        from dataclasses import replace

        return replace(part, values=values)

    continuous = Selected(
        many(selected.train), many(selected.held_out), SHARE, random=many(selected.random)
    )
    found = propensities.chances("naive-bayes", continuous, {}, None)
    assert len(np.unique(found)) == 5
    liked = selected.held_out.relevant
    assert not set(found[liked]) & set(found[~liked])


def test_logistic_equals_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    selected, _, _ = case()
    found = propensities.chances("logistic", selected, {"cells": 10**9}, None)
    n_users, n_items = selected.shape
    rated, value = np.zeros((2, n_users, n_items))
    rated[selected.users, selected.items] = 1
    value[selected.users, selected.items] = selected.values
    columns = []
    for axis, shape in ((1, (n_users, 1)), (0, (1, n_items))):
        count = rated.sum(axis=axis)
        mean = np.where(
            count > 0, value.sum(axis=axis) / np.maximum(count, 1), value[rated > 0].mean()
        )
        for feature in (np.log1p(count), mean):
            scaled = (feature - feature.mean()) / feature.std()
            columns.append(np.broadcast_to(scaled.reshape(shape), rated.shape).ravel())
    design = np.column_stack(columns)
    peer = LogisticRegression(C=1e3, tol=1e-10).fit(design, rated.ravel())
    cells = selected.held_out.users * n_items + selected.held_out.items
    expected = held_out_chance(peer.predict_proba(design[cells])[:, 1], SHARE)
    np.testing.assert_allclose(found, expected, rtol=1e-3)


def test_logistic_is_fitted_again_in_each_sample():
    """Two Newton steps from the data's fit come as near as a fit from nothing."""
    selected, _, _ = case()
    times = user_samples(selected.shape[0], 3, "logistic")
    found = propensities.chances("logistic", selected, {"cells": 10**9}, times)
    alone = propensities.chances("logistic", selected, {"cells": 10**9}, None)
    rows = np.repeat(np.arange(selected.shape[0]), times[0].astype(int))
    n_users, n_items = selected.shape
    parts = []
    for part in (selected.train, selected.held_out):
        mask = np.zeros((n_users, n_items), bool)
        values = np.zeros((n_users, n_items))
        mask[part.users, part.items] = True
        values[part.users, part.items] = part.values
        parts.append(ratings_of(mask[rows], (values >= 4)[rows], values[rows]))
    again = propensities.chances("logistic", Selected(*parts, SHARE), {"cells": 10**9}, None)
    position = {}
    for n, (user, item) in enumerate(zip(parts[1].users, parts[1].items, strict=True)):
        position[rows[user], item] = n
    mine = [
        (found[0, n], alone[n], again[position[key]])
        for n, key in enumerate(zip(selected.held_out.users, selected.held_out.items, strict=True))
        if key in position
    ]
    ours, fixed, theirs = np.array(mine).T
    assert np.abs(ours / theirs - 1).max() < 0.02
    assert np.abs(ours / theirs - 1).mean() < 0.2 * np.abs(fixed / theirs - 1).mean()


def test_logistic_draws_cells_without_a_table_of_all():
    """The same cells as a table gives, and none of 90 GB where users and items are many."""
    selected, _, _ = case()
    users, items, rated = logistic._sampled_cells(selected, 500)
    table = np.zeros(selected.shape, bool)
    table[selected.users, selected.items] = True
    cells = np.sort(generator(selected.seed, "logistic").integers(table.size, size=500))
    np.testing.assert_array_equal(users * selected.shape[1] + items, cells)
    np.testing.assert_array_equal(rated, table.ravel()[cells])
    assert 0 < rated.sum() < 500
    shape = (300_000, 300_000)
    ends = np.array([0, shape[0] - 1])
    part = Ratings.from_triplets(ends, ends, np.array([2.0, 5.0]), np.array([False, True]), shape)
    found = propensities.chances("logistic", Selected(part, part, SHARE), {}, None)
    assert len(found) == 2


def test_logistic_is_the_same_in_blocks_of_samples():
    selected, _, _ = case(users=100)
    times = user_samples(selected.shape[0], logistic._ROWS + 3, "blocks")
    found = propensities.chances("logistic", selected, {}, times)
    for row in (0, logistic._ROWS - 1, logistic._ROWS, len(times) - 1):
        alone = propensities.chances("logistic", selected, {}, times[row : row + 1])
        np.testing.assert_array_equal(found[row], alone[0])


def test_what_is_missing_is_said():
    selected, _, _ = case()
    bare = Selected(selected.train, selected.held_out, SHARE)
    for model in ("known", "published", "naive-bayes"):
        with pytest.raises(UserError, match=f"{model} needs"):
            propensities.chances(model, bare, {}, None)


def test_published_matrix_is_read_and_checked(tmp_path):
    path = tmp_path / "propensities.ascii"
    path.write_text("0.1 0.2 0.9\n0.8 0.8 0.8\n0.3 0.4 0.9\n")
    # The second line and the third column belong to nobody and nothing in the view.
    view = SimpleNamespace(user_ids=np.array([1, 3]), item_ids=np.array([1, 2]))
    matrix = published.read(path, view)
    mask = np.array([[0, 1], [1, 0]], bool)
    selected = Selected(ratings_of(~mask), ratings_of(mask), SHARE, published=matrix)
    found = propensities.chances("published", selected, {}, None)
    np.testing.assert_allclose(found, held_out_chance(np.array([0.2, 0.3]), SHARE))
    longer = SimpleNamespace(user_ids=np.array([1, 4]), item_ids=np.array([1, 2]))
    with pytest.raises(UserError, match="3 lines of 3 numbers; the ratings go up to user 4"):
        published.read(path, longer)
    path.write_text("0.1 0\n0.3 0.4\n")
    with pytest.raises(UserError, match="above 0"):
        published.read(path, view)
    path.write_text("0.1 a\n")
    with pytest.raises(UserError, match="no matrix of numbers"):
        published.read(path, view)


def test_doubly_robust_is_unbiased_over_all_sets():
    """mae, since a root of a mean is not the mean of roots; with wrong imputed errors, too."""
    values = np.array([[5.0, 2, 4], [1, 5, 3]])
    liked = values >= 4
    trained = np.array([[1, 0, 0], [0, 0, 0]], bool)
    scores = np.array([[1.0, 3, 4.5], [2, 2, 5]])
    chances = Chances(np.array([0.8, 0.5, 0.4]), np.array([0.3, 0.6, 0.2]))
    cells = np.argwhere(~trained)
    rated = np.where(liked, chances.alpha, chances.beta)
    pi = (SHARE * rated / (SHARE * rated + 1 - rated))[~trained]
    expected = 0.0
    for drawn in product([False, True], repeat=len(cells)):
        held_out = np.zeros_like(trained)
        held_out[tuple(cells[np.array(drawn)].T)] = True
        parts = (ratings_of(mask, liked, values) for mask in (trained, held_out))
        selected = Selected(*parts, SHARE, chances=chances)
        [[found]] = estimate([model_of(scores)], selected, ["mae~dr(known)"], samples=0)
        expected += np.where(drawn, pi, 1 - pi).prod() * found.value
    assert expected == pytest.approx(np.abs(scores - values)[~trained].mean(), rel=1e-6)


def test_sampled_ranks_have_the_expected_mean():
    """Among uniform items atop does not change in expectation, recall@k rises."""
    selected, _, _ = case(users=2000)
    scores = np.round(np.random.default_rng(3).random(selected.shape), 2)
    names = ["atop", "atop|uniform|10", "recall@3", "recall@3|uniform|10"]
    gains = gains_of(model_of(scores), selected, names)
    error = gains["atop|uniform|10"].std() / np.sqrt(len(gains["atop"]))
    assert abs(gains["atop|uniform|10"].mean() - gains["atop"].mean()) < 4 * error
    assert gains["recall@3|uniform|10"].mean() > 2 * gains["recall@3"].mean()


def test_sampling_more_items_than_there_are_ranks_among_all():
    selected, _, _ = case()
    scores = np.round(np.random.default_rng(3).random(selected.shape), 1)
    gains = gains_of(model_of(scores), selected, ["adg", "adg|uniform|100"])
    np.testing.assert_allclose(gains["adg"], gains["adg|uniform|100"], rtol=1e-12)


def test_popular_items_are_drawn_by_their_ratings():
    from mnar.estimators.sampled import drawn_items

    selected, _, _ = case(users=2000)
    drawn = drawn_items(selected, "popularity", 5)
    counts = np.bincount(selected.train.items, minlength=selected.shape[1])
    found = np.bincount(drawn.ravel(), minlength=selected.shape[1])
    # Popular items are seen, or held out, more often: their share is a little lower.
    assert np.corrcoef(found, counts)[0, 1] > 0.95
    users = selected.held_out.users[selected.held_out.relevant]
    seen = set(zip(selected.train.users.tolist(), selected.train.items.tolist(), strict=True))
    pairs = zip(np.repeat(users, 5).tolist(), drawn.ravel().tolist(), strict=True)
    assert not seen & set(pairs)


def test_more_draws_than_items():
    """An item drawn again counts again, beyond the number of items."""
    selected, _, _ = case(users=30, items=12)
    scores = np.arange(12.0, 0, -1) * np.ones(selected.shape)
    gains = gains_of(model_of(scores), selected, ["adg|popularity|50"])["adg|popularity|50"]
    assert ((gains > 0.15) & (gains <= 1)).all()
    worst = selected.held_out.items[selected.held_out.relevant].argmax()
    assert gains[worst] == pytest.approx(1 / np.log2(52))
