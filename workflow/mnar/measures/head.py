"""How much of what is recommended are the few items that everybody rates (pradel2012 Table 3)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.measures.ranks import compare, seen_arrays
from mnar.measures.scores import item_scores
from mnar.statistics.user_values import UserValues


@njit(cache=True, nogil=True)
def find_best(scores, best):
    """Fill `best` with the highest scores in falling order, or minus infinity for want of any."""
    for place in range(len(best)):
        best[place] = -np.inf
    for item in range(len(scores)):
        if scores[item] > best[-1]:
            place = len(best) - 1
            while place > 0 and scores[item] > best[place - 1]:
                best[place] = best[place - 1]
                place -= 1
            best[place] = scores[item]


@njit(cache=True, nogil=True)
def share_head(scores, columns, users, seen_indptr, seen_items, head, sizes, shares):
    """Expected share of head items in each user's top lists; NaN without candidates.

    `sizes` rise.
    """
    best = np.empty(sizes[-1], np.float32)
    of_head = np.empty(len(head), np.float32)
    for row in range(len(users)):
        line = scores[row]
        left_out = seen_items[seen_indptr[users[row]] : seen_indptr[users[row] + 1]]
        for item in left_out:
            line[columns[item]] = -np.inf
        find_best(line, best)
        for place in range(len(head)):
            of_head[place] = line[columns[head[place]]]
        candidates, _ = compare(line, np.float32(-np.inf))
        for size in range(len(sizes)):
            shares[size, users[row]] = np.nan
            length = min(sizes[size], candidates)
            if length > 0:
                lowest = best[length - 1]
                above, tied = compare(line, lowest)
                head_above, head_tied = compare(of_head, lowest)
                found = head_above + (length - above) * head_tied / tied
                shares[size, users[row]] = found / length


def head_shares(
    model: FactorModel,
    held_out: Ratings,
    seen: Ratings | None,
    head: NDArray[np.bool_],
    sizes: Sequence[int],
    threads: int,
) -> dict[int, UserValues]:
    """For each list size the share of head items among the candidates that come first.

    Scored are the users that have something held out.
    """
    scorer = item_scores(model)
    users = np.flatnonzero(np.diff(held_out.indptr))
    shares = np.zeros((len(sizes), held_out.n_users))
    left_out = seen_arrays(seen, held_out.n_users)
    head_items = np.flatnonzero(head)
    lengths = np.array(sizes, np.int64)

    def share(first: int, last: int) -> None:
        block = users[first:last]
        share_head(scorer(block), scorer.columns, block, *left_out, head_items, lengths, shares)

    for_blocks(share, len(users), threads, scorer.rows_per_block)
    return {
        size: UserValues.alike(values, np.diff(held_out.indptr) > 0)
        for size, values in zip(sizes, shares, strict=True)
    }
