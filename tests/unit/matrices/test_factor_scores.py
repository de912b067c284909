"""Scores of factor models, in blocks and one by one."""

import numpy as np
import pytest

from mnar.kernels.score_tiles import (
    BLOCK,
    GROUP,
)
from mnar.matrices.factor_scores import ItemScores, pack_users, score_some


@pytest.mark.parametrize("factors", [0, 1, 7, 50])
@pytest.mark.parametrize("n_items", [1, BLOCK - 1, BLOCK, 2 * BLOCK + 5])
def test_scores_are_products_and_biases(factors, n_items):
    rng = np.random.default_rng(n_items)
    n_users = 2 * GROUP + 1
    vectors = [rng.standard_normal((n, factors)).astype(np.float32) for n in (n_users, n_items)]
    bias = rng.standard_normal(n_items).astype(np.float32)
    scorer = ItemScores(*vectors, bias)
    users = rng.permutation(n_users)[:-2]
    scores = scorer(users)[:, scorer.columns]
    dense = vectors[0].astype(float) @ vectors[1].astype(float).T + bias
    np.testing.assert_allclose(scores, dense[users], rtol=1e-5, atol=1e-5)
    # No item from a block on has a higher score than the lengths and the bias there allow.
    sorted_scores = dense[:, np.argsort(scorer.columns)]
    for block, (longest, bias_there) in enumerate(
        zip(scorer.longest, scorer.highest_bias, strict=True)
    ):
        bound = np.linalg.norm(vectors[0], axis=1) * longest + bias_there
        assert (sorted_scores[:, block * BLOCK :].max(axis=1) <= bound + 1e-5).all()
    # One by one they are the same to the bit, so that an item ties with itself.
    for row, user in enumerate(users):
        some = rng.integers(0, n_items, 1 + row % 6).astype(np.int32)
        alone = np.empty(len(some), np.float32)
        score_some(scorer.user_vectors[user], scorer.table, some, alone)
        np.testing.assert_array_equal(alone, scores[row, some])


def test_packed_users():
    vectors = np.arange(27, dtype=np.float32).reshape(9, 3)
    users = np.array([8, 0, 3, 4, 5, 6, 7])
    packed = pack_users(users, vectors)
    assert packed.shape == (2, 4, GROUP)
    unpacked = packed.transpose(0, 2, 1).reshape(-1, 4)
    np.testing.assert_array_equal(unpacked[:7, :3], vectors[users])
    np.testing.assert_array_equal(unpacked[:, 3], [1] * 7 + [0] * 5)
