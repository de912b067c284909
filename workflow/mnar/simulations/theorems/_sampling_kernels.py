"""The compiled part of the simulations: draws of observed items, and measures on them."""

import numpy as np

from mnar.kernels.compiled import njit


@njit(cache=True, nogil=True)
def shuffle_positions(indptr, uniforms, positions):
    """A random order of each user's items (Fisher and Yates, inside out): the position of each."""
    for user in range(len(indptr) - 1):
        first = indptr[user]
        for item in range(indptr[user + 1] - first):
            other = int(uniforms[first + item] * (item + 1))
            positions[first + item] = positions[first + other]
            positions[first + other] = item


@njit(cache=True, nogil=True)
def mark_smallest(indptr, keys, sizes, positions):
    """Place 0 for the sizes[user] items of each user with the smallest keys, the last for others."""
    for user in range(len(indptr) - 1):
        first, last = indptr[user], indptr[user + 1]
        rank = sizes[user] - 1
        cut = np.partition(keys[first:last], rank)[rank]
        for item in range(first, last):
            positions[item] = 0 if keys[item] <= cut else last - first


@njit(cache=True, nogil=True)
def average_observed(indptr, positions, sizes, above, alone, together, values, means):
    """Means of item values and average precision over each user's observed items.

    A user observes the items whose position is below sizes[user, share]; sizes rise with the share.
    Items of a user stand in the order of `above`. An observed item with `before` observed ones
    ranked higher and `found` of the same score, itself included, has the expected precision
    (1 + before)·alone + (found − 1)·together. means[user, share] has the values' means, then that.
    """
    shares, columns = sizes.shape[1], values.shape[1]
    for user in range(len(indptr) - 1):
        first, last = indptr[user], indptr[user + 1]
        means[user] = 0.0
        # An item is added where it is first observed; running sums carry it on.
        first_share = np.empty(last - first + 1, np.int64)
        share = 0
        for position in range(last - first + 1):
            while share < shares and position >= sizes[user, share]:
                share += 1
            first_share[position] = share
        for item in range(first, last):
            share = first_share[positions[item]]
            if share < shares:
                for column in range(columns):
                    means[user, share, column] += values[item, column]
        for share in range(1, shares):
            for column in range(columns):
                means[user, share, column] += means[user, share - 1, column]
        for share in range(shares):
            size = sizes[user, share]
            before = 0
            total = 0.0
            item = first
            while item < last:
                start = item
                found = 0
                while item < last and above[item] == above[start]:
                    found += positions[item] < size
                    item += 1
                # Zero for none observed: a branch that cannot be foreseen would cost more.
                total += found * ((1 + before) * alone[start] + (found - 1) * together[start])
                before += found
            means[user, share, columns] = total
            for column in range(columns + 1):
                means[user, share, column] /= size
