"""Methods, one file each, found by their name in the config.

A method is a module with

    fit(train: Ratings, settings: dict, seed: int, threads: int) -> FactorModel

and, where it can do so, `fit_grid(train, points, seed, threads)`, which yields one model for each
of several settings and shares work between them, and `fold_in(model, ratings, settings, threads)`,
which gives the users of `ratings` new user vectors with the items held fixed.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from mnar.core.errors import UserError
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings


def names() -> list[str]:
    """Every file here is a method, but for those that start with an underscore (shared kernels)."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def module_name(name: str) -> str:
    return f"mnar.models.{name.replace('-', '_')}"


def load(name: str) -> ModuleType:
    if name not in names():
        raise UserError(f"Unknown method {name!r}; known are {', '.join(names())}.")
    return import_module(module_name(name))


def fit_grid(
    name: str, train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[FactorModel]:
    """A trained model for each setting, in the order given."""
    method = load(name)
    if hasattr(method, "fit_grid"):
        yield from method.fit_grid(train, points, seed, threads)
        return
    for settings in points:
        yield method.fit(train, settings, seed, threads)
