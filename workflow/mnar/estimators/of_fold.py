"""Estimators in any study: the held-out sets of a fold, seen as what users chose to rate.

Protocols that hold out a number of ratings for each user, or the latest, keep the share h of
`chosen_parts` on average only.
"""

from dataclasses import replace
from functools import partial

from mnar.estimators.selected_ratings import Selected, chosen_parts
from mnar.estimators.weights import weigher
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import View
from mnar.splits import Split
from mnar.splits.fold import Fold

# Sets of ratings that users chose; others are no sample of theirs.
CHOSEN = ("validation", "test")


def fold_of(view: View, split: Split, complete: Ratings | None = None) -> Fold:
    """A fold whose measures may have weights: adg~snips(popularity)."""
    fold = Fold.of(view, split, complete)
    everything = view.matrix()
    contexts = {
        name: replace(
            context, weigh=weigher(partial(selected_of, view, split, fold, name, everything))
        )
        if name in CHOSEN
        else context
        for name, context in fold.contexts.items()
    }
    return replace(fold, contexts=contexts)


def selected_of(
    view: View, split: Split, fold: Fold, name: str, everything: Ratings | None = None
) -> Selected:
    """A held-out set of a fold as estimators see it; `everything` is all that the view has."""
    held_out, seen = fold.sets[name], fold.seen
    everything = view.matrix() if everything is None else everything
    # Random ratings that this fold does not score may tell how likely a rating is.
    spare = view.random_matrix(~split.random)
    random = spare if len(spare.items) else None
    return chosen_parts(seen, held_out, everything, random=random)
