"""How much work training takes: the objective after each sweep, and the arithmetic of one sweep.

Counted, not timed, so that results are the same on every machine; seconds are in the benchmarks.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from mnar import models
from mnar.matrices.ratings import Ratings
from mnar.tuning.chosen_models import Choice
from mnar.tuning.chosen_study import Analysed, ChosenStudy, last_of_each

# Twice as many sweeps as training takes: by then the objective hardly moves.
LONGER = 2
COLUMNS = ("method", "sweep", "objective", "operations")


def methods(modules: Mapping[str, str]) -> list[str]:
    """Methods that alternate between users and items, and so have an objective after each sweep."""
    able = {name: module for name, module in modules.items() if models.can(module, "objectives")}
    return last_of_each(able)


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
    """The objective after each sweep on the first fold."""
    fold, seed = study.fold(0), study.fold_seed(0)
    rows = []
    for name, chosen in study.methods.items():
        work = operations(chosen[0], fold.train)
        curve = list(objectives(chosen[0], fold.train, seed, study.threads))
        if not np.isfinite(curve).all():
            print(f"{name} is left out: its objective is no number after some sweep.")
            continue
        rows += [(name, sweep, value, work) for sweep, value in enumerate(curve, start=1)]
        print(f"{name}: {rows[-1]}")
    return Analysed(COLUMNS, rows)


def objectives(choice: Choice, train: Ratings, seed: int, threads: int) -> Iterator[float]:
    """The value that training makes smaller, after each sweep."""
    settings = {**models.about(choice.module).defaults, **choice.settings}
    after_sweeps = models.load(choice.module).objectives(train, settings, seed, threads)
    return islice(after_sweeps, LONGER * settings["sweeps"])


def operations(choice: Choice, train: Ratings) -> int:
    """Additions and multiplications of one sweep over users and items (steck2010 section 4.2)."""
    return models.load(choice.module).operations(train, choice.settings)
