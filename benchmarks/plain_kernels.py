"""The LLVM functions of mnar.kernels as plain numba loops: what they must be worth 1.5 times.

A product and a sum may be fused, as in the LLVM code. Views of tiles are taken first: numba then knows that
no index is negative, and turns inner loops into vector code. `nothing` stands in for hints.
"""

import numpy as np
from numba import njit

from mnar.kernels.batched_cholesky import SYSTEMS, TILE
from mnar.kernels.outer_products import TILE_ROWS
from mnar.kernels.score_tiles import BLOCK, COLUMNS, GROUP, WORDS
from mnar.kernels.vectors import LANES

FUSED = {"contract"}
# Scores are never NaN, and no zero has a sign that matters.
NUMBERS = {"nnan", "nsz"}


@njit(nogil=True)
def nothing(*_):
    pass


@njit(nogil=True, fastmath=FUSED)
def add_products(out, start, i, j, left, right, n):
    tile = out[i : i + TILE_ROWS, j : j + LANES]
    tile[:] = start[i : i + TILE_ROWS, j : j + LANES]
    down, across = left[:n, i : i + TILE_ROWS], right[:n, j : j + LANES]
    for r in range(TILE_ROWS):
        line = tile[r]
        for t in range(n):
            factor = down[t, r]
            for c in range(LANES):
                line[c] += factor * across[t, c]


@njit(nogil=True)
def copy_scaled(plain, scaled, t, source, row, factor):
    copied, multiplied, numbers = plain[t], scaled[t], source[row]
    for k in range(len(numbers)):
        copied[k] = numbers[k]
        multiplied[k] = factor * numbers[k]


@njit(nogil=True)
def interleave(batch, matrices, i, j):
    tile, rows = batch[i, j : j + LANES], matrices[:, i, j : j + LANES]
    for c in range(LANES):
        for s in range(SYSTEMS):
            tile[c, s] = rows[s, c]


@njit(nogil=True, fastmath=FUSED)
def subtract_products(batch, i, j):
    tile = batch[i : i + TILE, j : j + TILE]
    down, across = batch[:i, i : i + TILE], batch[:i, j : j + TILE]
    for r in range(TILE):
        for c in range(TILE):
            total = tile[r, c]
            for k in range(i):
                for s in range(SYSTEMS):
                    total[s] -= down[k, r, s] * across[k, c, s]


@njit(nogil=True, fastmath=FUSED)
def factorise(batch, i, floors):
    one = batch.dtype.type(1)
    tile, floor = batch[i : i + TILE, i : i + TILE], floors[0]
    for r in range(TILE):
        pivot = tile[r, r]
        for s in range(SYSTEMS):
            pivot[s] = one / np.sqrt(max(pivot[s], floor[s]))
        for c in range(r + 1, TILE):
            for s in range(SYSTEMS):
                tile[r, c, s] *= pivot[s]
        for p in range(r + 1, TILE):
            for c in range(p, TILE):
                for s in range(SYSTEMS):
                    tile[p, c, s] -= tile[r, p, s] * tile[r, c, s]


@njit(nogil=True, fastmath=FUSED)
def substitute(batch, i, j):
    factor, tile = batch[i : i + TILE, i : i + TILE], batch[i : i + TILE, j : j + TILE]
    for r in range(TILE):
        for c in range(TILE):
            for p in range(r):
                for s in range(SYSTEMS):
                    tile[r, c, s] -= factor[p, r, s] * tile[p, c, s]
            for s in range(SYSTEMS):
                tile[r, c, s] *= factor[r, r, s]


@njit(nogil=True, fastmath=FUSED)
def substitute_back(batch, i, x, n):
    for k in range(min(i + TILE, n) - 1, i - 1, -1):
        root, row, known = x[k], batch[k, k : n + 1], x[k : n + 1]
        root[:] = 0
        for column in range(1, len(row)):
            for s in range(SYSTEMS):
                root[s] -= row[column, s] * known[column, s]
        for s in range(SYSTEMS):
            root[s] *= row[0, s]


@njit(nogil=True, fastmath=FUSED)
def score_tile(users, group, panels, block, bits, row, lines):
    lines[:] = 0
    vectors = users[group]
    for tile in range(BLOCK // COLUMNS):
        panel = panels[block, tile]
        for g in range(GROUP):
            line = lines[g, tile * COLUMNS : (tile + 1) * COLUMNS]
            for k in range(len(panel)):
                factor = vectors[k, g]
                for c in range(COLUMNS):
                    line[c] += factor * panel[k, c]
    for g in range(GROUP):
        words = bits[row + g, block * WORDS : (block + 1) * WORDS]
        for w in range(WORDS):
            # Hardly any item is masked.
            if words[w]:
                for c in range(64):
                    if (words[w] >> np.uint64(c)) & np.uint64(1):
                        lines[g, 64 * w + c] = -np.inf


@njit(nogil=True, fastmath=NUMBERS)
def find_top(lines, row):
    line = lines[row]
    top = line[0]
    for c in range(BLOCK):
        top = max(top, line[c])
    return top
