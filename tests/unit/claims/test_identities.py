"""Statements of mathematics hold with the pipeline's measures, and not with wrong ones."""

import numpy as np
import pytest

from mnar.claims import identities

ALL = [
    identities.cost_increments,
    identities.adg_is_mean_cost,
    identities.auc_from_atop,
    identities.auc_near_atop,
    identities.upper_bounds,
    identities.constant_predictor,
    identities.precision_from_recall,
    identities.published_arithmetic,
    identities.table3_arithmetic,
    identities.track_sizes,
    identities.track2_sampling,
]


@pytest.mark.parametrize("identity", ALL, ids=lambda one: one.__name__)
def test_identities_are_right(identity):
    right, numbers, how = identity()
    assert right is True or right is np.True_, numbers
    assert numbers
    assert how


def test_a_wrong_measure_is_caught(monkeypatch):
    right = identities.atop

    def scaled(factor):
        return lambda counts: right(counts) * factor

    monkeypatch.setattr(identities, "atop", scaled(1 + 1e-9))
    assert not identities.auc_from_atop()[0]
    assert not identities.upper_bounds()[0]
    monkeypatch.setattr(identities, "atop", scaled(0.9))
    assert not identities.auc_near_atop()[0]
