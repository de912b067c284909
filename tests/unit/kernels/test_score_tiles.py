"""Panels, tiles and tallies against plain numpy."""

import numpy as np
import pytest
from numba import njit

from mnar.kernels.score_tiles import (
    BLOCK,
    COLUMNS,
    GROUP,
    TALLIED,
    count_line,
    find_top,
    panels_of,
    score_tile,
    sum_tallies,
)
from mnar.kernels.vectors import LANES

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
def compare_all(lines, row, targets, tallies):
    for target in range(len(targets)):
        count_line(lines, row, targets[target], tallies, target)
    return find_top(lines, row)


def test_tallies_of_many_lines_equal_numpy():
    random = np.random.default_rng(12)
    lines = random.integers(0, 50, (GROUP, BLOCK)).astype(np.float32)
    lines[random.random(lines.shape) < 0.1] = -np.inf
    lines[1] = -np.inf
    lines[2] = 3
    targets = np.arange(-1, 51, dtype=np.float32)
    tallies = np.zeros((len(targets), LANES), np.int32)
    higher, equal = np.zeros((2, len(targets)), np.int32)
    for row in range(GROUP):
        assert compare_all(lines, row, targets, tallies) == lines[row].max()
        # Summed up after one line, and after several.
        if row in (0, 3, GROUP - 1):
            sum_tallies(tallies, higher, equal)
            so_far = lines[: row + 1].ravel()
            np.testing.assert_array_equal(higher, [np.sum(so_far > score) for score in targets])
            np.testing.assert_array_equal(equal, [np.sum(so_far == score) for score in targets])
            assert not tallies.any()


@pytest.mark.parametrize("score", [0, 1], ids=["all higher", "all equal"])
def test_a_tally_holds_as_many_blocks_as_it_says(score):
    lines = np.ones((1, BLOCK), np.float32)
    tallies = np.zeros((1, LANES), np.int32)
    for _ in range(TALLIED):
        compare_all(lines, 0, np.full(1, score, np.float32), tallies)
    higher, equal = np.zeros((2, 1), np.int64)
    sum_tallies(tallies, higher, equal)
    counts = [TALLIED * BLOCK, 0]
    assert [higher[0], equal[0]] == (counts if score == 0 else counts[::-1])
