"""Every trained method takes this one form, so there is one file format and one scoring path."""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mnar.core.files import read_arrays, write_arrays


# No two models are compared by value, so that they can be keys of a cache.
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
