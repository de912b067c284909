"""Expected discounted gains against the mean over places."""

import numpy as np
import pytest
from helpers.rankings import counts_of, discounts

from mnar.measures.discounted_gain import adg, ndcg


@pytest.mark.parametrize("tied", [1, 2, 40])
@pytest.mark.parametrize("above", [0, 3, 59])
def test_the_gain_is_the_mean_over_the_places_of_a_tie(above, tied):
    counts = counts_of([above], [tied], n_candidates=100)
    assert adg(counts)[0] == pytest.approx(discounts(100)[above : above + tied].mean(), abs=1e-13)


def test_ndcg_is_the_gain_over_the_best_one():
    counts = counts_of([0, 2, 3], [1, 1, 2], n_candidates=9)
    best = discounts(3).sum()
    np.testing.assert_allclose(ndcg(counts).mean(), adg(counts).sum() / best, rtol=1e-14)
