"""Chances that came with the dataset, as Coat's authors estimated them: one for each cell."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.estimators.selected_ratings import Selected
from mnar.matrices.view import View

SETTINGS: dict[str, Any] = {}
ABSOLUTE = True
OF_TRUST = True


def chances(
    selected: Selected, settings: dict[str, Any], times: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if selected.published is None:
        raise UserError(
            "Propensity model published needs a file of propensities, which is not there; "
            "take popularity or logistic."
        )
    held_out = selected.held_out
    return selected.chance(selected.published[held_out.users, held_out.items])


def read(path: str | Path, view: View) -> NDArray[np.float64]:
    """A matrix as text (a line a user, a column an item, a probability in each cell), of the users
    and items of a view. Their ids are line and column, from 1.
    """
    try:
        matrix = np.loadtxt(path, ndmin=2)
    except ValueError as error:
        raise UserError(f"{path} is no matrix of numbers ({error}); get it again.") from error
    lines, columns = view.user_ids.astype(np.int64), view.item_ids.astype(np.int64)
    if not ((matrix > 0) & (matrix <= 1)).all():
        raise UserError(
            f"{path} has numbers from {matrix.min():g} to {matrix.max():g}; chances are above 0 and "
            "at most 1."
        )
    if lines.max() > matrix.shape[0] or columns.max() > matrix.shape[1]:
        raise UserError(
            f"{path} has {matrix.shape[0]} lines of {matrix.shape[1]} numbers; the ratings go up to "
            f"user {lines.max()} and item {columns.max()}."
        )
    return matrix[np.ix_(lines - 1, columns - 1)]
