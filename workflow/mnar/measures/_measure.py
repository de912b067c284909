"""The declaration of a measure, made by its family."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mnar.matrices.context import Context
from mnar.matrices.model import Model
from mnar.matrices.ratings import Ratings
from mnar.statistics.user_values import UserValues

Values = NDArray[np.float64]
# The numbers in a name: 10 and 0.5 in recall@10(0.5).
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Task:
    """A held-out set, and which measures of it are wanted."""

    held_out: Ratings
    measures: Sequence[str]
    context: Context


@dataclass(frozen=True, kw_only=True)
class Measure:
    """How a measure is spelt in the config, shown, and read."""

    # With <k>, <share>, <beta> or <sample> for its numbers, which {0}, {1} stand for in the label.
    spelling: str
    label: str
    # One sentence, for a glossary.
    description: str = ""
    better: Literal["higher", "lower", "neither"] = "higher"
    # An unbiased estimate of its value on complete data (lim2015 section 5, steck2010 section 2.2).
    unbiased: bool = False
    # The colour of its curve in figures that show several measures.
    colour: str | None = None
    # The field of the context without which it cannot be taken.
    needs: str | None = None
    # Whether it takes scores as predicted ratings: a list without some of them cannot give it.
    predicts: bool = False


@dataclass(frozen=True, kw_only=True)
class RankingMeasure(Measure):
    """A mean over the held-out relevant items of a value that follows from their ranks."""

    # value(counts, *numbers): of each pair; NaN leaves out users for whom the measure does not exist.
    value: Callable[..., Values]
    # Whether `value` shares work between all pairs, and so is not called for a few users at a time.
    at_once: bool = False
    # The weighting of its pairs, with {0}, {1} for its numbers (mnar.estimators); pooled over users.
    weighting: str | None = None
    # The measure that it is with such a weighting.
    weighs: str | None = None
    # What estimators make of it: a weighted mean over relevant items estimates it; or its normaliser
    # depends on how many are held out, which no weights can mend.
    estimated: Literal["mean", "normalised"] | None = None


@dataclass(frozen=True, kw_only=True)
class ModelMeasure(Measure):
    """A measure that needs more than the ranks of the held-out relevant items."""

    # The values of users, for each of several choices of its numbers.
    values: Callable[[Model, Task, Ratings | None, Sequence[Numbers], int], Sequence[UserValues]]
