"""How much memory a job needs, by the words of its methods or its protocol, and how many threads."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from mnar import models, splits
from mnar.matrices.view import View


def methods_mb(config: dict[str, Any], methods: Iterable[str], view: str) -> int:
    """What the neediest of some methods takes beyond a factor model, in MB."""
    wanted = [models.about_entry(method, config["methods"]).memory for method in methods]
    try:
        shape = View.stored_shape(view)
    except (BadZipFile, KeyError, ValueError, EOFError):
        # A damaged view: the job that reads it says so.
        shape = 0, 0
    return max((memory(*shape) // 10**6 for memory in wanted), default=0)


def threads(files: Iterable[str]) -> int:
    """By the size of the files that are there."""
    there = [path for path in map(Path, files) if path.exists()]
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
