"""The rank-k baseline against numpy's complete decomposition."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from mnar.core.errors import UserError
from mnar.matrices.ratings import Ratings
from mnar.models import svd

SHAPES = pytest.mark.parametrize("shape", [(40, 25), (25, 40), (30, 30)])


def matrix_of(shape: tuple[int, int]) -> np.ndarray:
    return (np.random.default_rng(sum(shape)).random(shape) < 0.2).astype(float)


def ratings_of(matrix: np.ndarray) -> Ratings:
    """Relevant where the matrix is 1; ratings that are not relevant must not matter."""
    users, items = np.nonzero(matrix + np.eye(*matrix.shape))
    relevant = matrix[users, items] == 1
    return Ratings.from_triplets(users, items, np.ones(len(users)), relevant, matrix.shape)


def scores_of(model) -> np.ndarray:
    return model.user_vectors @ model.item_vectors.T


def truncated(matrix: np.ndarray, k: int) -> np.ndarray:
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return (left[:, :k] * values[:k]) @ right[:k]


@SHAPES
@pytest.mark.parametrize("dense_side", [0, 1000])
def test_every_rank_equals_numpy(shape, dense_side, monkeypatch):
    monkeypatch.setattr(svd, "DENSE_SIDE", dense_side)
    matrix = matrix_of(shape)
    points = [{"factors": k} for k in (3, 1, 10, 7)]
    models = svd.fit_grid(ratings_of(matrix), points, seed=1, threads=1)
    for settings, model in zip(points, models, strict=True):
        k = settings["factors"]
        assert model.item_vectors.shape == (shape[1], k)
        assert not model.item_bias.any()
        np.testing.assert_allclose(scores_of(model), truncated(matrix, k), atol=1e-6)


@SHAPES
@pytest.mark.parametrize("dense_side", [0, 1000])
def test_who_has_no_relevant_items_gives_all_items_the_same_score(shape, dense_side, monkeypatch):
    monkeypatch.setattr(svd, "DENSE_SIDE", dense_side)
    matrix = matrix_of(shape)
    matrix[[3, 17]] = 0
    matrix[:, [2, 11, 19]] = 0
    scores = scores_of(svd.fit(ratings_of(matrix), {"factors": 8}, seed=1, threads=1))
    assert not scores[[3, 17]].any()
    assert not scores[:, [2, 11, 19]].any()
    assert scores.any(axis=1).sum() == shape[0] - 2


@SHAPES
@pytest.mark.parametrize("k", [24, 25, 40, 100])
def test_no_more_factors_than_the_matrix_has(shape, k):
    matrix = matrix_of(shape)
    model = svd.fit(ratings_of(matrix), {"factors": k}, seed=1, threads=1)
    assert model.user_vectors.shape[1] == min(k, *shape)
    np.testing.assert_allclose(scores_of(model), truncated(matrix, k), atol=1e-6)


def test_one_user_is_enough():
    matrix = np.array([[1.0, 0, 1, 0]])
    model = svd.fit(ratings_of(matrix), {"factors": 3}, seed=1, threads=1)
    np.testing.assert_allclose(scores_of(model), matrix, atol=1e-6)


@pytest.mark.parametrize("dense_side", [0, 1000])
@pytest.mark.parametrize("rank", [4, 300])
def test_the_same_bits_for_any_number_of_threads(dense_side, rank, monkeypatch):
    """Also where the matrix has fewer directions than asked for, and the search must restart."""
    monkeypatch.setattr(svd, "DENSE_SIDE", dense_side)
    blocks = np.kron(np.eye(rank), np.ones((600 // rank, 300 // rank)))
    train = ratings_of(blocks if rank == 4 else matrix_of((600, 300)))
    models = []
    for threads in (1, 2, 1):
        with threadpool_limits(threads):
            models.append(svd.fit(train, {"factors": 20}, 3, threads))
    for model in models[1:]:
        assert model.user_vectors.tobytes() == models[0].user_vectors.tobytes()
        assert model.item_vectors.tobytes() == models[0].item_vectors.tobytes()


def test_training_data_without_relevant_items_are_refused():
    train = ratings_of(np.zeros((3, 4)))
    with pytest.raises(UserError, match="None of the 3 training ratings is relevant"):
        svd.fit(train, {"factors": 2}, seed=1, threads=1)
