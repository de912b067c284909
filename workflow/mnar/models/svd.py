"""The rank-k truncated SVD of the 0/1 relevance matrix, baseline of lim2015 section 6.

Its factors are the rank k. The matrix has no more than min(users, items) of them, so a larger number
means all.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Whole
from mnar.core.palette import SLATE
from mnar.core.seeds import generator
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._relevant import relevant_part

# Up to this many users or items a direct eigendecomposition is faster than an iterative one.
DENSE_SIDE = 1000

ABOUT = About(
    label="SVD",
    description="Truncated singular value decomposition of the 0/1 relevance matrix.",
    colour=SLATE,
    marker="^",
    family="missing ratings, too",
    # The only setting there is to search: no budget as in other methods.
    settings=(Whole("factors", "k, the rank of the approximation"),),
)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[FactorModel]:
    """One decomposition at the largest k; the others are its first columns."""
    largest = max(settings["factors"] for settings in points)
    user_vectors, item_vectors = decompose(train, largest, seed)
    for settings in points:
        k = settings["factors"]
        yield FactorModel.without_biases(user_vectors[:, :k], item_vectors[:, :k])


def decompose(train: Ratings, k: int, seed: int) -> tuple[NDArray, NDArray]:
    """User and item vectors whose first j columns multiply to the best rank-j approximation.

    On the smaller side they are singular vectors; the others follow by one product, as
    R V Vᵀ = U S Vᵀ.
    """
    # Imported here, as whoever reads ABOUT alone does without scipy.
    from scipy.sparse import csr_array
    from threadpoolctl import threadpool_limits

    relevant = relevant_part(train)
    ones = np.ones(len(relevant.items))
    shape = (train.n_users, train.n_items)
    matrix = csr_array((ones, relevant.items, relevant.indptr), shape)
    # The last bits of a product by BLAS depend on its number of threads.
    with threadpool_limits(1, user_api="blas"):
        if train.n_items <= train.n_users:
            item_vectors = _leading_left_vectors(matrix.T.tocsr(), k, seed)
            return matrix @ item_vectors, item_vectors
        user_vectors = _leading_left_vectors(matrix, k, seed)
        return user_vectors, matrix.T @ user_vectors


def _leading_left_vectors(matrix: Any, k: int, seed: int) -> NDArray:
    """The left singular vectors of the k largest singular values, largest first."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    side = matrix.shape[0]
    if side <= DENSE_SIDE or 2 * k >= side:
        gram = (matrix @ matrix.T).toarray()
        vectors = eigh(gram, subset_by_index=(max(0, side - k), side - 1))[1]
    else:
        transposed = matrix.T.tocsr()
        gram = LinearOperator((side, side), lambda x: matrix @ (transposed @ x), dtype=np.float64)
        random = generator(seed, "svd")
        # Both the first vector and those of restarts are drawn from `random`.
        vectors = eigsh(gram, k, v0=random.standard_normal(side), rng=random)[1]
    # Rounding leaves 1e-35 instead of 0 in a row without entries, which would rank all items by chance.
    vectors[np.diff(matrix.indptr) == 0] = 0
    return vectors[:, ::-1]
