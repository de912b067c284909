"""Rank the targets of any model from rows of dense scores, which are only read and compared."""

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.matrices.model import Model, for_scores
from mnar.measures.ranking.counts import compare
from mnar.measures.ranking.targets import Targets, order_falling

# So many targets are compared with each score one by one; among more, a score is searched.
FEW = 48


def count_in_rows(
    model: Model,
    targets: Targets,
    seen: tuple[NDArray[np.int64], NDArray[np.int32]],
    threads: int,
) -> None:
    """Fill in what is counted of the targets of a model that is no factor model."""
    users = targets.users
    found = (targets.scores, targets.hidden, *targets.counts)

    def count(first: int, last: int, scores: NDArray[np.float32], _: NDArray[np.int32]) -> None:
        count_rows(users[first:last], scores, targets.indptr, targets.items, *seen, FEW, *found)

    for_scores(model, users, threads, count)


@njit(cache=True, nogil=True)
def count_rows(
    users,
    rows,
    indptr,
    items,
    seen_indptr,
    seen_items,
    few,
    scores,
    hidden,
    above,
    tied,
    targets_above,
    targets_tied,
):
    """How many unseen items score above, and how many as, each target (steck2010 section 2.1).

    The same among the user's targets, and whether it is `hidden`: seen, and so not counted. Seen
    items are counted with all others and taken away again.
    """
    is_seen = np.zeros(rows.shape[1], np.bool_)
    of_seen = np.empty(rows.shape[1], np.float32)
    for row in range(len(users)):
        first, last = indptr[users[row]], indptr[users[row] + 1]
        left_out = seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]]
        for n in range(len(left_out)):
            is_seen[left_out[n]] = True
            of_seen[n] = rows[row, left_out[n]]
        for pair in range(first, last):
            scores[pair] = rows[row, items[pair]]
            hidden[pair] = is_seen[items[pair]]
        for item in left_out:
            is_seen[item] = False
        own = scores[first:last]
        order = np.empty(last - first, np.int64)
        order_falling(own, order, targets_above[first:last], targets_tied[first:last])
        taken = of_seen[: len(left_out)]
        if last - first <= few:
            for pair in range(first, last):
                higher, equal = compare(rows[row], scores[pair])
                seen_higher, seen_equal = compare(taken, scores[pair])
                above[pair], tied[pair] = higher - seen_higher, equal - seen_equal
        else:
            count_by_search(rows[row], taken, own, order, above[first:last], tied[first:last])


@njit(cache=True, nogil=True)
def count_by_search(line, taken, own, order, above, tied):
    """Count the scores of a line, without those taken, above and as each of a user's own scores.

    `order` has the places of `own` from the highest to the lowest. Each score of the line is searched
    among the different ones of them.
    """
    size = 1
    while size <= len(own):
        size *= 2
    # Rising, filled up with what no score reaches.
    levels = np.full(size, np.inf, np.float32)
    level = -1
    level_of = np.empty(len(own), np.int64)
    for place in range(len(own) - 1, -1, -1):
        if level < 0 or own[order[place]] > levels[level]:
            level += 1
            levels[level] = own[order[place]]
        level_of[order[place]] = level
    # reached[n]: scores that reach just the n lowest levels; equal[n]: scores as level n.
    reached, equal = np.zeros(size, np.int32), np.zeros(size, np.int32)
    add_found(line, np.int32(1), levels, reached, equal)
    add_found(taken, np.int32(-1), levels, reached, equal)
    for n in range(size - 1, 0, -1):
        reached[n - 1] += reached[n]
    for n in range(len(own)):
        tied[n] = equal[level_of[n]]
        above[n] = reached[level_of[n] + 1] - tied[n]


@njit(cache=True, nogil=True)
def add_found(scores, step, levels, reached, equal):
    """Add a step for each score to the number of levels that it reaches, and to the level it equals.

    The search halves without a branch: its outcome cannot be foreseen.
    """
    for score in scores:
        count = 0
        half = len(levels) // 2
        while half > 0:
            count += half if levels[count + half - 1] <= score else 0
            half //= 2
        reached[count] += step
        # Level 0 stands in where none is reached; it then differs from the score.
        level = max(count - 1, 0)
        equal[level] += step if levels[level] == score else np.int32(0)
