"""Measures of anyone's scores on anyone's ratings: `mnar.evaluate` (docs/evaluate.md)."""

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mnar.evaluation.alignment import check_folds, model_of, ratings_of, shared_ids
from mnar.evaluation.answer_rows import COLUMNS, Setup, estimator_rows, fixed_notes, measure_rows
from mnar.evaluation.arguments import (
    ALL,
    MOST_SAMPLES,
    check_given,
    factor,
    from_here,
    looks_at_training,
    names_of,
    one_of,
    whole_number,
)
from mnar.evaluation.inputs import form_of, triplets
from mnar.evaluation.noticed import notes_of_answer, notes_of_input
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings
from mnar.statistics.user_values import Average

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["evaluate"]

MEASURES = ("adg", "atop", "ndcg", "map", "recall@10")
# Columns of every answer; the others are there where they have a value.
ALWAYS = ("system", "measure", "value", "low", "high", "users", "left_out")


def evaluate(
    scores: Any,
    train: Any = None,
    test: Any = None,
    *,
    measures: str | Sequence[str] = MEASURES,
    estimators: str | Sequence[str] = (),
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
    items       more items of the catalogue, that nobody rated and nobody scored; for tables with ids
    samples     of the bootstrap over users, for 95 % intervals; seed: of the samples

    One row a system and measure: value, low, high, users that it is a mean over, users left out because
    the measure is not defined for them; of estimators the effective number of pairs, flagged below 50; of
    differences the smallest factor Γ at which the order may turn. `attrs["notes"]` says what that means and
    what else was noticed; polars has no attrs, so there it is warned of.
    """
    systems = dict(scores) if isinstance(scores, Mapping) else {"scores": scores}
    measures, estimators = names_of(measures, "measures"), names_of(estimators, "estimators")
    check_given(systems, test, [*measures, *estimators])
    unseen = one_of(candidates, "candidates", ("unseen", ALL)) == "unseen"
    by: Average = "user" if one_of(average, "average", ("user", "pair")) == "user" else "pair"
    samples = whole_number(samples, "samples", 0, MOST_SAMPLES)
    threads = whole_number(threads, "threads", 1)
    gamma, relevant = factor(gamma), from_here(relevant)
    parts = {"train": train, "test": test, "random": random}
    models, matrices = _aligned(systems, parts, items, relevant, [*measures, *estimators])
    notes = notes_of_input(matrices["train"], matrices["test"], models, unseen)
    drawn = matrices["random"] if random is not None else None
    setup = Setup(matrices["train"], matrices["test"], drawn, unseen, by, samples, seed, threads)
    rankings = setup.rankings(models)
    rows = measure_rows(models, setup, measures, rankings)
    more, told = estimator_rows(models, setup, estimators, gamma, rankings)
    rows += more
    notes += (fixed_notes(measures) if samples else []) + told
    notes += notes_of_answer(rows, matrices["test"], relevant)
    return _framed(rows, notes, systems, test)


def _aligned(
    systems: Mapping[str, Any],
    parts: Mapping[str, Any],
    items: Any,
    relevant: float | str | None,
    wanted: Sequence[str],
) -> tuple[dict[str, Model], dict[str, Ratings]]:
    """Systems and ratings in any form, as models and matrices of the same users and items."""
    rated = {n: triplets(part, n, "rating") for n, part in parts.items() if part is not None}
    forms = {name: form_of(given, name) for name, given in systems.items()}
    check_folds([*rated.items(), *forms.items()])
    ids = shared_ids([*rated.values(), *forms.values()], items)
    models = {name: model_of(form, ids, name) for name, form in forms.items()}
    counted = {"train": looks_at_training(wanted)}
    return models, {
        name: ratings_of(rated.get(name), ids, relevant, counted.get(name, name)) for name in parts
    }


def _framed(rows: list[dict], notes: list[str], systems: Mapping[str, Any], test: Any) -> Any:
    """A pandas frame with the notes, or one of polars and warnings where those come in."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    forms = {"users": "Int64", "left_out": "Int64", "flagged": "boolean"}
    kept = [name for name in COLUMNS if name in ALWAYS or frame[name].notna().any()]
    frame = frame[kept].astype({name: kind for name, kind in forms.items() if name in kept})
    frame.attrs["notes"] = notes
    kinds = {type(given).__module__.split(".")[0] for given in (*systems.values(), test)}
    if kinds == {"polars"}:
        import polars as pl

        for note in notes:
            warnings.warn(note, stacklevel=3)
        return pl.from_pandas(frame)
    return frame
