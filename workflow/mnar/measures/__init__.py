"""Measures: exact expectations over the order of tied items, one value for each user.

docs/measures.md defines them. A family of measures is a file of this folder: its `MEASURES` say how
they are spelt, shown and computed (see _measure.py). Families are found by listing the folder and
loaded by name, so that a job depends only on the families of the measures it takes (`modules_of`).
"""

from collections.abc import Callable, Sequence

from mnar.matrices.context import Context
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings
from mnar.measures._by_user import values_by_user
from mnar.measures._measure import ModelMeasure, Numbers, RankingMeasure, Task, Values
from mnar.measures._names import (
    NUMBERS,
    Named,
    check,
    check_fits,
    colour,
    examples,
    fits,
    higher_is_better,
    known_measures,
    label,
    modules,
    modules_of,
    parse,
    spelt_out,
    unbiased,
)
from mnar.measures.ranking import RankCounts, rank_sets
from mnar.statistics.user_values import Average, UserValues

__all__ = [
    "NUMBERS",
    "Average",
    "Task",
    "UserValues",
    "check",
    "colour",
    "evaluate",
    "evaluate_all",
    "examples",
    "fits",
    "higher_is_better",
    "known_measures",
    "label",
    "lacking",
    "modules",
    "modules_of",
    "pair_values",
    "spelt_out",
    "unbiased",
]


def evaluate(
    model: Model,
    held_out: Ratings,
    seen: Ratings | None,
    measures: Sequence[str],
    context: Context,
    threads: int,
    ranked: Callable[[], RankCounts] | None = None,
) -> dict[str, UserValues]:
    """Values of all measures for each user, from one ranking of all items.

    Candidates are all items except the `seen` ones of a user; None makes every item a candidate.
    Ranking measures score the relevant held-out ratings; the others are plain candidates. `ranked`
    gives the counts of that ranking where others need them, too; no measure may need them.
    """
    task = Task(held_out, measures, context)
    if ranked is None:
        [values] = evaluate_all(model, [task], seen, threads)
        return values
    _check([task], model, seen)
    return _values(model, task, seen, ranked() if _ranking(task) else None, threads)


def evaluate_all(
    model: Model, tasks: Sequence[Task], seen: Ratings | None, threads: int
) -> list[dict[str, UserValues]]:
    """As `evaluate`, for several held-out sets: each user's items are ranked once for all."""
    _check(tasks, model, seen)
    ranked = [number for number, task in enumerate(tasks) if _ranking(task)]
    sets = [tasks[number].held_out for number in ranked]
    counts = dict(zip(ranked, rank_sets(model, sets, seen=seen, threads=threads), strict=True))
    return [
        _values(model, task, seen, counts.get(number), threads) for number, task in enumerate(tasks)
    ]


def _check(tasks: Sequence[Task], model: Model, seen: Ratings | None) -> None:
    """Raise an error where ratings do not fit the model, or measures not what they are given."""
    shape = (model.n_users, model.n_items)
    given = [task.held_out for task in tasks] + ([] if seen is None else [seen])
    if any(shape != (part.n_users, part.n_items) for part in given):
        raise ValueError(f"The ratings do not have the model's {shape[0]} users × {shape[1]} items")
    for task in tasks:
        for name in task.measures:
            check_fits(name, task.context)


def _values(
    model: Model, task: Task, seen: Ratings | None, counts: RankCounts | None, threads: int
) -> dict[str, UserValues]:
    """The measures of one task, from the counts of its ranking where there is one."""
    values = _of_model(model, task, seen, threads)
    if counts is not None:
        asked = _ranking(task)
        of_ranks = values_by_user(counts, list(asked.values()), task.context, threads)
        values |= zip(asked, of_ranks, strict=True)
    return {name: values[name] for name in task.measures}


def lacking(model: Model, task: Task) -> list[str]:
    """The measures of a task that a list of scores cannot give, since it lacks some of the ratings."""
    lists = getattr(model, "lists", None)
    asked = [name for name in task.measures if parse(name).measure.predicts]
    if lists is None or not asked or lists(task.held_out.users, task.held_out.items):
        return []
    return asked


def pair_values(counts: RankCounts, name: str) -> Values:
    """The value of each pair under a ranking measure that is a plain mean of them."""
    named = parse(name)
    if not isinstance(named.measure, RankingMeasure):
        raise ValueError(f"{name} does not follow from ranks")
    return named.measure.value(counts, *named.numbers)


def _ranking(task: Task) -> dict[str, Named]:
    """The measures of a task that follow from ranks, by name."""
    named = {name: parse(name) for name in task.measures}
    return {name: one for name, one in named.items() if isinstance(one.measure, RankingMeasure)}


def _of_model(
    model: Model, task: Task, seen: Ratings | None, threads: int
) -> dict[str, UserValues]:
    """The other measures of a task; those that differ by their numbers alone are taken together."""
    together: dict[ModelMeasure, dict[str, Numbers]] = {}
    for name in task.measures:
        named = parse(name)
        if isinstance(named.measure, ModelMeasure):
            together.setdefault(named.measure, {})[name] = named.numbers
    found: dict[str, UserValues] = {}
    for measure, asked in together.items():
        values = measure.values(model, task, seen, list(asked.values()), threads)
        found |= zip(asked, values, strict=True)
    return found
