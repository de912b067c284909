"""Measures of anyone's scores on anyone's ratings: `mnar.evaluate` (docs/evaluate.md)."""

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mnar.core.declared import LARGEST
from mnar.core.errors import UserError
from mnar.evaluation.answer_rows import COLUMNS, Setup, estimator_rows, measure_rows
from mnar.evaluation.inputs import (
    ALL,
    Triplets,
    check_matrix,
    is_model,
    model_of,
    ratings_of,
    shared_ids,
    triplets,
)
from mnar.matrices.ratings import Ratings
from mnar.statistics.user_values import Average

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["evaluate"]

MEASURES = ("adg", "atop", "ndcg", "map", "recall@10")


def evaluate(
    scores: Any,
    train: Any = None,
    test: Any = None,
    *,
    measures: Sequence[str] = MEASURES,
    estimators: Sequence[str] = (),
    gamma: float | None = None,
    relevant: float | str | None = None,
    candidates: str = "unseen",
    average: str = "user",
    random: Any = None,
    items: Any = None,
    samples: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> "pd.DataFrame":
    """Measures of one system, or of several with their differences from the first.

    scores      a DataFrame (pandas or polars) with columns user, item, score; a scipy sparse matrix or a
                numpy array of users × items; a file (.parquet, .csv, .npz of vectors); an object with
                `scores(users)`, `n_users` and `n_items`; or a dict of these by name
    train       ratings that the systems have seen (columns user, item, and rating), or None
    test        held-out ratings, in the same forms; zeros and NaN of an array are no ratings
    measures    names as in docs/measures.md
    estimators  names as in docs/trust.md, such as "adg~snips(popularity)"
    gamma       how wrong each weight of an estimator may be: its interval of the difference is added
    relevant    ratings from here on are relevant; "all"; None where the test says so or has one value
    candidates  "unseen": all items that the user has not in training; "all"
    average     "user" or "pair"
    random      ratings of randomly selected items, for auc_rand
    items       more items of the catalogue, that nobody rated and nobody scored
    samples     of the bootstrap over users, for 95 % intervals; seed: of the samples

    One row a system and measure: value, low, high, users that it is a mean over, users left out because
    the measure is not defined for them; of estimators the effective number of pairs; of differences the
    smallest factor Γ at which the order may turn. `attrs["notes"]` says what else was noticed.
    """
    systems = dict(scores) if isinstance(scores, Mapping) else {"scores": scores}
    _check(systems, test, [*measures, *estimators], candidates, average)
    _check_numbers(
        relevant, gamma, {"samples": (samples, 0), "seed": (seed, 0), "threads": (threads, 1)}
    )
    parts = {"train": train, "test": test, "random": random}
    rated = {n: triplets(part, n, "rating") for n, part in parts.items() if part is not None}
    shapes, tables = _shapes_and_tables(systems)
    ids = shared_ids([*rated.values(), *tables.values()], shapes, items)
    models = {name: model_of(tables.get(name, given), ids, name) for name, given in systems.items()}
    matrices = {name: ratings_of(rated.get(name), ids, relevant) for name in parts}
    notes = _notes(matrices["train"], matrices["test"], models)
    drawn = matrices["random"] if random is not None else None
    by: Average = "user" if average == "user" else "pair"
    shown = matrices["train"], matrices["test"], drawn
    setup = Setup(*shown, candidates == "unseen", by, samples, seed, threads)
    rankings = setup.rankings(models)
    rows = measure_rows(models, setup, measures, rankings)
    rows += estimator_rows(models, setup, estimators, gamma, rankings)
    return _framed(rows, notes, systems, test)


def _check(
    systems: Mapping[str, Any], test: Any, wanted: list[str], candidates: str, average: str
) -> None:
    """A UserError where something is missing or unknown."""
    if test is None:
        raise UserError("There is no test; give the held-out ratings.")
    for name, found, known in (
        ("candidates", candidates, ("unseen", "all")),
        ("average", average, ("user", "pair")),
    ):
        if found not in known:
            raise UserError(f"{name} is {found!r}; it may be {' or '.join(map(repr, known))}.")
    if not wanted:
        raise UserError("Nothing is to be measured; name some measures or estimators.")
    if not systems:
        raise UserError("There are no scores; give those of at least one system.")


def _check_numbers(relevant: Any, gamma: Any, counts: Mapping[str, tuple[Any, int]]) -> None:
    """A UserError for a number that is none, or that nothing can be counted by."""
    for name, (found, least) in counts.items():
        if not isinstance(found, Integral) or isinstance(found, bool) or found < least:
            raise UserError(f"{name} is {found!r}; give a whole number from {least} up.")
    named = relevant is None or (isinstance(relevant, str) and relevant == ALL)
    if not named and not _is_finite(relevant):
        raise UserError(f"relevant is {relevant!r}; give a number, or 'all'.")
    if gamma is not None and not _is_finite(gamma):
        raise UserError(f"gamma is {gamma!r}; give a number from 1 up.")


def _is_finite(value: Any) -> bool:
    return isinstance(value, Real) and abs(float(value)) <= LARGEST


def _shapes_and_tables(
    systems: Mapping[str, Any],
) -> tuple[list[tuple[int, int]], dict[str, Triplets]]:
    """Users × items of models and arrays; scores by id of the others, except files of vectors."""
    shapes, tables = [], {}
    for name, given in systems.items():
        if is_model(given):
            shapes.append((given.n_users, given.n_items))
        elif isinstance(given, np.ndarray):
            check_matrix(given, name)
            shapes.append(given.shape)
        elif not (isinstance(given, str | Path) and Path(given).suffix == ".npz"):
            tables[name] = triplets(given, name, "score")
    return shapes, tables


def _notes(train: Ratings, test: Ratings, models: Mapping[str, Any]) -> list[str]:
    """What a reader should know of the input; a UserError where nothing can be measured."""
    if not len(test.items):
        raise UserError("The test has no ratings; give the held-out ones.")
    notes = []
    both = np.isin(
        test.users * np.int64(test.n_items) + test.items,
        train.users * np.int64(train.n_items) + train.items,
    )
    if both.any():
        notes.append(
            f"{int(both.sum())} pairs of the test are in training, too: they were not held out."
        )
    tried = np.unique(test.users)
    for name, model in models.items():
        indptr = getattr(model, "indptr", None)
        if indptr is None:
            continue
        without = int((np.diff(indptr)[tried] == 0).sum())
        if without == len(tried):
            raise UserError(f"{name} has no score for any user of the test: do the ids differ?")
        if without:
            notes.append(
                f"{name} has no scores for {without} users of the test: all items are tied."
            )
    return notes


def _framed(rows: list[dict], notes: list[str], systems: Mapping[str, Any], test: Any) -> Any:
    """A pandas frame, or one of polars where those come in."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    said = frame.columns[frame.notna().any() | (frame.columns == "value")]
    frame = frame[said].astype({"users": "Int64", "left_out": "Int64"})
    frame.attrs["notes"] = notes
    kinds = {type(given).__module__.split(".")[0] for given in (*systems.values(), test)}
    if kinds == {"polars"}:
        import polars as pl

        return pl.from_pandas(frame)
    return frame
