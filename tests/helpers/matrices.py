"""Small random rating matrices for the tests of the models."""

import numpy as np

from mnar.matrices.ratings import Ratings


def random_ratings(users=30, items=20, share=0.3, seed=0, parents=None) -> Ratings:
    """Ratings 1 to 5, relevant from 4; the first user and the last item have none."""
    random = np.random.default_rng(seed)
    observed = random.random((users, items)) < share
    observed[0] = observed[:, -1] = False
    row, column = np.nonzero(observed)
    values = random.integers(1, 6, len(row)).astype(np.float32)
    return Ratings.from_triplets(row, column, values, values >= 4, (users, items), parents)


def dense(ratings: Ratings, numbers, missing: float) -> np.ndarray:
    """The matrix with one number for each observed entry and `missing` elsewhere."""
    matrix = np.full((ratings.n_users, ratings.n_items), missing, dtype=np.float64)
    matrix[ratings.users, ratings.items] = numbers
    return matrix


def ratings_of(mask, relevant=None, values=None) -> Ratings:
    """The ratings at the true cells of a users × items mask."""
    mask = np.asarray(mask, bool)
    users, items = np.nonzero(mask)
    relevant = np.ones_like(mask) if relevant is None else np.asarray(relevant, bool)
    values = relevant if values is None else np.asarray(values)
    return Ratings.from_triplets(
        users, items, values[users, items].astype(float), relevant[users, items], mask.shape
    )
