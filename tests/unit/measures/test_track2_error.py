"""Track 2 error."""

import numpy as np
import pytest
from helpers.matrices import ratings_of
from helpers.rankings import model_of

from mnar.core.errors import UserError
from mnar.matrices.context import Context
from mnar.measures import evaluate


def test_track2_error_counts_the_wrong_side():
    scores = np.array([[9.0, 8, 7, 6, 5, 4, 3], [9, 8, 7, 6, 5, 4, 3], [1, 1, 1, 1, 1, 1, 1]])
    held_out = np.zeros((3, 7))
    held_out[0, [0, 1, 2]] = held_out[2, [0, 1, 2]] = 1
    drawn_user, drawn_item = np.array([2, 0, 2, 0, 2, 0]), np.array([4, 4, 5, 3, 6, 5])

    def errors(scores):
        context = Context(drawn=(drawn_user, drawn_item))
        rated = ratings_of(held_out)
        return evaluate(model_of(scores), rated, None, ["track2_error"], context, 1)["track2_error"]

    values = errors(scores)
    np.testing.assert_array_equal(values.weight, [1, 0, 1])
    np.testing.assert_allclose(values.total, [0, 0, 0.5])
    np.testing.assert_allclose(errors(-scores).total, [1, 0, 0.5])
    # Items 3 and 0 change sides.
    swapped = scores.copy()
    swapped[0, [0, 3]] = scores[0, [3, 0]] - [10, 0]
    assert errors(swapped).total[0] == pytest.approx(1 / 3)


def test_track2_error_wants_three_of_each():
    context = Context(drawn=(np.array([0, 0]), np.array([3, 4])))
    with pytest.raises(UserError, match="track2"):
        evaluate(
            model_of(np.zeros((1, 5))), ratings_of([[1, 1, 1, 0, 0]]), None, ["track2_error"],
            context, 1,
        )  # fmt: skip
