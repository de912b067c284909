"""Head: the share of recommendations that goes to the few most rated items (pradel2012 Table 3)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnar.kernels.compiled import njit
from mnar.matrices.model import Model, for_scores
from mnar.matrices.ratings import Ratings
from mnar.measures._measure import ModelMeasure, Numbers, Task
from mnar.measures.ranking.counts import compare, seen_arrays
from mnar.statistics.user_values import UserValues


@njit(cache=True, nogil=True)
def find_best(scores, best):
    """Fill `best` with the highest scores in falling order, or minus infinity for want of any."""
    for position in range(len(best)):
        best[position] = -np.inf
    for item in range(len(scores)):
        if scores[item] > best[-1]:
            position = len(best) - 1
            while position > 0 and scores[item] > best[position - 1]:
                best[position] = best[position - 1]
                position -= 1
            best[position] = scores[item]


@njit(cache=True, nogil=True)
def share_head(scores, columns, users, seen_indptr, seen_items, head, sizes, shares):
    """Expected share of head items in each user's top lists; NaN without candidates.

    `head` has the head items, `sizes` rise. Seen items are put at minus infinity, and not counted
    where candidates that the model does not list stand there too.
    """
    best = np.empty(min(sizes[-1], scores.shape[1]), np.float32)
    of_head = np.empty(len(head), np.float32)
    line = np.empty(scores.shape[1], np.float32)
    in_head = np.zeros(scores.shape[1], np.bool_)
    for item in head:
        in_head[columns[item]] = True
    for row in range(len(users)):
        line[:] = scores[row]
        left_out = seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]]
        head_left_out = 0
        for item in left_out:
            line[columns[item]] = -np.inf
            head_left_out += in_head[columns[item]]
        find_best(line, best)
        for position in range(len(head)):
            of_head[position] = line[columns[head[position]]]
        candidates = len(line) - len(left_out)
        for size in range(len(sizes)):
            shares[size, users[row]] = np.nan
            length = min(sizes[size], candidates)
            if length > 0:
                lowest = best[length - 1]
                above, tied = compare(line, lowest)
                head_above, head_tied = compare(of_head, lowest)
                if lowest == -np.inf:
                    tied -= len(left_out)
                    head_tied -= head_left_out
                found = head_above + (length - above) * head_tied / tied
                shares[size, users[row]] = found / length


def head_shares(
    model: Model, task: Task, seen: Ratings | None, asked: Sequence[Numbers], threads: int
) -> list[UserValues]:
    """For each list size the share of head items among the candidates that come first.

    Scored are the users that have something held out.
    """
    assert task.context.head is not None
    held_out, head = task.held_out, np.flatnonzero(task.context.head)
    sizes = np.array(sorted({size for (size,) in asked}), np.int64)
    tried = np.diff(held_out.indptr) > 0
    users = np.flatnonzero(tried)
    shares = np.zeros((len(sizes), held_out.n_users))
    left_out = seen_arrays(seen, held_out.n_users)

    def share(
        first: int, last: int, scores: NDArray[np.float32], columns: NDArray[np.int32]
    ) -> None:
        share_head(scores, columns, users[first:last], *left_out, head, sizes, shares)

    for_scores(model, users, threads, share)
    return [UserValues.alike(shares[np.searchsorted(sizes, size)], tried) for (size,) in asked]


MEASURES = (
    # It describes a ranking; no share is better than another.
    ModelMeasure(
        spelling="head_<k>",
        label="Head items in top {0}",
        description="How many of the first items of a list belong to the most rated ones.",
        better="neither",
        needs="head",
        values=head_shares,
    ),
)
