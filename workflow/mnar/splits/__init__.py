"""Protocols (docs/protocols.md): how a view is split into training and held-out parts, one file each.

A protocol is a module with `split(view, settings, fold, seed) -> Split` and SETTINGS, the settings that
it knows, found by its name. One without a validation set says VALIDATES = False, one that
evaluates users who were not trained on FOLDS_IN = True. NEEDS is a part that a dataset must have besides
ratings, and COMPILED = True says that it calls a compiled kernel. The seed is the same for all folds
of a protocol, so that two folds can share a draw (strong, halves).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Setting, Whole
from mnar.core.errors import UserError
from mnar.core.files import read_arrays, write_arrays
from mnar.core.names import suggestion
from mnar.matrices.view import View

FOLDS = Whole("folds", "number of folds", most=1000)
UNUSED, TRAIN, VALIDATION, TEST, FOLD_IN = range(5)
ROLES = ("unused", "train", "validation", "test", "fold_in")


def _no_index() -> NDArray[np.int32]:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Split:
    """One fold: the role of each user-selected rating, and the other pairs that are scored."""

    roles: NDArray[np.uint8]
    # Which of the view's randomly selected ratings may be scored in this fold.
    random: NDArray[np.bool_]
    # kddcup2011 Track 2: three unrated items per user, drawn against the three held-out ones. The
    # role says whether they go with the user's validation or test items.
    drawn_user: NDArray[np.int32] = field(default_factory=_no_index)
    drawn_item: NDArray[np.int32] = field(default_factory=_no_index)
    drawn_role: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))

    def counts(self, view: View) -> dict[str, int]:
        """The number of ratings in each role and of users scored or not, for logs and tables."""
        found = np.bincount(self.roles, minlength=len(ROLES))
        users = {
            role: np.unique(view.ratings.user[self.roles == role]) for role in (VALIDATION, TEST)
        }
        scored = np.union1d(users[VALIDATION], users[TEST])
        learned = np.isin(self.roles, (TRAIN, FOLD_IN))
        known = np.unique(view.ratings.user[learned])
        return {
            **{name: int(count) for name, count in zip(ROLES, found, strict=True)},
            "random": int(self.random.sum()),
            "drawn": len(self.drawn_user),
            "users": view.shape[0],
            "users_in_validation": len(users[VALIDATION]),
            "users_in_test": len(users[TEST]),
            "users_left_out": view.shape[0] - len(scored),
            "users_without_training": view.shape[0] - len(known),
        }


def names() -> list[str]:
    """Every file here is a protocol, except fold.py and those that start with an underscore."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files if file.stem != "fold")


def module_name(protocol: str) -> str:
    return f"mnar.splits.{protocol.replace('-', '_')}"


def settings_of(protocol: str) -> dict[str, Setting]:
    """The settings that a protocol knows, by their names; the number of folds is one of all."""
    known = (FOLDS, *import_module(module_name(protocol)).SETTINGS)
    return {setting.name: setting for setting in known}


def validates(protocol: str) -> bool:
    """Whether a protocol has a validation set, by which settings can be chosen."""
    return getattr(import_module(module_name(protocol)), "VALIDATES", True)


def folds_in(protocol: str) -> bool:
    """Whether users are evaluated that were not trained on, so that a method must fold them in."""
    return getattr(import_module(module_name(protocol)), "FOLDS_IN", False)


def compiled(protocol: str) -> bool:
    """Whether a protocol calls a compiled kernel, for which numba must be loaded."""
    return getattr(import_module(module_name(protocol)), "COMPILED", False)


def needs(protocol: str) -> str | None:
    """What a protocol needs of a dataset besides ratings."""
    return getattr(import_module(module_name(protocol)), "NEEDS", None)


def split(protocol: str, view: View, settings: dict[str, Any], fold: int, seed: int) -> Split:
    """One fold of a protocol: a pure function of its arguments."""
    if protocol not in names():
        raise UserError(f"Unknown protocol {protocol!r}; {suggestion(protocol, names())}")
    module = import_module(module_name(protocol))
    return module.split(view, settings, fold, seed)


def all_folds(protocol: str, view: View, settings: dict[str, Any], seed: int) -> list[Split]:
    """Every fold of a protocol; the sizes of its parts go to the job's log."""
    folds = []
    for fold in range(settings["folds"]):
        folds.append(split(protocol, view, settings, fold, seed))
        print(f"{protocol}, fold {fold}: {folds[-1].counts(view)}")
    return folds


def save_splits(path: str | Path, splits: Sequence[Split]) -> None:
    """Writes all folds to one file; `drawn_start` says where a fold's drawn items begin."""
    drawn = [len(split.drawn_user) for split in splits]
    write_arrays(
        path,
        {
            "roles": np.stack([split.roles for split in splits]),
            "random": np.stack([split.random for split in splits]),
            "drawn_user": np.concatenate([split.drawn_user for split in splits]),
            "drawn_item": np.concatenate([split.drawn_item for split in splits]),
            "drawn_role": np.concatenate([split.drawn_role for split in splits]),
            "drawn_start": np.concatenate([[0], np.cumsum(drawn)]).astype(np.int64),
        },
        named=True,
    )


def count(path: str | Path) -> int:
    """The number of folds in a file."""
    return len(read_arrays(path)["roles"])


def load_split(path: str | Path, fold: int) -> Split:
    stored = read_arrays(path)
    folds = len(stored["roles"])
    if not 0 <= fold < folds:
        raise UserError(f"{path} has folds 0 to {folds - 1}, but fold {fold} was asked for.")
    drawn = slice(*stored["drawn_start"][fold : fold + 2])
    return Split(
        stored["roles"][fold],
        stored["random"][fold],
        stored["drawn_user"][drawn],
        stored["drawn_item"][drawn],
        stored["drawn_role"][drawn],
    )
