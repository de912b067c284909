"""The three bestseller lists."""

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar.matrices.ratings import Ratings
from mnar.models import bestseller_count, bestseller_count_relevant, bestseller_mean

LISTS = [bestseller_mean, bestseller_count, bestseller_count_relevant]


def small() -> Ratings:
    """Item 0: 5 and 2; item 1: 5; item 2: 3 and 4; item 3: nothing."""
    users, items = np.array([0, 1, 0, 1, 2]), np.array([0, 0, 1, 2, 2])
    values = np.array([5.0, 2, 5, 3, 4])
    return Ratings.from_triplets(users, items, values, values >= 5, (3, 4))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        (bestseller_mean, [3.5, 5, 3.5, 19 / 5]),
        (bestseller_count, [2, 1, 2, 0]),
        (bestseller_count_relevant, [1, 1, 0, 0]),
    ],
)
def test_scores(method, expected):
    model = method.fit(small(), {}, seed=0, threads=1)
    np.testing.assert_allclose(model.item_bias, expected, rtol=1e-6)
    assert model.user_vectors.shape == (3, 0)
    assert model.item_vectors.shape == (4, 0)


@pytest.mark.parametrize("method", LISTS)
def test_equal_items_are_exact_ties(method):
    train = random_ratings()
    twice = Ratings.from_triplets(
        np.concatenate([train.users, train.users]),
        np.concatenate([train.items, train.items + train.n_items]),
        np.concatenate([train.values, train.values]),
        np.concatenate([train.relevant, train.relevant]),
        (train.n_users, 2 * train.n_items),
    )
    scores = method.fit(twice, {}, seed=0, threads=1).item_bias
    assert np.array_equal(scores[: train.n_items], scores[train.n_items :])
    assert len(np.unique(scores)) > 3


def test_mean_predicts_ratings():
    train = small()
    model = bestseller_mean.fit(train, {}, seed=0, threads=1)
    np.testing.assert_allclose(
        model.predict(np.array([2, 0]), np.array([1, 3])), [5, 3.8], rtol=1e-6
    )


@pytest.mark.parametrize("method", LISTS)
def test_new_users_get_the_same_list(method):
    train, others = random_ratings(), random_ratings(users=4)
    model = method.fit(train, {}, seed=0, threads=1)
    folded = method.fold_in(model, others, {}, threads=1)
    assert folded.n_users == 4
    assert np.array_equal(folded.item_bias, model.item_bias)
