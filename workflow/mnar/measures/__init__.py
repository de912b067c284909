"""Measures (docs/measures.md): exact expectations over the order of tied items, one value for each user.

Nothing here imports compiled kernels before `evaluate` is called, so that names can be checked
and shown at no cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mnar.core.errors import UserError
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.measures.names import Measure, check, higher_is_better, label, parse, unbiased
from mnar.statistics.user_values import Average, UserValues

if TYPE_CHECKING:
    from mnar.measures.ranks import RankCounts

__all__ = [
    "Average",
    "Task",
    "UserValues",
    "check",
    "evaluate",
    "evaluate_all",
    "higher_is_better",
    "label",
    "unbiased",
]


@dataclass(frozen=True)
class Task:
    """A held-out set, and which measures of it are wanted."""

    held_out: Ratings
    measures: Sequence[str]
    context: Context


def evaluate(
    model: FactorModel,
    held_out: Ratings,
    seen: Ratings | None,
    measures: Sequence[str],
    context: Context,
    threads: int,
) -> dict[str, UserValues]:
    """Values of all measures for each user, from one ranking of all items.

    Candidates are all items but the `seen` ones of a user; None makes every item a candidate.
    Ranking measures score the relevant held-out ratings; the others are plain candidates.
    """
    [values] = evaluate_all(model, [Task(held_out, measures, context)], seen, threads)
    return values


def evaluate_all(
    model: FactorModel, tasks: Sequence[Task], seen: Ratings | None, threads: int
) -> list[dict[str, UserValues]]:
    """As `evaluate`, for several held-out sets: each user's items are scored once for all."""
    from mnar.measures.closed_forms import RANKING
    from mnar.measures.ranks import rank_sets

    shape = (model.n_users, model.n_items)
    given = [task.held_out for task in tasks] + ([] if seen is None else [seen])
    if any(shape != (part.n_users, part.n_items) for part in given):
        raise ValueError(f"The ratings do not have the model's {shape[0]} users × {shape[1]} items")
    ranked = [
        number
        for number, task in enumerate(tasks)
        if any(parse(name).kind in RANKING for name in task.measures)
    ]
    sets = [tasks[number].held_out for number in ranked]
    counts = dict(zip(ranked, rank_sets(model, sets, seen=seen, threads=threads), strict=True))
    return [
        _values(model, task, seen, counts.get(number), threads) for number, task in enumerate(tasks)
    ]


def _values(
    model: FactorModel,
    task: Task,
    seen: Ratings | None,
    counts: "RankCounts | None",
    threads: int,
) -> dict[str, UserValues]:
    """The measures of one set, given where its relevant items stand."""
    from mnar.measures.auc import auc, rmse, track2_error
    from mnar.measures.head import head_shares

    asked = {name: parse(name) for name in task.measures}
    held_out, context = task.held_out, task.context

    # All list sizes at once.
    heads: dict[int, UserValues] = {}
    if sizes := sorted({int(one.numbers[0]) for one in asked.values() if one.kind == "head"}):
        head = _needed(context.head, "head_<k>", "a mask of the head items")
        heads = head_shares(model, held_out, seen, head, sizes, threads)

    def values(measure: Measure) -> UserValues:
        match measure.kind, measure.numbers:
            case "auc", _:
                return auc(model, held_out)
            case "auc_rand", _:
                return auc(model, _needed(context.random, "auc_rand", "randomly selected ratings"))
            case "rmse", _:
                return rmse(model, held_out, threads)
            case "track2_error", _:
                drawn = _needed(context.drawn, "track2_error", "the pairs drawn by protocol track2")
                return track2_error(model, held_out, *drawn)
            case "head", (size,):
                return heads[int(size)]
        raise AssertionError(measure)

    found = {} if counts is None else _of_ranks(counts, asked, context, threads)
    others = {name: measure for name, measure in asked.items() if name not in found}
    found |= {name: values(measure) for name, measure in others.items()}
    return {name: found[name] for name in asked}


def _of_ranks(
    counts: "RankCounts", asked: dict[str, Measure], context: Context, threads: int
) -> dict[str, UserValues]:
    """The measures that follow from ranks."""
    from mnar.measures.by_user import values_by_user
    from mnar.measures.closed_forms import KINDS, pair_values

    positives = context.positives_per_item
    if any(one.kind == "stratified_recall" for one in asked.values()):
        _needed(positives, "recall@<k>(<beta>)", "the positives of each item")
    together = [name for name, one in asked.items() if one.kind in KINDS]
    found = values_by_user(counts, together, positives, threads)
    for name, one in asked.items():
        if one.kind == "sampled_topk":
            # By itself: pairs with as many candidates share their chances, whoever they belong to.
            values = pair_values(counts, name)
            totals = np.bincount(counts.user, values, counts.n_users).astype(np.float64)
            found[name] = UserValues(totals, counts.pairs)
    return found


Needed = TypeVar("Needed")


def _needed(given: Needed | None, measure: str, what: str) -> Needed:
    if given is None:
        raise UserError(
            f"Measure {measure} needs {what}, which this experiment does not have; leave it out."
        )
    return given
