"""The blend: its weights against numpy's least squares, and its scores against the sum of scores."""

import numpy as np
import pytest

from mnar.analyses.blend import FitPairs, blend, fit_weights, pairs_of, weighted_sum
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import ScoreMatrix
from mnar.matrices.ratings import Ratings
from mnar.splits.fold import Fold


def model(random, users, items, factors, offset=0.0):
    shapes = ((users, factors), (items, factors), items, users)
    return FactorModel(*(random.standard_normal(s).astype(np.float32) for s in shapes), offset)


def all_pairs(users, items):
    return np.repeat(np.arange(users), items), np.tile(np.arange(items), users)


def test_weights_equal_least_squares_with_an_intercept():
    random = np.random.default_rng(1)
    predictions = random.standard_normal((200, 3)) * [1, 50, 0.01] + [3, -20, 0]
    targets = predictions @ [0.5, 0.02, 4] + 1.5 + random.standard_normal(200)
    pairs = FitPairs(np.arange(200), np.arange(200), targets, np.zeros(200, int))
    weights, level = fit_weights(predictions, pairs)
    design = np.column_stack([predictions, np.ones(200)])
    expected = np.linalg.lstsq(design, targets, rcond=None)[0]
    np.testing.assert_allclose([*weights, level], expected, rtol=1e-8)


def test_weights_within_groups_equal_least_squares_with_a_level_for_each():
    random = np.random.default_rng(2)
    groups = np.repeat(np.arange(30), 6)
    predictions = random.standard_normal((180, 2)) + groups[:, None]
    targets = np.tile([1.0, 1, 1, 0, 0, 0], 30)
    weights, _ = fit_weights(predictions, FitPairs(groups, groups, targets, groups))
    design = np.column_stack([predictions, np.eye(30)[groups]])
    expected = np.linalg.lstsq(design, targets, rcond=None)[0][:2]
    np.testing.assert_allclose(weights, expected, rtol=1e-8)


def test_methods_that_say_the_same_share_the_weight():
    random = np.random.default_rng(3)
    column = random.standard_normal(50)
    pairs = FitPairs(np.arange(50), np.arange(50), 2 * column, np.zeros(50, int))
    weights, _ = fit_weights(np.column_stack([column, column, np.ones(50)]), pairs)
    np.testing.assert_allclose(weights, [1, 1, 0], atol=1e-8)


def test_weighted_sum_is_the_sum_of_scores():
    random = np.random.default_rng(4)
    models = [model(random, 5, 7, k, offset) for k, offset in ((3, 1.0), (0, -2.0), (4, 0.5))]
    weights = np.array([0.5, -2.0, 3.0])
    users, items = all_pairs(5, 7)
    expected = 0.25 + sum(w * m.predict(users, items) for w, m in zip(weights, models, strict=True))
    found = weighted_sum(models, weights, 0.25)
    np.testing.assert_allclose(found.predict(users, items), expected, rtol=1e-4, atol=1e-5)


def test_a_blend_predicts_at_the_time_of_the_rating():
    """The moving model alone explains the ratings, and only by their times."""
    random = np.random.default_rng(8)
    times = random.integers(1000, size=35)

    class Moving(ScoreMatrix):
        def predict_at(self, users, items, times):
            return times.astype(float)

    models = [model(random, 5, 7, 2), Moving(np.zeros((5, 7), np.float32))]
    users, items = all_pairs(5, 7)
    values = (2 * times + 1).astype(np.float32)
    held_out = Ratings.from_triplets(users, items, values, values > 0, (5, 7), times=times)
    sets, contexts = {"validation": held_out}, {"validation": Context()}
    blended, weights = blend(Fold(held_out, None, held_out, sets, contexts), models)
    np.testing.assert_allclose(weights, [0, 2], atol=1e-6)
    np.testing.assert_allclose(blended.predict_at(users, items, times), values, rtol=1e-6)


def test_models_of_another_kind_are_summed_as_if_they_had_factors():
    random = np.random.default_rng(5)
    models = [model(random, 5, 7, k, offset) for k, offset in ((3, 1.0), (2, 0.5))]
    users, items = all_pairs(5, 7)
    other = ScoreMatrix(models[1].predict(users, items).reshape(5, 7).astype(np.float32))
    weights = np.array([0.5, -2.0])
    expected = weighted_sum(models, weights, 0.25).predict(users, items)
    found = weighted_sum([models[0], other], weights, 0.25)
    assert not isinstance(found, FactorModel)
    assert (found.n_users, found.n_items) == (5, 7)
    np.testing.assert_allclose(found.predict(users, items), expected, rtol=1e-4, atol=1e-5)
    # Scores of a factor model lack the user's own level, which no order depends on.
    scores = found.scores(np.array([4, 2]))
    level = expected.reshape(5, 7)[[4, 2]] - scores
    np.testing.assert_allclose(level, level[:, :1].repeat(7, axis=1), atol=1e-5)


def fold_with(held_out, drawn=None):
    sets = {"validation": held_out}
    return Fold(held_out, None, held_out, sets, {"validation": Context(drawn=drawn)})


def test_blend_is_at_least_as_good_on_validation_as_each_of_its_models():
    random = np.random.default_rng(5)
    users, items = all_pairs(8, 6)
    values = random.integers(1, 6, len(users)).astype(np.float32)
    fold = fold_with(Ratings.from_triplets(users, items, values, values >= 4, (8, 6)))
    models = [model(random, 8, 6, 2), model(random, 8, 6, 0, 3.0)]
    blended, weights = blend(fold, models)
    errors = [np.mean((m.predict(users, items) - values) ** 2) for m in (*models, blended)]
    assert errors[2] <= min(errors[:2])
    assert len(weights) == 2


def test_track_2_tells_liked_from_drawn_items_within_each_user():
    liked = Ratings.from_triplets(
        np.array([0, 0, 0, 1]),
        np.array([0, 1, 2, 4]),
        np.array([5, 4, 5, 1], np.float32),
        np.array([True, True, True, False]),
        (2, 8),
    )
    drawn = (np.array([0, 0, 0]), np.array([3, 5, 7]))
    pairs = pairs_of(fold_with(liked, drawn), "validation")
    assert pairs.users.tolist() == [0] * 6
    assert pairs.items.tolist() == [0, 1, 2, 3, 5, 7]
    assert pairs.targets.tolist() == [1, 1, 1, 0, 0, 0]
    assert pairs.groups.tolist() == [0] * 6


@pytest.mark.parametrize("level", [0.0, 7.0])
def test_what_is_the_same_for_all_items_of_a_user_changes_no_weight_in_track_2(level):
    random = np.random.default_rng(6)
    groups = np.repeat(np.arange(10), 6)
    predictions = random.standard_normal((60, 2))
    pairs = FitPairs(groups, groups, np.tile([1.0, 1, 1, 0, 0, 0], 10), groups)
    shifted = predictions + level * random.standard_normal(10)[groups][:, None]
    found = [fit_weights(columns, pairs)[0] for columns in (predictions, shifted)]
    np.testing.assert_allclose(*found, rtol=1e-8)
