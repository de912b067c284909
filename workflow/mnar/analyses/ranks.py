"""Ranks of the held-out relevant items at the chosen settings: in several catalogues, two readings.

Everything about the top of a list follows from them (steck2010 Table 3, Figure 3, section 2.3), at
any k and for any sample of candidates, without training again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.files import read_arrays
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.factor_scores import Diverged
from mnar.matrices.view import View
from mnar.measures import pair_values
from mnar.measures.ranking import RankCounts, rank_sets
from mnar.splits import Split
from mnar.splits.fold import Fold
from mnar.tuning.chosen_study import Analysed, ChosenStudy

SETS = ("validation", "test")
CANDIDATES = ("all", "unseen")
COLUMNS = ("catalogue", "fold", "items", "same_as")


def methods(modules: Mapping[str, str]) -> list[str]:
    return list(modules)


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
    """Ranks in every catalogue of the study; the table says how large the catalogues are."""
    arrays: dict[str, Any] = {}
    views: dict[str, View] = {}
    rows: list[tuple] = []
    for catalogue, path in study.catalogues.items():
        view = View.load(path)
        same = next((name for name, other in views.items() if same_catalogue(view, other)), "")
        rows += [(catalogue, number, view.shape[1], same) for number in range(study.folds)]
        if same:
            arrays.update(renamed(arrays, same, catalogue))
            continue
        views[catalogue] = view
        for number in range(study.folds):
            fold, seed = in_catalogue(view, study.split(number)), study.fold_seed(number)
            trained = (
                (name, chosen[number].train(fold.train, seed, study.threads))
                for name, chosen in study.methods.items()
            )
            arrays.update(ranks_in_fold(fold, trained, f"{catalogue}/{number}", study.threads))
            print(f"{catalogue}, fold {number}: {view.shape[1]} items")
    return Analysed(COLUMNS, rows, arrays)


def in_catalogue(view: View, split: Split) -> Fold:
    """The fold of another catalogue of the same ratings, so that all hold out the same."""
    if len(view.ratings) != len(split.roles):
        raise UserError(
            "The views under `catalogues` of a study must keep the same ratings as its own view; "
            f"one has {len(view.ratings)}, the study's {len(split.roles)}: change its recipe."
        )
    without_random = replace(split, random=np.zeros(len(view.random), np.bool_))
    return Fold.of(view, without_random, all_items=False)


def same_catalogue(view: View, other: View) -> bool:
    """Whether two views have the same items, at the same positions; then they have the same ranks."""
    return view.shape == other.shape and np.array_equal(view.ratings.item, other.ratings.item)


def renamed(arrays: dict[str, Any], catalogue: str, other: str) -> dict[str, Any]:
    """The results in one catalogue, under the name of another."""
    found = {key: array for key, array in arrays.items() if key.split("/")[0] == catalogue}
    return {other + key.removeprefix(catalogue): array for key, array in found.items()}


def ranks_in_fold(
    fold: Fold, trained: Iterable[tuple[str, FactorModel]], stem: str, threads: int
) -> Iterator[tuple[str, Any]]:
    """Arrays by name: <stem>/<candidates>/<set>/…, parts that all methods share once."""
    for method, model in trained:
        for candidates in CANDIDATES:
            seen = None if candidates == "all" else fold.seen
            sets = [fold.sets[name] for name in SETS]
            try:
                ranked = rank_sets(model, sets, seen=seen, threads=threads)
            except Diverged:
                print(f"{stem}: {method} is left out, its model has diverged.")
                break
            for name, counts in zip(SETS, ranked, strict=True):
                where = f"{stem}/{candidates}/{name}"
                yield f"{where}/user", counts.user
                yield f"{where}/n_candidates", counts.n_candidates
                yield f"{where}/{method}/above", counts.above
                yield f"{where}/{method}/tied", counts.tied


class HeldOutRanks:
    """The results of `ranks_in_fold`, by catalogue, candidates, set, fold and method."""

    def __init__(self, path: str | Path):
        self._arrays = read_arrays(path)
        # Kept, with their intermediate results: hundreds of measures ask for the same.
        self._counts: dict[tuple[str, str], RankCounts] = {}
        self.folds = sorted({int(key.split("/")[1]) for key in self._arrays})
        self.n_users = 1 + max(
            int(array.max(initial=-1))
            for key, array in self._arrays.items()
            if key.endswith("/user")
        )

    def items(self, catalogue: str) -> int:
        """Items in a catalogue."""
        candidates = self._arrays[f"{catalogue}/{self.folds[0]}/all/test/n_candidates"]
        return int(candidates.max(initial=0))

    def values(
        self, catalogue: str, fold: int, method: str, measure: str,
        candidates: str = "all", name: str = "test",
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:  # fmt: skip
        """The user of each pair, and the pair's value; NaN of a method whose model has diverged."""
        where = f"{catalogue}/{fold}/{candidates}/{name}"
        users = self._arrays[f"{where}/user"]
        if f"{where}/{method}/above" not in self._arrays:
            return users, np.full(len(users), np.nan)
        counts = self.counts(catalogue, fold, method, candidates, name)
        return users, pair_values(counts, measure)

    def has(self, catalogue: str, method: str) -> bool:
        """Whether a method has ranks in all folds."""
        wanted = [f"{catalogue}/{fold}/all/test/{method}/above" for fold in self.folds]
        return all(name in self._arrays for name in wanted)

    def counts(
        self, catalogue: str, fold: int, method: str, candidates: str = "all", name: str = "test"
    ) -> RankCounts:
        where = f"{catalogue}/{fold}/{candidates}/{name}"
        if (where, method) not in self._counts:
            self._counts[where, method] = self._counts_of(where, method)
        return self._counts[where, method]

    def _counts_of(self, where: str, method: str) -> RankCounts:
        user, n_candidates = (self._arrays[f"{where}/{key}"] for key in ("user", "n_candidates"))
        above, tied = (self._arrays[f"{where}/{method}/{key}"] for key in ("above", "tied"))
        unknown = np.zeros_like(above)
        return RankCounts(
            user,
            unknown,
            above,
            tied,
            unknown,
            unknown,
            unknown,
            n_candidates,
            self.n_users,
            int(n_candidates.max(initial=0)),
        )
