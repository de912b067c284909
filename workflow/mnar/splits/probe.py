"""steck2010 on Netflix: the official probe set is taken out of training and halved."""

from typing import Any

import numpy as np

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.data.parts import OFFICIAL_TRAIN
from mnar.matrices.view import View
from mnar.splits import Split
from mnar.splits._held_out import all_training, halve, unseen_random

SETTINGS = ()
NEEDS = "probe"


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold: all officially held-out ratings are pooled and halved, as in last-five."""
    rows = np.flatnonzero(view.part != OFFICIAL_TRAIN)
    if not len(rows):
        raise UserError(
            "Protocol probe needs a dataset with an official probe set, and this view has none: "
            "choose last-five instead."
        )
    roles = all_training(view)
    halve(roles, rows, generator(seed, fold))
    return Split(roles, unseen_random(view, roles))
