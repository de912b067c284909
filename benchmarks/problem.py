"""The one least-squares problem that every code base is given, and its objective.

    Σ_observed (1 − p·q)² + w_m Σ_missing (p·q)² + ρ (Σ|p|² + Σ|q|²)

with one ridge ρ for all rows, for implicit and lenskit have no other; the kernel here takes a
ridge per row, so ρ is one of its choices. Peers weigh the missing ones by 1: all their weights are
1/w_m times as large, and so is their ridge.
"""

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.ratings import Ratings
from mnar.models._als import Side, objective

__all__ = ["objective_of", "sides"]


def sides(ratings: Ratings, settings: dict) -> tuple[Side, Side]:
    """Users and items of the problem, for the kernel of this pipeline."""
    return _side(ratings, settings), _side(ratings.by_item, settings)


def _side(rows: Ratings, settings: dict) -> Side:
    return Side(
        rows.indptr,
        rows.items,
        rows.values,
        np.ones(1),
        settings["missing_weight"],
        np.zeros(rows.n_items),
        np.full(rows.n_users, settings["ridge"]),
    )


def objective_of(ratings: Ratings, settings: dict, users: NDArray, items: NDArray) -> float:
    return objective(*sides(ratings, settings), users, items)
