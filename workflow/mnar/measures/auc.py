"""AUC: how often a relevant item stands above an irrelevant one (pradel2012 section 2).

Irrelevant are the rated items that are not relevant (auc), those of randomly selected ratings
(auc_rand), or all missing items (auc_aman).
"""

from collections.abc import Sequence

import numpy as np

from mnar.kernels.compiled import njit
from mnar.matrices.model import Model, score_pairs
from mnar.matrices.ratings import Ratings
from mnar.measures._measure import ModelMeasure, Numbers, RankingMeasure, Task, Values
from mnar.measures.atop import normalised_rank
from mnar.measures.ranking.counts import RankCounts, compare
from mnar.statistics.user_values import UserValues


@njit(cache=True, nogil=True)
def compare_classes(indptr, scores, relevant, values):
    """AUC of each user (pradel2012 section 2), ties counted half; NaN without both classes."""
    irrelevant = np.empty(len(scores), np.float32)
    for user in range(len(values)):
        count = 0
        for entry in range(indptr[user], indptr[user + 1]):
            if not relevant[entry]:
                irrelevant[count] = scores[entry]
                count += 1
        halves = 0
        for entry in range(indptr[user], indptr[user + 1]):
            if relevant[entry]:
                above, tied = compare(irrelevant[:count], scores[entry])
                halves += 2 * (count - above) - tied
        pairs = count * (indptr[user + 1] - indptr[user] - count)
        values[user] = halves / (2 * pairs) if pairs > 0 else np.nan


def auc_of_rated(model: Model, rated: Ratings, threads: int) -> UserValues:
    """Relevant against irrelevant rated items; users with one class only are left out."""
    scores = score_pairs(model, rated.users, rated.items, threads)
    values = np.empty(rated.n_users)
    compare_classes(rated.indptr, scores, rated.relevant, values)
    return UserValues.alike(values, np.diff(rated.indptr) > 0)


def auc(
    model: Model, task: Task, seen: Ratings | None, asked: Sequence[Numbers], threads: int
) -> list[UserValues]:
    return [auc_of_rated(model, task.held_out, threads)]


def auc_rand(
    model: Model, task: Task, seen: Ratings | None, asked: Sequence[Numbers], threads: int
) -> list[UserValues]:
    assert task.context.random is not None
    return [auc_of_rated(model, task.context.random, threads)]


@njit(cache=True, nogil=True, error_model="numpy")
def areas(above, tied, n_relevant, n_candidates):
    """AUC of the relevant against all other candidates, from ATOP (steck2010 section 2.4)."""
    values = np.empty(len(above))
    for n in range(len(above)):
        more, negatives = n_relevant[n] - 1, n_candidates[n] - n_relevant[n]
        area = normalised_rank(above[n], tied[n], n_candidates[n] - 1)
        value = (1 + more / negatives) * area - more / (2 * negatives)
        values[n] = value if negatives > 0 else np.nan
    return values


def auc_aman(counts: RankCounts) -> Values:
    return areas(counts.above, counts.tied, counts.n_relevant, counts.n_candidates)


MEASURES = (
    ModelMeasure(
        spelling="auc",
        label="AUC",
        description="Share of pairs of a relevant and an irrelevant rated item that are in the right order.",
        colour="black",
        values=auc,
    ),
    RankingMeasure(
        spelling="auc_aman",
        label="AUC-AMAN",
        description="AUC that takes all missing ratings as negative.",
        colour="sky",
        value=auc_aman,
    ),
    ModelMeasure(
        spelling="auc_rand",
        label="AUC-rand",
        description="AUC on ratings of randomly selected items: free of the users' own choice.",
        colour="red",
        needs="random",
        values=auc_rand,
    ),
)
