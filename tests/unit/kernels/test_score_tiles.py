"""Panels, tiles and tops against plain numpy."""

import numpy as np
import pytest
from numba import njit

from mnar.kernels.score_tiles import (
    BLOCK,
    COLUMNS,
    GROUP,
    find_top,
    panels_of,
    score_tile,
)

ITEMS = [1, COLUMNS, BLOCK - 1, BLOCK, 2 * BLOCK + 5]


@pytest.mark.parametrize("n_items", ITEMS)
def test_panels_hold_the_items_in_their_order(n_items):
    random = np.random.default_rng(n_items)
    table = random.standard_normal((n_items + 4, 3)).astype(np.float32)
    order = random.permutation(len(table))[:n_items]
    panels = panels_of(table, order)
    columns = panels.transpose(0, 1, 3, 2).reshape(-1, 3)
    assert len(columns) == -(-n_items // BLOCK) * BLOCK
    np.testing.assert_array_equal(columns[:n_items], table[order])
    assert (columns[n_items:, -1] == -np.inf).all()
    assert not columns[n_items:, :-1].any()


@njit
def score_all(users, panels, bits, lines):
    for group in range(len(users)):
        for block in range(len(panels)):
            score_tile(users, group, panels, block, bits, group * GROUP, lines[group, block])


@pytest.mark.parametrize("n_items", ITEMS)
def test_scores_are_products_wherever_an_item_stands(n_items):
    random = np.random.default_rng(n_items)
    groups, factors = 2, 7
    users = random.standard_normal((groups, factors, GROUP)).astype(np.float32)
    users[:, -1] = 1
    table = random.standard_normal((n_items, factors)).astype(np.float32)
    # The first and the last item are equal, in different lanes, tiles and blocks.
    table[-1] = table[0]
    panels = panels_of(table, np.arange(n_items))
    lines = np.zeros((groups, len(panels), GROUP, BLOCK), np.float32)
    bits = np.zeros((groups * GROUP, len(panels) * BLOCK // 64), np.uint64)
    score_all(users, panels, bits, lines)
    scores = lines.transpose(0, 2, 1, 3).reshape(groups * GROUP, -1)
    vectors = users.transpose(0, 2, 1).reshape(-1, factors)
    expected = vectors.astype(float) @ table.T.astype(float)
    np.testing.assert_allclose(scores[:, :n_items], expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(scores[:, 0], scores[:, n_items - 1])
    assert (scores[:, n_items:] == -np.inf).all()


@njit
def top_of(lines, row):
    return find_top(lines, row)


def test_the_top_of_a_line_is_its_highest_score():
    random = np.random.default_rng(12)
    lines = random.integers(0, 50, (GROUP, BLOCK)).astype(np.float32)
    lines[random.random(lines.shape) < 0.1] = -np.inf
    lines[1] = -np.inf
    lines[2] = 3
    for row in range(GROUP):
        assert top_of(lines, row) == lines[row].max()
