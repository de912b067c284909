"""The ids that rows and columns have in the data, for models that come from elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Ids:
    """Ids of all users and items of a view, and the id of the fold that a matrix belongs to."""

    users: NDArray
    items: NDArray
    # Made when it is asked for: it takes a hash of all rows.
    fold: Callable[[], str] | None = None
    # Which users the rows of the matrix are; None: all.
    rows: NDArray[np.integer] | None = None
    # Whether other items than these are a mistake; not so where a part of a catalogue is looked at.
    all_items: bool = field(default=True)


def positions(known: NDArray, given: Any) -> NDArray[np.int64]:
    """Where each given id stands among the known ones; −1 for an unknown one.

    Numbers and their text are the same id: one file has 7 where another has "7".
    """
    import pandas as pd

    codes, different = pd.factorize(np.asarray(given))
    positions = {plain(one): position for position, one in enumerate(known.tolist())}
    found = np.array([positions.get(plain(one), -1) for one in different.tolist()], np.int64)
    # A missing id has code −1.
    return np.append(found, -1)[codes]


def plain(one: Any) -> str:
    """An id as text; a table with gaps holds whole numbers as floating ones."""
    whole = isinstance(one, float) and one.is_integer()
    return str(int(one)) if whole else str(one)
