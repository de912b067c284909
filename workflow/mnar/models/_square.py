"""Matrices of items × items (or users × users): how large they may be, and rows of relevance."""

from typing import TYPE_CHECKING

import numpy as np

from mnar.core.errors import UserError
from mnar.matrices.ratings import Ratings
from mnar.models._relevant import relevant_part

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# A dense matrix of single numbers then takes 1.6 GB.
LARGEST_SIDE = 20_000


def check_side(method: str, what: str, size: int) -> None:
    if size > LARGEST_SIDE:
        raise UserError(
            f"Method {method} holds a dense matrix of {what} × {what} and takes up to "
            f"{LARGEST_SIDE:,} of them, but the view has {size:,}; keep fewer by the view's recipe or "
            "leave the method out."
        )


def relevance_matrix(train: Ratings) -> "csr_array":
    """Users × items, 1 where a rating is relevant."""
    # Imported here, as whoever reads ABOUT alone does without scipy.
    from scipy.sparse import csr_array

    relevant = relevant_part(train)
    ones = np.ones(len(relevant.items), np.float32)
    return csr_array((ones, relevant.items, relevant.indptr), (train.n_users, train.n_items))
