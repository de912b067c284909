"""Rank the held-out items of several sets at once: each user's items are scored once for all."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings
from mnar.measures.ranking.counts import RankCounts, compare, seen_arrays
from mnar.measures.ranking.score_rows import count_in_rows
from mnar.measures.ranking.targets import Targets
from mnar.measures.ranking.tiles import count_in_tiles

# Users whose targets are compared with each other at a time.
_USERS = 1024


def rank_counts(
    model: Model,
    targets: Ratings,
    relevant_only: bool = True,
    seen: Ratings | None = None,
    threads: int = 1,
) -> RankCounts:
    """Rank the (relevant) targets of each user among all items except those that were seen.

    `seen` None makes every item a candidate. The user's other held-out items are candidates.
    """
    [counts] = rank_sets(model, [targets], relevant_only, seen, threads)
    return counts


def rank_sets(
    model: Model,
    sets: Sequence[Ratings],
    relevant_only: bool = True,
    seen: Ratings | None = None,
    threads: int = 1,
) -> list[RankCounts]:
    """As `rank_counts`, for several sets of targets: each user's items are scored once for all."""
    if not sets:
        return []
    if relevant_only:
        sets = [part if part.relevant.all() else part.select(part.relevant) for part in sets]
    left_out = seen_arrays(seen, model.n_users)
    indptr, items, positions = _side_by_side(sets)
    targets = Targets.of(indptr, items)
    if isinstance(model, FactorModel):
        count_in_tiles(model, targets, left_out, threads)
    else:
        count_in_rows(model, targets, left_out, threads)
    found = []
    for part, position in zip(sets, positions, strict=True):
        n_candidates = np.empty(len(part.items), np.int32)
        counts = [*(count[position] for count in targets.counts), n_candidates]
        ranked = (targets.scores[position], targets.hidden[position], *counts)
        given = (len(sets) == 1, part.indptr, model.n_items, left_out[0], *ranked)
        for_blocks(partial(_compare, given), model.n_users, threads, _USERS)
        found.append(_gathered(part, counts))
    return found


@njit(cache=True, nogil=True)
def compare_targets(
    first_user,
    last_user,
    are_alone,
    indptr,
    n_items,
    seen_indptr,
    scores,
    hidden,
    above,
    tied,
    relevant_above,
    relevant_tied,
    n_candidates,
):
    """Compare each target with the others of its user. All are candidates: also those `hidden`.

    Where targets `are_alone`, of no other set beside them, they have been compared already.
    """
    for user in range(first_user, last_user):
        first, last = indptr[user], indptr[user + 1]
        again = scores[first:last][hidden[first:last]]
        candidates = n_items - (seen_indptr[user + 1] - seen_indptr[user]) + len(again)
        for pair in range(first, last):
            if not are_alone:
                relevant_above[pair], relevant_tied[pair] = compare(
                    scores[first:last], scores[pair]
                )
            n_candidates[pair] = candidates
            if len(again):
                more, equal = compare(again, scores[pair])
                above[pair] += more
                tied[pair] += equal


def _compare(given: tuple, first: int, last: int) -> None:
    compare_targets(first, last, *given)


def _side_by_side(
    sets: Sequence[Ratings],
) -> tuple[NDArray[np.int64], NDArray[np.int32], list[NDArray[np.int64] | slice]]:
    """The items of all sets, user by user, and where those of each set are."""
    if len(sets) == 1:
        return sets[0].indptr, sets[0].items, [slice(None)]
    indptr = np.sum([part.indptr for part in sets], axis=0)
    items = np.empty(indptr[-1], np.int32)
    positions: list[NDArray[np.int64] | slice] = []
    starts = indptr[:-1].copy()
    for part in sets:
        position = np.arange(len(part.items)) + (starts - part.indptr[:-1])[part.users]
        items[position] = part.items
        positions.append(position)
        starts += np.diff(part.indptr)
    return indptr, items, positions


def _gathered(targets: Ratings, counts: list[NDArray[np.int32]]) -> RankCounts:
    above, tied, relevant_above, relevant_tied, n_candidates = counts
    return RankCounts(
        targets.users,
        targets.items,
        above,
        tied,
        relevant_above,
        relevant_tied,
        np.diff(targets.indptr).astype(np.int32)[targets.users],
        n_candidates,
        targets.n_users,
        targets.n_items,
    )
