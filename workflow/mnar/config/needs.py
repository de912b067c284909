"""How much memory a job needs, by the words of its methods or its protocol, and how many threads."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mnar import models, splits
from mnar.matrices.view import View


def methods_mb(config: dict[str, Any], methods: Iterable[str], view: str) -> int:
    """What the neediest of some methods takes beyond a factor model, in MB."""
    return _most(methods, config["methods"], _shape(view))


def _most(methods: Iterable[str], entries: dict[str, Any], shape: tuple[int, int]) -> int:
    wanted = [models.about_entry(method, entries).memory for method in methods]
    return max((memory(*shape) // 10**6 for memory in wanted), default=0)


def _shape(view: str) -> tuple[int, int]:
    try:
        return View.stored_shape(view)
    except (BadZipFile, KeyError, ValueError, EOFError):
        # A damaged view: the job that reads it says so.
        return 0, 0


def trust_mb(about: dict[str, Any], view: str | None) -> int:
    """The same of the systems of experiment trust; of complete data those who rated all are users."""
    if view is None:
        return 0
    systems, shape = about["settings"]["systems"], _shape(view)
    if "complete" in about["has"] and shape[1]:
        counts = np.bincount(View.load(view).ratings.user, minlength=shape[0])
        shape = int((counts == shape[1]).sum()), shape[1]
    return _most(systems, systems, shape)


def threads(wildcards: Any, input: Iterable[str]) -> int:
    """One thread for every 200 MB of input, up to eight: small jobs gain nothing from more."""
    there = [path for path in map(Path, input) if path.exists()]
    return max(1, min(8, int(sum(path.stat().st_size for path in there) / 200e6)))


def train_mb_per_mb(wildcards: Any) -> float:
    """A fold takes a few copies of its ratings; values per user of several are kept to the end."""
    first, last = map(int, wildcards.folds.split("-"))
    return 5.5 if first == last else 3 * (last - first + 1)


def split_mb(wildcards: Any, input: Any) -> int:
    """What a split takes on no ratings at all; numba alone takes 120 MB."""
    return 210 if splits.compiled(wildcards.protocol) else 70


def simulate_mb(wildcards: Any, input: Any) -> int:
    """The same of a simulation; a generated truth is drawn in blocks of its cells."""
    return 390 if input.get("truth") else 240
