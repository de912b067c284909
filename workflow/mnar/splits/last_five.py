"""steck2010: the last ratings of each user are held out, pooled, and halved into xv and test."""

from typing import Any

import numpy as np

from mnar.seeds import generator
from mnar.splits import Split
from mnar.splits._held_out import all_training, halve, newest_first, per_user, places, unseen_random
from mnar.view import View


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """The paper's xv is VALIDATION. A user with few ratings keeps one of them in training."""
    random = generator(seed, fold)
    users = view.ratings.user
    counts = per_user(users, view)
    held_out = np.minimum(settings.get("held_out", 5), counts - 1)
    rows = newest_first(view, random)[places(users, counts) < held_out[users]]
    roles = all_training(view)
    halve(roles, rows, random)
    return Split(roles, unseen_random(view, roles))
