"""Models of other people, whose scores are looked at before anything is computed from them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mnar.core.errors import UserError

# What gives numbers; all else that a model has is passed on as it is.
ASKED = ("predict", "predict_at")


class CheckedModel:
    """A model that has `scores`, and a UserError where these are no array of real numbers."""

    def __init__(self, model: Any, name: str):
        self._model, self._name = model, name
        self.n_users, self.n_items = int(model.n_users), int(model.n_items)

    def scores(self, users: NDArray[np.integer]) -> NDArray:
        found = _numbers(self._model.scores(users), f"{self._name}: its `scores`")
        if found.shape != (len(users), self.n_items):
            raise UserError(
                f"{self._name}: its `scores` gave an array of shape {found.shape} for {len(users)} "
                f"users and {self.n_items} items; it must have a row a user and a column an item."
            )
        return found

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._model, attribute)
        if attribute not in ASKED or not callable(found):
            return found
        return _checked(found, f"{self._name}: its `{attribute}`")


def _checked(ask: Callable[..., Any], what: str) -> Callable[..., NDArray]:
    return lambda *given: _numbers(ask(*given), what)


def _numbers(found: Any, what: str) -> NDArray:
    """As an array; `what` gave it."""
    try:
        array = np.asarray(found)
    except ValueError:
        # Rows of different lengths.
        array = np.asarray(None)
    if sparse.issparse(found) or array.dtype.kind not in "biuf":
        kind = type(found).__name__
        of = "" if array.dtype.kind == "O" else f" of {array.dtype}"
        raise UserError(f"{what} gave {kind}{of}; it must give an array of real numbers.")
    return array
