"""Measures of the items that a user has rated or was shown, among themselves."""

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.measures.ranks import compare
from mnar.measures.scores import SUMS, diverged, score_pairs
from mnar.statistics.user_values import UserValues

# kddcup2011 Track 2: as many items of each sort for every user.
_OF_EACH_SORT = 3
# Users that a thread takes at a time.
_USERS = 1024


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


def auc(model: FactorModel, rated: Ratings) -> UserValues:
    """Relevant against irrelevant rated items; users with one class only are left out."""
    scores = score_pairs(model, rated.users, rated.items)
    values = np.empty(rated.n_users)
    compare_classes(rated.indptr, scores, rated.relevant, values)
    return UserValues.alike(values, np.diff(rated.indptr) > 0)


@njit(cache=True, nogil=True, fastmath=SUMS)
def add_squares(first, last, indptr, items, values, model, totals):
    """Sum the squared errors of the ratings of the users first to last - 1."""
    user_vectors, item_vectors, user_bias, item_bias, offset = model
    for user in range(first, last):
        total = 0.0
        for entry in range(indptr[user], indptr[user + 1]):
            item = items[entry]
            product = np.float32(0)
            for k in range(user_vectors.shape[1]):
                product += user_vectors[user, k] * item_vectors[item, k]
            total += (offset + user_bias[user] + item_bias[item] + product - values[entry]) ** 2
        totals[user] = total


def rmse(model: FactorModel, rated: Ratings, threads: int) -> UserValues:
    """Root of the mean squared error of the predicted ratings, over all ratings."""
    totals = np.empty(rated.n_users)
    biases = (model.user_bias, model.item_bias, np.float64(model.offset))
    given = (model.user_vectors, model.item_vectors, *biases)

    def work(first: int, last: int) -> None:
        add_squares(first, last, rated.indptr, rated.items, rated.values, given, totals)

    for_blocks(work, rated.n_users, threads, _USERS)
    if not np.isfinite(totals).all():
        raise diverged(int(np.isfinite(totals).argmin()))
    counts = np.diff(rated.indptr).astype(np.float64)
    return UserValues(totals, counts, pooled=True, rooted=True)


def track2_error(
    model: FactorModel,
    held_out: Ratings,
    drawn_user: NDArray[np.integer],
    drawn_item: NDArray[np.integer],
) -> UserValues:
    """Share of six items, three held out and three drawn, put on the wrong side (kddcup2011)."""
    liked = held_out.select(held_out.relevant)
    order = np.argsort(drawn_user, kind="stable")
    drawn_counts = np.bincount(drawn_user, minlength=held_out.n_users)
    scored = drawn_counts > 0
    wanted = np.where(scored, _OF_EACH_SORT, 0)
    if not (np.array_equal(drawn_counts, wanted) and np.array_equal(np.diff(liked.indptr), wanted)):
        raise UserError(
            f"Measure track2_error needs {_OF_EACH_SORT} held-out relevant items and as many drawn "
            "ones for each user it scores: use it with the protocol track2."
        )
    shape = (-1, _OF_EACH_SORT)
    good = score_pairs(model, liked.users, liked.items).reshape(shape)
    bad = score_pairs(model, drawn_user[order], drawn_item[order]).reshape(shape)
    six = np.hstack((good, bad))[:, np.newaxis, :]
    above = (six > good[:, :, np.newaxis]).sum(axis=2)
    tied = (six == good[:, :, np.newaxis]).sum(axis=2)
    found = np.clip((_OF_EACH_SORT - above) / tied, 0, 1)
    errors = np.full(held_out.n_users, np.nan)
    errors[scored] = 1 - found.mean(axis=1)
    return UserValues.alike(errors, scored)
