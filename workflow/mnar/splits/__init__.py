"""Protocols: how a view is split into training and held-out parts (SPEC 2), one file each.

A protocol is a module with `split(view, settings, fold, seed) -> Split`, found by its name.
"""

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.errors import UserError
from mnar.view import View

UNUSED, TRAIN, VALIDATION, TEST, FOLD_IN = range(5)


def _no_index() -> NDArray[np.int32]:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Split:
    """One fold: the role of each user-selected rating, and what is scored beside them."""

    roles: NDArray[np.uint8]
    # Which of the view's randomly selected ratings may be scored in this fold.
    random: NDArray[np.bool_]
    # kddcup2011 Track 2: unrated items drawn against the three held-out ones, three a user.
    drawn_user: NDArray[np.int32] = field(default_factory=_no_index)
    drawn_item: NDArray[np.int32] = field(default_factory=_no_index)


def names() -> list[str]:
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def split(protocol: str, view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold of a protocol: a pure function of its arguments."""
    if protocol not in names():
        raise UserError(f"Unknown protocol {protocol!r}; known are {', '.join(names())}.")
    module = import_module(f"mnar.splits.{protocol.replace('-', '_')}")
    return module.split(view, settings, fold, seed)
