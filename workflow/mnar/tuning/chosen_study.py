"""What every analysis is given, and what it gives back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnar import splits
from mnar.core.files import write_arrays, write_csv
from mnar.core.seeds import seed_of
from mnar.estimators.of_fold import fold_of
from mnar.matrices.view import View
from mnar.splits.fold import Fold
from mnar.tuning.chosen_models import Choice


@dataclass(frozen=True)
class ChosenStudy:
    """A study on a dataset, with the settings that each method chose in each fold."""

    name: str
    dataset: str
    settings: Mapping[str, Any]
    view: View
    split_file: str
    folds: int
    # Without those whose model has diverged in some fold: nothing can be computed from it.
    methods: dict[str, dict[int, Choice]]
    # Views with other catalogues of the same ratings, by name.
    catalogues: dict[str, str]
    seed: int
    threads: int
    # The methods that were left out.
    diverged: Sequence[str] = ()

    def fold(self, number: int) -> Fold:
        return fold_of(self.view, self.split(number))

    def split(self, number: int) -> splits.Split:
        return splits.load_split(self.split_file, number)

    def fold_seed(self, number: int) -> int:
        """The seed of training: models come out as they did in the search."""
        return seed_of(self.seed, self.dataset, self.name, number)


@dataclass(frozen=True)
class Analysed:
    """The result of an analysis: a table and, where it needs them, arrays."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    arrays: dict[str, Any] = field(default_factory=dict)

    def save(self, table: str | Path, arrays: str | Path) -> None:
        write_csv(table, self.columns, self.rows)
        write_arrays(arrays, self.arrays)


def last_of_each(modules: Mapping[str, str]) -> list[str]:
    """One method a module: variants that differ in how they are chosen are looked at once."""
    return list({module: method for method, module in modules.items()}.values())
