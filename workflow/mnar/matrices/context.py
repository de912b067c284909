"""Facts about a held-out set that some measures need, and which items are the head."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.ratings import Ratings


@dataclass(frozen=True)
class Context:
    """Inputs of some measures besides the model and the held-out ratings."""

    # Estimators: the weight of each relevant held-out rating, by the name of a weighting.
    weigh: Callable[[str], NDArray[np.float64]] | None = None
    # head_<k>: which items are the head (see head_items).
    head: NDArray[np.bool_] | None = None
    # track2_error: users and items of the pairs drawn against the held-out ones.
    drawn: tuple[NDArray[np.integer], NDArray[np.integer]] | None = None
    # auc_rand: ratings of randomly selected items.
    random: Ratings | None = None


# How an error message names each field of a context.
NEEDS = {
    "weigh": "weights of the held-out ratings",
    "head": "the head items",
    "drawn": "the pairs drawn by protocol track2",
    "random": "randomly selected ratings",
}


def head_items(counts: NDArray[np.integer], share: float = 0.047) -> NDArray[np.bool_]:
    """The most rated items that make up a share of the catalogue; of equals the first."""
    head = np.zeros(len(counts), np.bool_)
    size = int(share * len(counts) + 0.5)
    head[np.argsort(-counts.astype(np.int64), kind="stable")[:size]] = True
    return head
