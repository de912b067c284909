"""TOPK among all candidates and among samples of them."""

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import measured
from scipy.stats import hypergeom

from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.measures import evaluate


def test_sampled_topk_is_hypergeometric():
    n_items, sample, share = 3000, 1001, 0.02
    scores = np.arange(n_items)[::-1].astype(float)
    positions = np.array([0, 1, 10, 40, 60, 61, 100, 500, 2999])
    held_out = np.zeros((len(positions), n_items))
    held_out[np.arange(len(positions)), positions] = 1
    model = FactorModel(
        np.zeros((len(positions), 0), np.float32),
        np.zeros((n_items, 0), np.float32),
        scores.astype(np.float32),
        np.zeros(len(positions), np.float32),
    )
    name = f"sampled_topk({share},{sample})"
    found = evaluate(model, ratings_of(held_out), None, [name], Context(), 1)[name]
    expected = hypergeom.cdf(int(share * (sample - 1)), n_items - 1, positions, sample - 1)
    np.testing.assert_allclose(found.total, expected, atol=1e-11)


def test_a_sample_of_all_candidates_is_exact():
    rng = np.random.default_rng(4)
    scores = rng.integers(0, 6, (30, 12)).astype(float)
    relevant = rng.random((30, 12)) < 0.3
    exact = measured(scores, relevant, ["topk(0.3)", "atop"])
    for sample in (12, 1001):
        names = [f"sampled_topk(0.3,{sample})", f"sampled_atop({sample})"]
        found = measured(scores, relevant, names)
        assert list(found.values()) == pytest.approx(list(exact.values()), abs=1e-12)


def test_shares_that_just_miss_a_whole_number_are_rounded_up():
    # 0.29·100 is 28.999999999999996 in floating point, yet means the top 30 of 101.
    scores = np.arange(101.0)[::-1]
    relevant = np.arange(101) == 29
    assert measured(scores, relevant, ["topk(0.29)"])["topk(0.29)"] == 1
    assert measured(scores, relevant, ["topk(0.28)"])["topk(0.28)"] == 0
