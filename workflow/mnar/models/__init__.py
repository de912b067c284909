"""Methods, one file each, found by their name in the config (docs/methods.md).

A method's file says everything about it. It must have

    fit(train: Ratings, settings: dict, seed: int, threads: int) -> FactorModel
    ABOUT = About(...)      label, look, settings, nature of its scores

and may have more (`can` tells whether it does)

    fit_grid(train, points, seed, threads)         one model for each of several settings, which share work
    fold_in(model, ratings, settings, threads)     new users for the rows of `ratings`, the items held fixed
    fold_in_items(model, ratings, settings, threads)       new items for its columns, the users held fixed
    start(train, settings, seed), advance(state, settings, iterations)     training that can be continued
    objectives(train, settings, seed, threads)     after each sweep the value that training makes smaller
    operations(train, settings)                    additions and multiplications of one sweep

A file of the user's own is named by its path, which ends in .py; it may leave ABOUT out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np

from mnar.core.declared import Levels, OneOf, Real, Setting, Switch, Whole, finite
from mnar.core.errors import UserError
from mnar.core.names import suggestion
from mnar.core.palette import COLOURS
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About, other_marker, undeclared
from mnar.models._own_file import load_file

__all__ = [
    "DIVERGED",
    "About",
    "Levels",
    "OneOf",
    "Real",
    "Setting",
    "Switch",
    "Whole",
    "about",
    "about_entry",
    "can",
    "fault",
    "finite",
    "fit_grid",
    "load",
    "module_in",
    "module_name",
    "names",
    "suggestion",
]

# Scores from files (`scores` in an entry of the config) are a method without a name of its own.
GIVEN = "_given-scores"

DIVERGED = "the model has diverged; use a smaller rate or a larger lambda"

Function = Literal[
    "fit_grid", "fold_in", "fold_in_items", "start", "advance", "objectives", "operations"
]


def names() -> list[str]:
    """The methods of the project: the files here without an underscore, which marks shared code."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def module_name(name: str) -> str:
    """The module of a method as Python names it; a file of the user's own by its path."""
    if name.endswith(".py"):
        return name
    return f"mnar.models.{name.replace('-', '_')}"


def module_in(entry: Mapping[str, Any], name: str) -> str:
    """The method that an entry of the config is made of; scores from files are one, too."""
    return entry.get("module", GIVEN if "scores" in entry else name)


def load(name: str) -> ModuleType:
    """The module of a method of the project, or of a file of the user's own."""
    return load_file(name) if name.endswith(".py") else _load_known(name)


@cache
def _load_known(name: str) -> ModuleType:
    if name not in (*names(), GIVEN):
        raise UserError(f"Unknown method {name!r}; {suggestion(name, names())}")
    return import_module(module_name(name))


def about(name: str) -> About:
    """The declaration of a method."""
    declared = getattr(load(name), "ABOUT", None)
    return undeclared(_plain(name)) if declared is None else declared


def _plain(module: str) -> str:
    """The name that a method has without an entry in the config: my_methods/two_words.py: two-words."""
    return Path(module).stem.replace("_", "-") if module.endswith(".py") else module


def about_entry(name: str, entries: Mapping[str, Mapping[str, Any]]) -> About:
    """The declaration of a method of the config: `entries` are its `methods`.

    An entry may give `label`, `colour`, `marker` and `needs` itself. One that is a variant of another
    method (by its `module`) has that method's colour, but its own name and marker. Nothing is declared
    of other rows of a table, such as a blend.
    """
    if name not in entries and name not in names():
        return undeclared(name)
    entry = entries.get(name, {})
    module = module_in(entry, name)
    own = about(module)
    changes: dict[str, Any] = {}
    if name != _plain(module):
        changes = {"label": name, "marker": other_marker(own.marker, name)}
    if module == GIVEN:
        # Two of them have nothing in common but how they are read.
        changes |= {"colour": undeclared(name).colour, "marker": undeclared(name).marker}
    changes |= {key: entry[key] for key in ("label", "colour", "marker", "needs") if key in entry}
    if own.predicts_ratings_at is not None:
        fixed = own.complete(entry.get("settings", {}))
        changes["predicts_ratings"] = own.predicts_ratings_at(fixed)
    if "colour" in changes:
        changes["colour"] = COLOURS.get(changes["colour"], changes["colour"])
    return replace(own, **changes)


def can(name: str, *functions: Function) -> bool:
    """Whether a method has all of these functions."""
    module = load(name)
    return all(hasattr(module, function) for function in functions)


def fit_grid(
    name: str, train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[FactorModel]:
    """A trained model for each setting, in the order given; the log names those that are no result."""
    for settings, model in zip(points, _fitted(name, train, points, seed, threads), strict=True):
        found = fault(model)
        if found is not None:
            print(f"{name} at {settings}: {found}.")
        yield model


def _fitted(
    name: str, train: Ratings, points: list[dict[str, Any]], seed: int, threads: int
) -> Iterator[FactorModel]:
    method = load(name)
    if hasattr(method, "fit_grid"):
        yield from method.fit_grid(train, points, seed, threads)
        return
    for settings in points:
        yield method.fit(train, settings, seed, threads)


def fault(model: FactorModel) -> str | None:
    """Why a model is no result, if so: a number in it is not finite, or all items score alike."""
    if not isinstance(model, FactorModel) or not model.n_items:
        return None
    vectors = (model.user_vectors, model.item_vectors, model.item_bias, model.user_bias)
    if not all(np.isfinite(part).all() for part in vectors) or not np.isfinite(model.offset):
        return DIVERGED
    tasteless = not model.user_vectors.any() or not np.ptp(model.item_vectors, axis=0).any()
    if tasteless and np.ptp(model.item_bias) == 0:
        return "the model gives all items the same score; try other settings"
    return None
