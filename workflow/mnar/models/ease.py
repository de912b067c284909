"""EASE: an item's score is a weighted sum of the user's relevant items, in closed form (Steck 2019).

The weights B minimise ‖X − XB‖² + λ‖B‖² with nothing on the diagonal, so that no item explains
itself: with P = (XᵀX + λI)⁻¹ they are B_ij = −P_ij / P_jj. Where users are fewer than items, P is not
needed: with K = XXᵀ + λI of users × users, XP = K⁻¹X, and the scores are XB = X − K⁻¹X / diag(P).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real
from mnar.core.errors import UserError
from mnar.core.palette import WINE
from mnar.core.parallel import one_blas_thread
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._square import check_side, relevance_matrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def memory(users: int, items: int) -> int:
    """Several tables of users × items where users are fewer, else matrices of items × items."""
    return 60 * users * items if users < items else 28 * items**2


ABOUT = About(
    label="EASE",
    description="Linear item-item weights in closed form, trained on relevant items.",
    colour=WINE,
    marker="s",
    family="neighbours",
    settings=(Real("lambda", "penalty on the parameters", least=0, default=500.0),),
    memory=memory,
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


@dataclass(frozen=True, eq=False)
class UserTable:
    """All scores of some users, and what it takes to score others."""

    table: NDArray[np.float32]
    trained: "csr_array"
    # K⁻¹X and diag(P) of the training users.
    solved: NDArray[np.float64]
    diagonal: NDArray[np.float64]
    penalty: float

    @property
    def n_users(self) -> int:
        return self.table.shape[0]

    @property
    def n_items(self) -> int:
        return self.table.shape[1]

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        return self.table[users]

    def of(self, relevant: "csr_array") -> "UserTable":
        """The same for other users: YP = (Y − YXᵀK⁻¹X) / λ."""
        alike = relevant @ self.trained.T
        products = (relevant - alike @ self.solved) / self.penalty
        return replace(self, table=_table(relevant, products, self.diagonal))


def fit(
    train: Ratings, settings: dict[str, Any], seed: int, threads: int
) -> ItemWeights | UserTable:
    return next(fit_grid(train, [settings], seed, threads))


def fit_grid(
    train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[ItemWeights | UserTable]:
    """The counts XᵀX, or XXᵀ, are the same for every λ."""
    relevant = relevance_matrix(train)
    counts: dict[bool, NDArray] = {}
    for settings in points:
        penalty = float(ABOUT.complete(settings)["lambda"])
        # Without a penalty K has no inverse where two users like the same.
        by_users = train.n_users < train.n_items and penalty > 0
        if by_users not in counts:
            side = ("users", train.n_users) if by_users else ("items", train.n_items)
            check_side("ease", *side)
            rows = relevant if by_users else relevant.T
            counts[by_users] = (rows @ rows.T).toarray()
        if by_users:
            yield solve_by_users(relevant, counts[True], penalty)
        else:
            yield ItemWeights(relevant, solve(counts[False], penalty))


def fold_in(
    model: ItemWeights | UserTable, ratings: Ratings, settings: dict[str, Any], threads: int
) -> ItemWeights | UserTable:
    """The users of `ratings`, with the weights held fixed."""
    if isinstance(model, UserTable):
        return model.of(relevance_matrix(ratings))
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


def solve_by_users(
    relevant: "csr_array", together: NDArray[np.floating], penalty: float
) -> UserTable:
    """The scores without P, from how many items two users both find relevant."""
    one_blas_thread()
    inverse = np.linalg.inv(together.astype(np.float64) + penalty * np.eye(len(together)))
    solved = (relevant.T.astype(np.float64) @ inverse.T).T
    explained = relevant.multiply(solved).sum(axis=0)
    diagonal = (1 - np.asarray(explained, np.float64)) / penalty
    return UserTable(_table(relevant, solved, diagonal), relevant, solved, diagonal, penalty)


def _table(
    relevant: "csr_array", products: NDArray[np.float64], diagonal: NDArray[np.float64]
) -> NDArray[np.float32]:
    return np.asarray(relevant - products / diagonal, np.float32)
