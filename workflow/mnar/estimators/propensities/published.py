"""Chances that came with the dataset, as Coat's authors estimated them: one for each cell."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.estimators.selected import Selected, held_out_chance

SETTINGS: dict[str, Any] = {}
ABSOLUTE = True


def chances(
    selected: Selected, settings: dict[str, Any], times: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if selected.published is None:
        raise UserError(
            "Propensity model published needs a file of propensities, which this dataset does not "
            "have; take popularity or logistic."
        )
    held_out = selected.held_out
    return held_out_chance(selected.published[held_out.users, held_out.items], selected.share)


def read(path: str | Path, shape: tuple[int, int]) -> NDArray[np.float64]:
    """A matrix as text: a line a user, a column an item, a probability in each cell."""
    try:
        matrix = np.loadtxt(path, ndmin=2)
    except ValueError as error:
        raise UserError(f"{path} is no matrix of numbers ({error}); get it again.") from error
    if matrix.shape != shape or not ((matrix > 0) & (matrix <= 1)).all():
        raise UserError(
            f"{path} has {matrix.shape[0]} × {matrix.shape[1]} numbers from {matrix.min():g} to "
            f"{matrix.max():g}; it must have {shape[0]} × {shape[1]}, above 0 and at most 1."
        )
    return matrix
