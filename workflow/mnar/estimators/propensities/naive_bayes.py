"""Naive Bayes (Schnabel et al. 2016): P(rated | rating) = P(rating | rated)·P(rated)/P(rating).

P(rating) comes from a small sample of randomly chosen items, with one added to each class so that
none is empty. Ratings with more than ten different values are put into five classes: thirds of the
irrelevant and halves of the relevant user-selected ratings. The model looks at nothing but the
rating: it corrects for positivity, not for popularity.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.estimators.propensities import counts_by
from mnar.estimators.selected_ratings import Selected
from mnar.statistics.bootstrap import resampled_sums

SETTINGS: dict[str, Any] = {}
ABSOLUTE = True
OF_TRUST = False

MOST_LEVELS = 10
# Classes of irrelevant and of relevant ratings where values are many.
CLASSES = (3, 2)


def chances(
    selected: Selected, settings: dict[str, Any], times: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    sample = selected.random
    if sample is None or not len(sample.items):
        raise UserError(
            "Propensity model naive-bayes needs some ratings of randomly chosen items, which are not "
            "there; take popularity or logistic."
        )
    cuts = _cuts(selected)
    classes = sum(len(cut) + 1 for cut in cuts)

    def class_of(values: NDArray[np.floating], relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
        low, high = (np.searchsorted(cut, values, "right") for cut in cuts)
        return np.where(relevant, len(cuts[0]) + 1 + high, low)

    mine = class_of(selected.values, selected.relevant)
    among_rated = counts_by(selected.users, mine, classes, times)
    theirs = class_of(sample.values, sample.relevant)
    at_random = counts_by(sample.users, theirs, classes, times) + 1
    everyone = np.ones(selected.shape[0])
    # A sample may draw groups of users, and these are not of one size.
    users = everyone.sum() if times is None else resampled_sums(everyone, times)
    cells = selected.shape[1] * users
    everywhere = np.asarray(cells)[..., None] * at_random / at_random.sum(axis=-1, keepdims=True)
    rated = np.clip(among_rated / everywhere, 1e-12, 1)
    held_out = selected.held_out
    wanted = class_of(held_out.values, held_out.relevant)
    return selected.chance(rated)[..., wanted]


def _cuts(selected: Selected) -> list[NDArray[np.floating]]:
    """Where classes of irrelevant and of relevant ratings end."""
    parts = (selected.values[~selected.relevant], selected.values[selected.relevant])
    if len(np.unique(selected.values)) <= MOST_LEVELS:
        return [np.unique(part)[1:] for part in parts]
    return [
        np.unique(np.quantile(part, np.arange(1, n) / n)) if len(part) else part
        for part, n in zip(parts, CLASSES, strict=True)
    ]
