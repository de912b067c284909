"""Facts about a held-out set that some measures need, and which items are the head."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.ratings import Ratings


@dataclass(frozen=True)
class Context:
    """What some measures need besides the model and the held-out ratings."""

    # Stratified recall: relevant ratings of each item in all user-selected data.
    positives_per_item: NDArray[np.integer] | None = None
    # head_<k>: which items are the head (see head_items).
    head: NDArray[np.bool_] | None = None
    # track2_error: users and items of the pairs drawn against the held-out ones.
    drawn: tuple[NDArray[np.integer], NDArray[np.integer]] | None = None
    # auc_rand: ratings of randomly selected items.
    random: Ratings | None = None


# How an error message names each field of a context.
NEEDS = {
    "positives_per_item": "the positives of each item",
    "head": "a mask of the head items",
    "drawn": "the pairs drawn by protocol track2",
    "random": "randomly selected ratings",
}


def head_items(counts: NDArray[np.integer], share: float = 0.047) -> NDArray[np.bool_]:
    """The most rated items that make up a share of the catalogue; of equals the first."""
    head = np.zeros(len(counts), np.bool_)
    size = int(share * len(counts) + 0.5)
    head[np.argsort(-counts.astype(np.int64), kind="stable")[:size]] = True
    return head
