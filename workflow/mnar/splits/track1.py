"""kddcup2011 Track 1: a user's last six ratings are test, the four before them validation."""

from typing import Any

import numpy as np

from mnar.core.seeds import generator
from mnar.data.parts import OFFICIAL_TEST, OFFICIAL_VALIDATION
from mnar.matrices.view import View
from mnar.splits import TEST, VALIDATION, Split
from mnar.splits._held_out import all_training, unseen_random
from mnar.splits._newest import hold_out_newest

TEST_RATINGS, VALIDATION_RATINGS = 6, 4

COMPILED = True
SETTINGS = ()


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold: the official parts if the view has them, otherwise the same by time.

    The contest published its test items without ratings. If no test ratings are available, the
    official validation ratings become the test part, and the four ratings before them validation.
    A user with fewer than eleven ratings keeps one for training; test is filled before validation.
    """
    roles = all_training(view)
    random = generator(seed, fold)
    official = set(np.unique(view.part))
    if OFFICIAL_TEST in official:
        roles[view.part == OFFICIAL_VALIDATION] = VALIDATION
        roles[view.part == OFFICIAL_TEST] = TEST
    else:
        if OFFICIAL_VALIDATION in official:
            roles[view.part == OFFICIAL_VALIDATION] = TEST
        else:
            hold_out_newest(view, roles, TEST, TEST_RATINGS, random)
        hold_out_newest(view, roles, VALIDATION, VALIDATION_RATINGS, random)
    return Split(roles, unseen_random(view, roles))
