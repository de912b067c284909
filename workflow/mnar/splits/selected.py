"""Trust: each user-selected rating, liked or not, is held out by itself with the same chance.

There is no validation set, since nothing is chosen. Where all random rows of a dataset include the
user-selected ones (cm100k), `halves: true` first cuts the rows in two: the first half gives training
and test ratings, the second one the truth, so that no row is in both.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Share, Switch
from mnar.core.seeds import generator
from mnar.matrices.view import Entries, View
from mnar.splits import TEST, UNUSED, Split
from mnar.splits._held_out import all_training, share_of, unseen_random

SETTINGS = (
    Share("held_out", "chance that a rating is held out", default=0.3),
    Switch("halves", "whether random rows are cut in two first", default=False),
)
# Nothing can be chosen under this protocol.
VALIDATES = False


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """Held-out ratings are TEST; `held_out` is their chance, 0.3 unless told."""
    share = float(share_of(settings, "held_out", 0.3))
    roles = all_training(view)
    roles[generator(seed, fold, "held out").random(len(roles)) < share] = TEST
    if not settings.get("halves", False):
        return Split(roles, unseen_random(view, roles))
    truth = generator(seed, fold, "halves").random(len(view.random)) < 0.5
    hidden = np.isin(_cells(view.ratings, view), _cells(view.random, view)[truth])
    roles[hidden] = UNUSED
    return Split(roles, truth & unseen_random(view, roles))


def truth_weights(view: View, settings: dict[str, Any]) -> NDArray[np.float64]:
    """How much each random rating counts in the truth.

    Under `halves`, a selected row of the second half cannot be in training, but another draw would
    have trained on it with chance ½·(1 − h). It counts as often as it would be a candidate.
    """
    weights = np.ones(len(view.random))
    if settings.get("halves", False):
        share = float(share_of(settings, "held_out", 0.3))
        known = np.isin(_cells(view.random, view), _cells(view.ratings, view))
        weights[known] = 1 - (1 - share) / 2
    return weights


def _cells(entries: Entries, view: View) -> NDArray[np.int64]:
    return entries.user.astype(np.int64) * view.shape[1] + entries.item
