"""steck2010: each user's last ratings are held out, pooled, and halved into xv and test."""

from typing import Any

import numpy as np

from mnar.core.declared import Whole
from mnar.core.seeds import generator
from mnar.matrices.view import View
from mnar.splits import TEST, Split
from mnar.splits._held_out import all_training, halve, unseen_random
from mnar.splits._newest import hold_out_newest

COMPILED = True
SETTINGS = (Whole("held_out", "ratings held out of each user", default=5),)


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold; the paper's xv is VALIDATION. A user with few ratings keeps one in training."""
    random = generator(seed, fold)
    roles = all_training(view)
    hold_out_newest(view, roles, TEST, settings.get("held_out", 5), random)
    halve(roles, np.flatnonzero(roles == TEST), random)
    return Split(roles, unseen_random(view, roles))
