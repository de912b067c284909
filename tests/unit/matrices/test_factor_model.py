"""Scores of pairs."""

import numpy as np

from mnar.matrices.factor_model import FactorModel


def test_pairs_of_equal_items_have_equal_scores():
    rng = np.random.default_rng(4)
    for factors in (1, 5, 50, 51):
        model = FactorModel.without_biases(
            np.tile(rng.standard_normal(factors), (9, 1)),
            np.tile(rng.standard_normal(factors), (70, 1)),
            offset=3.0,
        )
        users, items = (part.ravel() for part in np.indices((9, 70)))
        assert len(set(model.score_pairs(users, items))) == 1


def test_scores_of_pairs_are_item_bias_and_product_alone():
    rng = np.random.default_rng(5)
    for factors in (0, 1, 7, 50):
        vectors = [rng.standard_normal((n, factors)).astype(np.float32) for n in (9, 50)]
        bias = [rng.standard_normal(n).astype(np.float32) for n in (50, 9)]
        model = FactorModel(*vectors, *bias, offset=3.0)
        users, items = (part.ravel() for part in np.indices((9, 50)))
        dense = bias[0] + vectors[0] @ vectors[1].T
        np.testing.assert_allclose(
            model.score_pairs(users, items), dense.ravel(), rtol=1e-5, atol=1e-5
        )
