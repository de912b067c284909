"""kddcup2011 Track 1: a user's last six ratings are test, the four before them validation."""

from typing import Any

from mnar.seeds import generator
from mnar.splits import TEST, VALIDATION, Split
from mnar.splits._held_out import all_training, newest_first, per_user, places, unseen_random
from mnar.view import View

TEST_RATINGS, VALIDATION_RATINGS = 6, 4


def split(view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """The official parts where the view has them.

    Elsewhere a user may have fewer than the eleven ratings this takes: the oldest stays in
    training, and test is served before validation.
    """
    roles = all_training(view)
    if len(view.part):
        roles += view.part
    else:
        users = view.ratings.user
        counts = per_user(users, view)
        place = places(users, counts)
        order = newest_first(view, generator(seed, fold))
        spare = place < (counts - 1)[users]
        roles[order[spare & (place < TEST_RATINGS + VALIDATION_RATINGS)]] = VALIDATION
        roles[order[spare & (place < TEST_RATINGS)]] = TEST
    return Split(roles, unseen_random(view, roles))
