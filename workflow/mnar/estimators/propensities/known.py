"""The true chances, where selection was simulated."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.estimators.selected_ratings import Selected

SETTINGS: dict[str, Any] = {}
ABSOLUTE = True
OF_TRUST = True


def chances(
    selected: Selected, settings: dict[str, Any], times: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if selected.chances is None:
        raise UserError(
            "Propensity model known needs simulated selection, but these users chose by themselves; "
            "take popularity or logistic."
        )
    rated = selected.chances.of(selected.held_out.items, selected.held_out.relevant)
    return selected.chance(rated)
