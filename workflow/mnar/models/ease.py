"""EASE: an item's score is a weighted sum of the user's relevant items, in closed form (Steck 2019).

The weights B minimise ‖X − XB‖² + λ‖B‖² with nothing on the diagonal, so that no item explains
itself: with P = (XᵀX + λI)⁻¹ they are B_ij = −P_ij / P_jj.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.palette import OLIVE
from mnar.core.parallel import one_blas_thread
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._settings import Real
from mnar.models._square import check_side, relevance_matrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ABOUT = About(
    label="EASE",
    description="Linear item-item weights in closed form, trained on what is relevant.",
    colour=OLIVE,
    marker="s",
    settings=(Real("lambda", "penalty on the parameters", least=0, default=500.0),),
)


@dataclass(frozen=True, eq=False)
class ItemWeights:
    """score(u, i) = Σ_j X_uj B_ji."""

    relevant: "csr_array"
    weights: NDArray[np.float32]

    @property
    def n_users(self) -> int:
        return self.relevant.shape[0]

    @property
    def n_items(self) -> int:
        return self.relevant.shape[1]

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        return self.relevant[users] @ self.weights


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> ItemWeights:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[ItemWeights]:
    """The counts XᵀX are the same for every λ."""
    check_side("ease", "items", train.n_items)
    relevant = relevance_matrix(train)
    together = (relevant.T @ relevant).toarray()
    for settings in points:
        yield ItemWeights(relevant, solve(together, ABOUT.complete(settings)["lambda"]))


def fold_in(
    model: ItemWeights, ratings: Ratings, settings: dict[str, Any], threads: int
) -> ItemWeights:
    """The users of `ratings`, with the weights held fixed."""
    return replace(model, relevant=relevance_matrix(ratings))


def solve(together: NDArray[np.floating], penalty: float) -> NDArray[np.float32]:
    """The weights B, from how many users find two items relevant."""
    from scipy.linalg import lapack

    # The last bits of what BLAS computes depend on its number of threads.
    one_blas_thread()
    inverse = np.array(together, np.float64, order="F")
    inverse[np.diag_indices_from(inverse)] += penalty
    inverse, failed = lapack.dpotrf(inverse, lower=1, overwrite_a=1)
    if failed:
        raise UserError(
            f"Method ease cannot be solved with lambda {penalty:g}, for some items have the same "
            "users; set a larger lambda."
        )
    inverse, _ = lapack.dpotri(inverse, lower=1, overwrite_c=1)
    diagonal = np.diag(inverse).copy()
    weights = np.empty(inverse.shape, np.float32)
    for j in range(len(diagonal)):
        # Only the lower half is filled: column j from the diagonal down, row j before it.
        column = -inverse[j:, j]
        weights[j:, j] = column / diagonal[j]
        weights[j, j:] = column / diagonal[j:]
    np.fill_diagonal(weights, 0)
    return weights
