"""Rank the targets of any model from rows of dense scores, which are only read and compared."""

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.matrices.model import Model, for_scores
from mnar.measures.ranking.counts import compare
from mnar.measures.ranking.targets import Targets

# Up to this number, targets are compared with each score of their row; for more, a copy is sorted.
FEW = 256


def count_in_rows(
    model: Model,
    targets: Targets,
    seen: tuple[NDArray[np.int64], NDArray[np.int32]],
    threads: int,
) -> None:
    """Fill in the counts of targets, for a model that is no factor model."""
    users = targets.users
    has_many = np.diff(targets.indptr)[users] > FEW
    found = (targets.scores, targets.hidden, *targets.counts)

    def count(first: int, last: int, rows: NDArray[np.float32], _: NDArray[np.int32]) -> None:
        many = has_many[first:last]
        # By numpy, which sorts in vector registers.
        rising = np.sort(rows[many], axis=1)
        where = np.where(many, np.cumsum(many) - 1, -1)
        given = (users[first:last], rows, rising, where, targets.indptr, targets.items)
        count_rows(*given, *seen, *found)

    for_scores(model, users, threads, count)


@njit(cache=True, nogil=True)
def count_rows(
    users,
    rows,
    rising,
    where,
    indptr,
    items,
    seen_indptr,
    seen_items,
    scores,
    hidden,
    above,
    tied,
    targets_above,
    targets_tied,
):
    """How many unseen items score above, and how many as, each target (steck2010 section 2.1).

    The same among the user's targets, and whether it is `hidden`: seen, and so not counted. Seen
    items are counted with all others and taken away again. A row n that is sorted is
    rising[where[n]]; where[n] is -1 for the others.
    """
    is_seen = np.zeros(rows.shape[1], np.bool_)
    of_seen = np.empty(rows.shape[1], np.float32)
    for row in range(len(users)):
        line = rows[row]
        first, last = indptr[users[row]], indptr[users[row] + 1]
        left_out = seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]]
        for n in range(len(left_out)):
            is_seen[left_out[n]] = True
            of_seen[n] = line[left_out[n]]
        for pair in range(first, last):
            scores[pair] = line[items[pair]]
            hidden[pair] = is_seen[items[pair]]
        for item in left_out:
            is_seen[item] = False
        taken = of_seen[: len(left_out)]
        for pair in range(first, last):
            if where[row] < 0:
                higher, equal = compare(line, scores[pair])
            else:
                higher, equal = compare_sorted(rising[where[row]], scores[pair])
            seen_higher, seen_equal = compare(taken, scores[pair])
            above[pair], tied[pair] = higher - seen_higher, equal - seen_equal
            among = compare(scores[first:last], scores[pair])
            targets_above[pair], targets_tied[pair] = among


@njit(cache=True, nogil=True)
def compare_sorted(rising, score):
    """How many of the scores, in rising order, are higher than `score`, and how many equal."""
    below = np.searchsorted(rising, score, "left")
    up_to = np.searchsorted(rising, score, "right")
    return np.int32(len(rising) - up_to), np.int32(up_to - below)
