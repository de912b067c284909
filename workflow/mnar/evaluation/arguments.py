"""The arguments of `evaluate` besides scores and ratings: a sentence for each that cannot be used."""

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mnar import measures as known
from mnar.core.errors import UserError
from mnar.estimators import parse

# Ratings that all count as relevant.
ALL = "all"
# An interval of 95 % needs far fewer, and each takes a number a user.
MOST_SAMPLES = 100_000
# They look at how many ratings there are, and at their mean, but not at which are relevant.
WITHOUT_RELEVANCE = ("logistic",)
_EXAMPLES = {"measures": "recall@10", "estimators": "adg~snips(popularity)"}


def names_of(given: Any, key: str) -> list[str]:
    """The names of measures or estimators, each once; a single one may stand without a list."""
    if isinstance(given, str):
        given = [given]
    listed = list(given) if isinstance(given, Iterable) else [given]
    for one in listed:
        if not isinstance(one, str):
            raise UserError(
                f"{key} is {given!r}; give a list of names, such as {_EXAMPLES[key]!r}."
            )
        known.check(one) if key == "measures" else parse(one)
    return list(dict.fromkeys(listed))


def check_given(systems: Mapping[str, Any], test: Any, wanted: list[str]) -> None:
    """A UserError where something is missing."""
    if test is None:
        raise UserError("There is no test; give the held-out ratings.")
    if not wanted:
        raise UserError("Nothing is to be measured; name some measures or estimators.")
    if not systems:
        raise UserError("There are no scores; give those of at least one system.")


def one_of(given: Any, key: str, options: tuple[str, ...]) -> str:
    if not isinstance(given, str) or given not in options:
        raise UserError(f"{key} is {given!r}; it may be {' or '.join(map(repr, options))}.")
    return given


def whole_number(given: Any, key: str, least: int, most: int = 2**31 - 1) -> int:
    try:
        number = operator.index(given)
    except TypeError:
        number = least - 1
    if number < least:
        raise UserError(f"{key} is {given!r}; it must be a whole number of at least {least}.")
    if number > most:
        raise UserError(f"{key} is {number}; it must be a whole number of at most {most}.")
    return number


def factor(given: Any) -> float | None:
    """Γ, by which each weight may be wrong."""
    if given is None:
        return None
    number = _number(given)
    if isinstance(given, str) or not 1 <= number < np.inf:
        raise UserError(f"gamma is {given!r}; it must be a number of at least 1.")
    return number


def from_here(given: Any) -> float | str | None:
    """The rating from which on others are relevant."""
    if given is None or (isinstance(given, str) and given == ALL):
        return given
    number = _number(given)
    if np.isnan(number):
        raise UserError(
            f"relevant is {given!r}; give a number, such as 4 for ratings from 4 on, or 'all'."
        )
    return number


def _number(given: Any) -> float:
    """NaN where something is no number."""
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def looks_at_training(names: Iterable[str]) -> str | None:
    """The first measure or estimator whose weights count the relevant ratings of training."""
    weighted = [name for name in names if "~" in name or name.startswith("recall@")]
    models = {name: parse(name).model for name in weighted}
    return next((name for name in weighted if models[name] not in (None, *WITHOUT_RELEVANCE)), None)
