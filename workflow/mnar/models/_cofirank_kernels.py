"""Kernels of CofiRank: the order that violates a user's ratings most, and bundles of its slopes.

For scores f of a user's n rated items and the decreasing weights c the loss is

    l(f) = max_π [1 − NDCG@k(π) + Σ_p c_p f_π(p)] − Σ_j c̄_j f_j,

where c̄_j is the mean weight of the positions that the items of j's grade have in an ideal order.
The maximum is a linear assignment of items to positions. Only the first k positions count in NDCG, and
items of one grade stand in the order of their scores. So the first k positions are a choice of how many
items of each grade they hold, gone through by dynamic programming, and the rest is sorted.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit

# Steps of the dual solution at most, and the slope at which it ends.
DUAL_STEPS = 1000
DUAL_SLOPE = 1e-7
# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}


class Tables(NamedTuple):
    """What does not depend on the user. A state is how many items of each grade are placed."""

    # c, longer than any user's items by k positions.
    weights: NDArray[np.floating]
    # Running sums of c: element p is the sum of the first p.
    sums: NDArray[np.float64]
    # 1 / log2(position + 2) of the first k positions, and 2^grade - 1 of each grade.
    discounts: NDArray[np.float64]
    gains: NDArray[np.floating]
    # Of each state, by rising total: its numbers, and the state before one more of each grade.
    placed: NDArray[np.int64]
    previous: NDArray[np.int64]
    # States of total t are starts[t] … starts[t + 1] - 1.
    starts: NDArray[np.int64]
    # States of total k by rising DCG of their worst order, and that DCG.
    final: NDArray[np.int64]
    least: NDArray[np.float64]


@njit(cache=True, nogil=True)
def grade_means(sizes, tables, means):
    """c̄ of each grade, the highest placed first; returns the DCG of the ideal order."""
    position = 0
    ideal = 0.0
    for g in range(len(sizes) - 1, -1, -1):
        if sizes[g] > 0:
            last = position + sizes[g]
            means[g] = (tables.sums[last] - tables.sums[position]) / sizes[g]
            for p in range(position, min(last, len(tables.discounts))):
                ideal += tables.gains[g] * tables.discounts[p]
            position = last
    return ideal


@njit(cache=True, nogil=True)
def fill_states(tables, sizes, scores, members, head, ideal, best, chosen):
    """The best order of the first positions for every state: Σ c f − DCG / ideal."""
    best[0] = 0.0
    for state in range(1, tables.starts[head + 1]):
        best[state] = -np.inf
        position = tables.placed[state].sum() - 1
        for g in range(len(sizes)):
            count = tables.placed[state, g]
            if count == 0 or count > sizes[g]:
                continue
            score = scores[members[g, count - 1]]
            value = best[tables.previous[state, g]] + tables.weights[position] * score
            value -= tables.gains[g] * tables.discounts[position] / ideal
            if value > best[state]:
                best[state] = value
                chosen[state] = g


@njit(cache=True, nogil=True)
def tail_value(placed, members, shifted, ranks, n):
    """Σ c f of all items that are not placed, sorted by score behind those that are."""
    head = 0
    for g in range(len(placed)):
        for a in range(placed[g]):
            at = head
            while at > 0 and ranks[at - 1] > members[g, a]:
                ranks[at] = ranks[at - 1]
                at -= 1
            ranks[at] = members[g, a]
            head += 1
    total = 0.0
    begin = 0
    for m in range(head):
        total += shifted[head - m, ranks[m]] - shifted[head - m, begin]
        begin = ranks[m] + 1
    return total + shifted[0, n] - shifted[0, begin]


@njit(cache=True, nogil=True)
def best_state(tables, head, best, members, shifted, n, sorted_value, ideal, ranks):
    """The state of total `head` with the largest value, and that value."""
    found = -1
    largest = -np.inf
    if head < len(tables.discounts):
        # Fewer items than positions: one state holds them all.
        for state in range(tables.starts[head], tables.starts[head + 1]):
            if best[state] > largest:
                found, largest = state, best[state]
        return found, largest
    for at in range(len(tables.final)):
        # No order has a larger Σ c f than the sorted one, so none of those left can win.
        if sorted_value - tables.least[at] / ideal <= largest:
            break
        state = tables.final[at]
        if best[state] == -np.inf:
            continue
        value = best[state] + tail_value(tables.placed[state], members, shifted, ranks, n)
        if value > largest:
            found, largest = state, value
    return found, largest


@njit(cache=True, nogil=True)
def worst_order(f, grades, tables, slopes):
    """The loss of one user's scores; `slopes` gets its derivative by each of them."""
    n = len(f)
    positions = len(tables.discounts)
    head = min(positions, n)
    n_grades = len(tables.gains)
    order = np.argsort(-f, kind="mergesort")
    sizes = np.zeros(n_grades, np.int64)
    members = np.zeros((n_grades, positions), np.int64)
    scores = np.empty(n)
    for rank in range(n):
        g = grades[order[rank]]
        scores[rank] = f[order[rank]]
        if sizes[g] < positions:
            members[g, sizes[g]] = rank
        sizes[g] += 1
    means = np.zeros(n_grades)
    ideal = grade_means(sizes, tables, means)
    # shifted[d, r]: Σ c f of the first r ranks, each moved back by d positions.
    shifted = np.zeros((head + 1, n + 1))
    for d in range(head + 1):
        for rank in range(n):
            shifted[d, rank + 1] = shifted[d, rank] + tables.weights[rank + d] * scores[rank]
    best = np.empty(tables.starts[head + 1])
    chosen = np.zeros(tables.starts[head + 1], np.int64)
    fill_states(tables, sizes, scores, members, head, ideal, best, chosen)
    ranks = np.zeros(positions + 1, np.int64)
    state, value = best_state(tables, head, best, members, shifted, n, shifted[0, n], ideal, ranks)
    taken = np.zeros(n, np.bool_)
    for position in range(head - 1, -1, -1):
        g = chosen[state]
        rank = members[g, tables.placed[state, g] - 1]
        taken[rank] = True
        slopes[order[rank]] = tables.weights[position]
        state = tables.previous[state, g]
    position = head
    for rank in range(n):
        if not taken[rank]:
            slopes[order[rank]] = tables.weights[position]
            position += 1
    loss = 1.0 + value
    for j in range(n):
        slopes[j] -= means[grades[j]]
        loss -= means[grades[j]] * f[j]
    return loss


@njit(cache=True, nogil=True)
def solve_dual(products, offsets, size, penalty, shares):
    """Shares of the planes that maximise Σ b_t s_t − ‖Σ s_t a_t‖² / 2λ; returns the maximum.

    `products` has a_s · a_t. Weight moves from the plane with the lowest slope to that with the
    highest until all that have weight are level.
    """
    for _ in range(DUAL_STEPS):
        high, low = 0, -1
        slopes = np.empty(size)
        for t in range(size):
            slopes[t] = offsets[t]
            for s in range(size):
                slopes[t] -= products[t, s] * shares[s] / penalty
            if slopes[t] > slopes[high]:
                high = t
            if shares[t] > 0 and (low < 0 or slopes[t] < slopes[low]):
                low = t
        rise = slopes[high] - slopes[low]
        if rise < DUAL_SLOPE * (1 + abs(slopes[high])):
            break
        bend = products[high, high] + products[low, low] - 2 * products[high, low]
        moved = shares[low]
        if bend > 0:
            moved = min(moved, rise * penalty / bend)
        shares[high] += moved
        shares[low] -= moved
    value = 0.0
    for t in range(size):
        value += offsets[t] * shares[t]
        for s in range(size):
            value -= shares[t] * products[t, s] * shares[s] / (2 * penalty)
    return value


@njit(cache=True, nogil=True, fastmath=SUMS)
def product(one, other):
    total = 0.0
    for k in range(len(one)):
        total += one[k] * other[k]
    return total


@njit(cache=True, nogil=True)
def score_items(item_vectors, items, w, f):
    for j in range(len(items)):
        f[j] = product(item_vectors[items[j]], w)


@njit(cache=True, nogil=True)
def mix(shares, vectors, out):
    """Σ share · vector."""
    out[:] = 0
    for n in range(len(shares)):
        for k in range(len(out)):
            out[k] += shares[n] * vectors[n, k]


@njit(cache=True, nogil=True)
def solve_users(
    first, last, indptr, items, grades, tables, item_vectors, penalty, planes, gap, user_vectors
):
    """The vector of each user that makes λ/2 ‖w‖² + loss small, by a bundle of up to `planes`."""
    width = item_vectors.shape[1]
    slopes = np.empty((planes, width))
    offsets = np.empty(planes)
    products = np.empty((planes, planes))
    w = np.empty(width)
    for u in range(first, last):
        row = items[indptr[u] : indptr[u + 1]]
        if len(row) == 0:
            user_vectors[u] = 0
            continue
        f, by_score = np.empty(len(row)), np.empty(len(row))
        w[:] = user_vectors[u]
        shares = np.zeros(planes)
        shares[0] = 1
        smallest = np.inf
        for t in range(planes):
            score_items(item_vectors, row, w, f)
            loss = worst_order(f, grades[indptr[u] : indptr[u + 1]], tables, by_score)
            value = loss + penalty / 2 * product(w, w)
            if value < smallest:
                smallest = value
                user_vectors[u] = w
            mix(by_score, item_vectors[row], slopes[t])
            offsets[t] = loss - product(slopes[t], w)
            for s in range(t + 1):
                products[t, s] = products[s, t] = product(slopes[t], slopes[s])
            bound = solve_dual(products, offsets, t + 1, penalty, shares)
            if smallest - bound <= gap * smallest:
                break
            mix(-shares[: t + 1] / penalty, slopes, w)


@njit(cache=True, nogil=True)
def measure_users(
    first, last, indptr, items, grades, tables, user_vectors, item_vectors, losses, slopes
):
    """The loss of each user, and its derivative by the score of each entry."""
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        losses[u] = 0
        if stop > start:
            f = np.empty(stop - start)
            score_items(item_vectors, items[start:stop], user_vectors[u], f)
            losses[u] = worst_order(f, grades[start:stop], tables, slopes[start:stop])


@njit(cache=True, nogil=True)
def gather_items(first, last, indptr, users, entries, slopes, user_vectors, out):
    """Σ_u slope · user vector of each item; `entries` are those of the item in the users' order."""
    for i in range(first, last):
        out[i] = 0
        for at in range(indptr[i], indptr[i + 1]):
            slope = slopes[entries[at]]
            for k in range(out.shape[1]):
                out[i, k] += slope * user_vectors[users[at], k]
