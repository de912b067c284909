"""RMSE: the error of predicted ratings, pooled over all held-out ratings."""

from collections.abc import Sequence

import numpy as np

from mnar.core.errors import UserError
from mnar.core.parallel import for_blocks
from mnar.kernels.compiled import njit
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import SUMS, Diverged, diverged
from mnar.matrices.model import Model, predict_pairs
from mnar.matrices.ratings import Ratings
from mnar.measures._measure import ModelMeasure, Numbers, Task, Values
from mnar.statistics.user_values import UserValues

# Users that a thread takes at a time.
_USERS = 1024


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


def squares_of_factors(model: FactorModel, rated: Ratings, threads: int) -> Values:
    """The sum of each user's squared errors, without the predictions in memory."""
    totals = np.empty(rated.n_users)
    biases = (model.user_bias, model.item_bias, np.float64(model.offset))
    given = (model.user_vectors, model.item_vectors, *biases)

    def work(first: int, last: int) -> None:
        add_squares(first, last, rated.indptr, rated.items, rated.values, given, totals)

    for_blocks(work, rated.n_users, threads, _USERS)
    if not np.isfinite(totals).all():
        raise diverged(int(np.isfinite(totals).argmin()))
    return totals


def squares_of_predictions(model: Model, rated: Ratings, threads: int) -> Values:
    """The sum of each user's squared errors, from the predictions of any model."""
    predicted = predict_pairs(model, rated.users, rated.items, threads, rated.times)
    finite = np.isfinite(predicted)
    if not finite.all():
        # Minus infinity says that an item is not listed; anything else comes from training.
        diverged_model = np.isnan(predicted).any() or np.isposinf(predicted).any()
        raise (Diverged if diverged_model else UserError)(
            f"A predicted rating of user {rated.users[finite.argmin()]} is not a finite number: rmse "
            "needs a prediction of every held-out rating; give the model them or leave rmse out."
        )
    errors = predicted.astype(np.float64) - rated.values
    return np.bincount(rated.users, errors**2, rated.n_users).astype(np.float64)


def rmse(
    model: Model, task: Task, seen: Ratings | None, asked: Sequence[Numbers], threads: int
) -> list[UserValues]:
    rated = task.held_out
    if isinstance(model, FactorModel):
        totals = squares_of_factors(model, rated, threads)
    else:
        totals = squares_of_predictions(model, rated, threads)
    counts = np.diff(rated.indptr).astype(np.float64)
    return [UserValues(totals, counts, pooled=True, rooted=True)]


MEASURES = (
    ModelMeasure(
        spelling="rmse",
        label="RMSE",
        description="Root of the mean squared error of predicted ratings, over rated items only.",
        better="lower",
        colour="grey",
        predicts=True,
        values=rmse,
    ),
)
