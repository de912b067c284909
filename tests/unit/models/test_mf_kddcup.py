"""The models of kddcup2011: biases, the taxonomy, and sampled missing entries."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.matrices import dense, random_ratings

from mnar.core.errors import UserError
from mnar.matrices.ratings import Ratings
from mnar.models import _balanced, mf_balanced, mf_balanced_taxonomy, mf_biased, mf_taxonomy
from mnar.models._als import padded, start, width
from mnar.models._taxonomy import Level, share

LAMBDA = 0.05
SETTINGS = {"factors": 3, "lambda": LAMBDA, "sweeps": 4}


def solve_biased(observed, targets, bias, vectors, towards=None):
    """[bias, vector] of each row by the normal equations of its observed entries."""
    design = np.column_stack([np.ones(len(vectors)), vectors])
    towards = np.zeros((len(observed), design.shape[1])) if towards is None else towards
    rows = towards.copy()
    for u, seen in enumerate(observed):
        if seen.any():
            ridge = LAMBDA * seen.sum()
            matrix = design[seen].T @ design[seen] + ridge * np.eye(design.shape[1])
            right = design[seen].T @ (targets[u] - bias)[seen] + ridge * towards[u]
            rows[u] = np.linalg.solve(matrix, right)
    return rows


def penalised_error(train, user_rows, item_rows, own):
    """Squared errors and penalties, with `own` the item's part beyond its ancestors'."""
    mean = train.values.mean()
    p, q = user_rows[train.users], item_rows[train.items]
    scores = mean + p[:, 0] + q[:, 0] + np.sum(p[:, 1:] * q[:, 1:], axis=1)
    penalty = np.sum(p**2) + np.sum(own[train.items] ** 2)
    return np.sum((train.values - scores) ** 2) + LAMBDA * penalty


def test_biased_model_equals_normal_equations():
    train = random_ratings()
    model = mf_biased.fit(train, SETTINGS, seed=2, threads=1)
    observed = dense(train, 1, 0) > 0
    targets = dense(train, train.values - train.values.mean(), 0)
    users = start(train.n_users, 4, seed=2)[:, :4].astype(np.float64)
    users[:, 0] = 0
    for _ in range(4):
        items = solve_biased(observed.T, targets.T, users[:, 0], users[:, 1:])
        users = solve_biased(observed, targets, items[:, 0], items[:, 1:])
    np.testing.assert_allclose(model.user_bias, users[:, 0], atol=1e-4)
    np.testing.assert_allclose(model.item_bias, items[:, 0], atol=1e-4)
    expected = users[:, 1:] @ items[:, 1:].T
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, expected, atol=1e-4)
    assert model.offset == pytest.approx(train.values.mean())


@pytest.mark.parametrize("unit", [1, 25])
@pytest.mark.parametrize("method", [mf_biased, mf_taxonomy])
def test_folding_the_training_data_in_gives_the_same_users(method, unit):
    train = random_ratings(parents=random_parents())
    settings = SETTINGS | {"unit": unit}
    model = method.fit(train, settings, seed=2, threads=1)
    folded = method.fold_in(model, train, settings, threads=2)
    np.testing.assert_allclose(folded.user_vectors, model.user_vectors, atol=1e-5)
    np.testing.assert_allclose(folded.user_bias, model.user_bias, atol=1e-5)
    with pytest.raises(UserError, match="knows 20 items"):
        method.fold_in(model, random_ratings(items=21), settings, threads=1)


def test_stars_and_points_give_the_same_model_in_units_of_a_star():
    stars = random_ratings()
    points = replace(stars, values=25 * (stars.values - 1))
    one = mf_biased.fit(stars, SETTINGS, seed=2, threads=1)
    other = mf_biased.fit(points, SETTINGS | {"unit": 25}, seed=2, threads=1)
    pairs = stars.users, stars.items
    np.testing.assert_allclose(other.predict(*pairs), 25 * (one.predict(*pairs) - 1), atol=1e-3)


def random_parents(items=20, seed=0):
    """Two levels: items 0 to 2 are the albums of most others, nodes 20 and 21 the genres of all."""
    random = np.random.default_rng(seed)
    parents = np.full((items, 2), -1, np.int32)
    parents[4:, 0] = random.integers(0, 3, items - 4)
    parents[:, 1] = random.integers(items, items + 2, items)
    return parents


def least_penalty(items, counts, parents):
    """The parts of all ancestors at once: penalised least squares with the whole design."""
    nodes = np.unique(parents[parents >= 0])
    design = np.zeros((len(items), len(nodes)))
    for column, node in enumerate(nodes):
        design[:, column] = (parents == node).any(axis=1) | (np.arange(len(items)) == node)
    weighted = design.T * counts
    matrix = weighted @ design + np.diag(weighted.sum(axis=1))
    return design @ np.linalg.solve(matrix, weighted @ items)


def levels_of(parents, length):
    return [Level(column, length) for column in parents.T]


def test_shared_parts_have_the_least_penalty():
    random = np.random.default_rng(1)
    items, counts = random.normal(size=(20, 8)).astype(np.float32), random.integers(1, 9, 20)
    parents = random_parents()
    levels = levels_of(parents, 8)
    for _ in range(60):
        total = share(levels, items, counts)
    np.testing.assert_allclose(total, least_penalty(items, counts, parents), atol=1e-4)


def test_an_album_has_the_part_that_its_tracks_have_of_it():
    parents = np.array([[-1], [0], [0], [-1]], np.int32)
    items = np.array([[2.0], [4], [6], [8]], np.float32) @ np.ones((1, 8), np.float32)
    (level,) = levels_of(parents, 8)
    total = share([level], items, np.array([1, 1, 2, 5]))
    part = (1 * 2 + 1 * 4 + 2 * 6) / (2 * (1 + 1 + 2))
    np.testing.assert_allclose(total[:, 0], [part, part, part, 0])


def test_items_are_the_sum_of_their_own_part_and_their_ancestors():
    """Each sweep lowers squared errors plus penalties of all parts, own and shared."""
    train = random_ratings(users=60, parents=random_parents())
    counts = np.bincount(train.items, minlength=train.n_items)
    levels = levels_of(train.parents, width(4))
    observed = dense(train, 1, 0) > 0
    targets = dense(train, train.values - train.values.mean(), 0)
    users = start(train.n_users, 4, seed=2)[:, :4].astype(np.float64)
    users[:, 0] = 0
    towards, costs = np.zeros((train.n_items, 4)), []
    for _ in range(4):
        items = solve_biased(observed.T, targets.T, users[:, 0], users[:, 1:], towards)
        shared = [level.parts_of_items()[:, :4] for level in levels]
        own = items - sum(shared)
        costs.append(cost(train, users, items, own, shared))
        towards = share(levels, padded(items.astype(np.float32)), counts)[:, :4]
        users = solve_biased(observed, targets, items[:, 0], items[:, 1:])
    assert (np.diff(costs) < 0).all()
    model = mf_taxonomy.fit(train, SETTINGS, seed=2, threads=2)
    np.testing.assert_allclose(model.item_bias, items[:, 0], atol=1e-4)
    expected = users[:, 1:] @ items[:, 1:].T
    np.testing.assert_allclose(model.user_vectors @ model.item_vectors.T, expected, atol=2e-4)


def cost(train, users, items, own, shared):
    penalties = sum(np.sum(part[train.items] ** 2) for part in shared)
    return penalised_error(train, users, items, own) + LAMBDA * penalties


def test_an_unrated_item_is_what_its_ancestors_are():
    train = random_ratings(users=60, parents=random_parents())
    model = mf_taxonomy.fit(train, SETTINGS | {"sweeps": 10}, seed=2, threads=1)
    assert model.item_vectors[-1].any()
    assert not mf_biased.fit(train, SETTINGS, seed=2, threads=1).item_vectors[-1].any()


@pytest.mark.parametrize("method", [mf_taxonomy, mf_balanced_taxonomy])
def test_taxonomy_is_needed(method):
    with pytest.raises(UserError, match="needs a dataset with a taxonomy"):
        method.fit(random_ratings(), SETTINGS, seed=2, threads=1)


@pytest.mark.parametrize("method", [mf_balanced, mf_balanced_taxonomy])
def test_balanced_models_trained_together_are_the_same_as_alone(method):
    train = random_ratings(users=60, parents=random_parents())
    points = [
        SETTINGS | {"ones": ones, "lambda": penalty}
        for ones in ("observed", "relevant")
        for penalty in (0.05, 0.2)
    ]
    points.append(points[0] | {"sweeps": 1})
    together = list(method.fit_grid(train, points, seed=2, threads=2))
    assert len({model.item_vectors.tobytes() for model in together}) == len(points)
    for point, model in zip(points, together, strict=True):
        alone = method.fit(train, point, seed=2, threads=1)
        np.testing.assert_array_equal(model.user_vectors, alone.user_vectors)
        np.testing.assert_array_equal(model.item_vectors, alone.item_vectors)


def solve_binary(side, vectors, towards):
    """The vector of each row by the normal equations of its ones and zeros."""
    rows = towards.copy()
    for row in range(side.n_users):
        entries = slice(side.indptr[row], side.indptr[row + 1])
        design, ridge = vectors[side.items[entries]], LAMBDA * len(side.items[entries])
        if ridge:
            matrix = design.T @ design + ridge * np.eye(design.shape[1])
            right = design.T @ side.values[entries] + ridge * towards[row]
            rows[row] = np.linalg.solve(matrix, right)
    return rows


@pytest.mark.parametrize("ones", ["observed", "relevant"])
@pytest.mark.parametrize("method", [mf_balanced, mf_balanced_taxonomy])
def test_balanced_models_equal_normal_equations(method, ones):
    """With the taxonomy, items are drawn to what their ancestors share, by all their entries."""
    given = random_ratings(users=60, parents=random_parents())
    train = given if ones == "observed" else given.select(given.values >= 4)
    users = start(train.n_users, 3, seed=2)[:, :3].astype(np.float64)
    towards, nothing = np.zeros((train.n_items, 3)), np.zeros_like(users)
    levels = levels_of(train.parents, width(3))
    for sweep in range(SETTINGS["sweeps"]):
        drawn = _balanced.draw(train, _balanced.items_to_draw(train, "uniform"), (2, sweep), 1)
        rows, columns = _balanced.both_sides(train, drawn)
        items = solve_binary(columns, users, towards)
        if method is mf_balanced_taxonomy:
            counts = np.diff(columns.indptr)
            towards = share(levels, padded(items.astype(np.float32)), counts)[:, :3]
        users = solve_binary(rows, items, nothing)
    model = method.fit(given, SETTINGS | {"ones": ones}, seed=2, threads=2)
    np.testing.assert_allclose(model.user_vectors, users, atol=1e-3)
    np.testing.assert_allclose(model.item_vectors, items, atol=1e-3)


def test_as_many_missing_entries_as_observed_ones():
    train = random_ratings(users=300, items=50)
    pool = _balanced.items_to_draw(train, "uniform")
    drawn = _balanced.draw(train, pool, (1, 0), threads=1)
    for user in range(train.n_users):
        row = slice(train.indptr[user], train.indptr[user + 1])
        missing = drawn[row]
        assert len(np.unique(missing)) == len(train.items[row])
        assert not np.isin(missing, train.items[row]).any()
        assert (missing >= 0).all()


def test_draws_change_with_seed_and_sweep_but_not_with_threads():
    train = random_ratings(users=3 * _balanced.ROWS, items=50)
    pool = _balanced.items_to_draw(train, "uniform")
    drawn = _balanced.draw(train, pool, (1, 0), threads=1)
    assert np.array_equal(drawn, _balanced.draw(train, pool, (1, 0), threads=2))
    assert not np.array_equal(drawn, _balanced.draw(train, pool, (1, 1), threads=1))
    assert not np.array_equal(drawn, _balanced.draw(train, pool, (2, 0), threads=1))


def test_a_user_who_has_rated_nearly_everything_gets_what_is_left():
    everything = np.arange(10)
    train = Ratings.from_triplets(
        np.zeros(8, int), everything[:8], np.ones(8), np.ones(8, bool), (1, 10)
    )
    drawn = _balanced.draw(train, _balanced.items_to_draw(train, "uniform"), (1, 0), 1)
    assert sorted(drawn) == [-1] * 6 + [8, 9]
    popular = _balanced.items_to_draw(train, "popularity")
    assert (_balanced.draw(train, popular, (1, 0), 1) == -1).all()


@pytest.mark.parametrize("sampling", ["uniform", "popularity"])
def test_drawn_items_have_the_frequencies_asked_for(sampling):
    """Users with a single rating of the last item: each draws one of the others."""
    random = np.random.default_rng(0)
    users = np.arange(8000)
    columns = np.concatenate([np.full(6000, 5), random.choice(5, 2000, p=[0.4, 0.3, 0.2, 0.1, 0])])
    relevant = users >= 6000
    train = Ratings.from_triplets(users, columns, np.ones(8000), relevant, (8000, 6))
    pool = _balanced.items_to_draw(train, sampling)
    drawn = _balanced.draw(train, pool, (1, 0), threads=1)[:6000]
    counts = np.bincount(columns[6000:], minlength=5)
    shares = counts / counts.sum() if sampling == "popularity" else np.full(5, 0.2)
    expected = 6000 * shares
    found = np.bincount(drawn, minlength=5)
    assert (found[expected == 0] == 0).all()
    positive = expected > 0
    chi_square = np.sum((found - expected)[positive] ** 2 / expected[positive])
    assert chi_square < 23.5  # p = 1e-4 with four degrees of freedom


def test_both_sides_hold_the_same_entries():
    train = random_ratings()
    drawn = _balanced.draw(train, _balanced.items_to_draw(train, "uniform"), (1, 0), 1)
    rows, columns = _balanced.both_sides(train, drawn)
    expected = dense(train, 1.0, -1.0)
    expected[train.users, drawn] = 0
    np.testing.assert_array_equal(dense(rows, rows.values, -1.0), expected)
    np.testing.assert_array_equal(dense(columns, columns.values, -1.0), expected.T)
    for side in (rows, columns):
        entries = side.users.astype(np.int64) * side.n_items + side.items
        assert (np.diff(entries) > 0).all()


def test_balanced_model_separates_observed_from_missing():
    """Two groups of users, each with its own half of the catalogue."""
    random = np.random.default_rng(0)
    group = np.arange(80) % 2
    chance = np.where(group[:, None] == np.arange(30) // 15, 0.7, 0.02)
    users, items = np.nonzero(random.random((80, 30)) < chance)
    train = Ratings.from_triplets(users, items, np.ones(len(users)), users >= 0, (80, 30))
    settings = {"factors": 4, "lambda": 0.02}
    model = mf_balanced.fit(train, settings, seed=1, threads=2)
    scores = model.user_vectors @ model.item_vectors.T
    own = group[:, None] == np.arange(30) // 15
    assert scores[own].mean() > 0.6
    assert scores[~own].mean() < 0.3
    again = mf_balanced.fit(train, settings, seed=1, threads=1)
    assert again.item_vectors.tobytes() == model.item_vectors.tobytes()


def test_unknown_sampling_is_refused():
    with pytest.raises(UserError, match="'uniform' or 'popularity'"):
        mf_balanced.fit(random_ratings(), SETTINGS | {"sampling": "fair"}, 1, 1)
    with pytest.raises(UserError, match="'observed' or 'relevant'"):
        mf_balanced.fit(random_ratings(), SETTINGS | {"ones": "all"}, 1, 1)
