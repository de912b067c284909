"""Every trained method takes this one form, so there is one file format and one scoring path."""

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mnar.core.files import read_arrays, write_arrays
from mnar.matrices.factor_scores import ItemScores, check_finite, multiply_pairs


# No two models are compared by value: == of arrays is no truth value.
@dataclass(frozen=True, eq=False)
class FactorModel:
    """score(u, i) = offset + user_bias[u] + item_bias[i] + user_vectors[u] · item_vectors[i].

    A bestseller list is a model without factors whose item bias is the count.
    """

    user_vectors: NDArray[np.float32]
    item_vectors: NDArray[np.float32]
    item_bias: NDArray[np.float32]
    user_bias: NDArray[np.float32]
    offset: float = 0.0

    @classmethod
    def without_biases(
        cls, user_vectors: NDArray, item_vectors: NDArray, offset: float = 0.0
    ) -> "FactorModel":
        return cls(
            np.ascontiguousarray(user_vectors, np.float32),
            np.ascontiguousarray(item_vectors, np.float32),
            np.zeros(len(item_vectors), np.float32),
            np.zeros(len(user_vectors), np.float32),
            offset,
        )

    @property
    def n_users(self) -> int:
        return len(self.user_vectors)

    @property
    def n_items(self) -> int:
        return len(self.item_vectors)

    @cached_property
    def item_scores(self) -> ItemScores:
        """Made once: several held-out sets in a row are scored with it."""
        return ItemScores(self.user_vectors, self.item_vectors, self.item_bias)

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        """Scores of all items for some users, without offset and user bias (see ItemScores)."""
        return self.item_scores(users)[:, self.item_scores.columns]

    def score_pairs(
        self, users: NDArray[np.integer], items: NDArray[np.integer]
    ) -> NDArray[np.float32]:
        """Scores of (user, item) pairs, without offset and user bias (see ItemScores)."""
        products = np.empty(len(users), np.float32)
        multiply_pairs(self.user_vectors, self.item_vectors, users, items, products)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = self.item_bias[items] + products
        check_finite(scores[:, np.newaxis], users)
        return scores

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        """Predicted ratings of (user, item) pairs."""
        products = np.einsum("nk,nk->n", self.user_vectors[users], self.item_vectors[items])
        return self.offset + self.user_bias[users] + self.item_bias[items] + products

    def save(self, path: str | Path) -> None:
        write_arrays(path, asdict(self))

    @classmethod
    def load(cls, path: str | Path) -> "FactorModel":
        arrays = read_arrays(path)
        offset = float(arrays.pop("offset"))
        return cls(**arrays, offset=offset)
