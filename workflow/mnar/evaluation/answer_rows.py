"""Rows of the answer: measures and estimators of each system, and differences from the first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from mnar import measures as known
from mnar.core.errors import UserError
from mnar.estimators import Comparison, Selected, compare_models, parse, sensitivity, take_home
from mnar.estimators.centred import centred
from mnar.estimators.selected_ratings import chosen_parts
from mnar.estimators.weights import LEAST_EFFECTIVE, weigher
from mnar.matrices.context import Context, head_items
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings
from mnar.measures.ranking import RankCounts, rank_counts
from mnar.statistics.bootstrap import interval, user_samples
from mnar.statistics.user_values import Average

COLUMNS = (
    *("system", "measure", "value", "low", "high", "users", "left_out"),
    *("effective", "flagged", "gamma", "gamma_low", "gamma_high"),
)
Row = dict[str, Any]
Ranked = Callable[[], RankCounts]


@dataclass(frozen=True)
class Setup:
    """What is measured on, and how."""

    train: Ratings
    test: Ratings
    random: Ratings | None
    unseen: bool
    average: Average
    samples: int
    seed: int
    threads: int

    @property
    def context(self) -> Context:
        items = [part.items for part in (self.train, self.test)]
        head = head_items(np.bincount(np.concatenate(items), minlength=self.test.n_items))
        return Context(weigher(lambda: self.selected), head, None, self.random)

    @property
    def selected(self) -> Selected:
        """What estimators may look at."""
        return chosen_parts(self.train, self.test, random=self.random, seed=self.seed)

    @property
    def seen(self) -> Ratings | None:
        """The items of each user that are no candidates."""
        return self.train if self.unseen else None

    def rankings(self, models: Mapping[str, Model]) -> dict[str, Ranked]:
        """The ranking of each system: made once, when the first measure or estimator needs it."""
        rank = partial(rank_counts, targets=self.test, seen=self.seen, threads=self.threads)
        return {name: cache(partial(rank, model)) for name, model in models.items()}

    def times(self) -> Any:
        return user_samples(self.test.n_users, self.samples, self.seed) if self.samples else None


def measure_rows(
    models: Mapping[str, Model],
    setup: Setup,
    names: Sequence[str],
    rankings: Mapping[str, Ranked],
) -> list[Row]:
    """Each measure of each system with its 95 % interval, then what the first is ahead by."""
    for name in names:
        known.check(name)
    context, average, times = setup.context, setup.average, setup.times()
    found: dict[str, dict[str, Any]] = {}
    for system, model in models.items():
        task = known.Task(setup.test, names, context)
        absent = known.lacking(model, task)
        if absent:
            raise UserError(
                f"{system} does not score every rating of the test, which {absent[0]} needs; score all "
                "of them, or leave the measure out."
            )
        given = (setup.test, setup.seen, names, context, setup.threads)
        found[system] = known.evaluate(model, *given, rankings[system])
    rows: list[Row] = []
    drawn: dict[tuple[str, str], Any] = {}
    for system, values in found.items():
        for name, one in values.items():
            sample = None if times is None else one.mean(average, times)
            drawn[system, name] = sample
            row = _row(system, name, float(one.mean(average)), sample)
            rows.append(row | {"users": one.n_scored, "left_out": one.left_out})
    first = next(iter(models))
    for system in list(models)[1:]:
        for name in names:
            ours, theirs = found[first][name], found[system][name]
            value = float(ours.mean(average) - theirs.mean(average))
            sample = None if times is None else drawn[first, name] - drawn[system, name]
            row = _row(f"{first} − {system}", name, value, sample)
            rows.append(row | {"users": ours.n_scored, "left_out": ours.left_out})
    return rows


def _row(system: str, measure: str, value: float, sample: Any) -> Row:
    low, high = (np.nan, np.nan) if sample is None or np.isnan(sample).all() else interval(sample)
    return {"system": system, "measure": measure, "value": value, "low": low, "high": high}


def estimator_rows(
    models: Mapping[str, Model],
    setup: Setup,
    names: Sequence[str],
    gamma: float | None,
    rankings: Mapping[str, Ranked],
) -> tuple[list[Row], list[str]]:
    """Each estimator of each system, then differences with the Γ at which their order may turn; and
    what a reader should know of them.
    """
    if not names:
        if gamma is not None:
            raise UserError(
                "gamma belongs to estimators; name some, such as adg~snips(popularity)."
            )
        return [], []
    for name in names:
        parse(name)
    if not setup.unseen:
        raise UserError(
            "Estimators rank unseen items; leave them out, or take candidates='unseen'."
        )
    compared = compare_models(
        list(models.values()),
        setup.selected,
        names,
        samples=setup.samples,
        seed=setup.seed,
        threads=setup.threads,
        ranked=list(rankings.values()),
    )
    compared = [centred(one) for one in compared]
    rows = [row for one in compared for row in _compared_rows(list(models), one, gamma)]
    return rows, estimator_notes(list(models), compared)


def _compared_rows(systems: list[str], found: Comparison, gamma: float | None) -> list[Row]:
    values, samples = found.means.values, found.means.samples
    users = len(np.unique(found.weights.pairs.users))
    facts: Row = {"users": users, "left_out": 0, "effective": found.means.effective}
    facts["flagged"] = found.flagged
    rows = [
        _row(system, found.name, float(values[i]), None if samples is None else samples[i]) | facts
        for i, system in enumerate(systems)
    ]
    for i, system in enumerate(systems[1:], 1):
        sample = None if samples is None else samples[0] - samples[i]
        difference = f"{systems[0]} − {system}"
        row = _row(difference, found.name, float(values[0] - values[i]), sample) | facts
        if found.may_turn:
            row |= _turning(found.gains[0] - found.gains[i], found.weights.data, gamma)
        rows.append(row)
    return rows


def estimator_notes(systems: list[str], compared: Sequence[Comparison]) -> list[str]:
    """Weights that rest on few pairs, and what would turn each lead of the first system."""
    notes = [
        f"{one.name} rests on {one.means.effective:.0f} effective pairs, fewer than "
        f"{LEAST_EFFECTIVE}: do not trust it."
        for one in compared
        if one.flagged
    ]
    turning = [one for one in compared if one.may_turn]
    for one in turning:
        for other, system in enumerate(systems[1:], 1):
            gamma = sensitivity.flip(one.gains[0] - one.gains[other], one.weights.data).gamma
            lead, *ends = one.difference(0, other)
            notes.append(take_home.sentence(one.name, systems[0], system, lead, gamma, *ends))
    return notes + take_home.suggestions([one.name for one in turning] if systems[1:] else [])


def fixed_notes(names: Sequence[str]) -> list[str]:
    """Of measures that are weighted: their weights are those of the data in every sample."""
    weighted = [name for name in names if "~" in name or name.startswith("recall")]
    fixed = [name for name in weighted if parse(name).model]
    if not fixed:
        return []
    return [
        f"Intervals of {', '.join(fixed)} keep the weights of the data in every sample; name them "
        "under `estimators` to have weights estimated again."
    ]


def _turning(differences: Any, weights: Any, gamma: float | None) -> Row:
    """The smallest Γ at which the order may turn, and the interval of the difference at another."""
    found = {"gamma": sensitivity.flip(differences, weights).gamma}
    if gamma is not None:
        ends = sensitivity.interval(differences, weights, gamma)
        found["gamma_low"], found["gamma_high"] = ends
    return found
