"""Recall stratified by popularity."""

import numpy as np
import pytest
from helpers.rankings import measured


def test_stratified_recall_is_pooled():
    scores = np.tile(np.arange(4.0)[::-1], (2, 1))
    held_out = np.array([[1, 0, 0, 1], [0, 1, 1, 0]])
    positives = np.array([4, 9, 16, 25])
    names = ["recall@2(0)", "recall@2(0.5)", "recall@2"]
    for average in ("user", "pair"):
        found = measured(scores, held_out, names, average=average, positives=positives)
        assert found["recall@2(0)"] == 0.5
        weights = 1 / np.sqrt(positives)
        expected = (weights[0] + weights[1]) / weights.sum()
        assert found["recall@2(0.5)"] == pytest.approx(expected)
    assert found["recall@2"] == found["recall@2(0)"]


def test_stratified_recall_counts_items_without_positives_as_one():
    found = measured([2, 1], [1, 1], ["recall@1(1)"], positives=np.array([0, 1]))
    assert found["recall@1(1)"] == 0.5
