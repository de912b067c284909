"""The input of a simulation: a dataset, the settings of the config, and a seed."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mnar.data.synthetic import Truth
from mnar.matrices.view import View
from mnar.simulations.theorems._ground_truth import GroundTruth, complete_data
from mnar.simulations.theorems._observing import RankedItems


@dataclass(frozen=True)
class Case:
    view: View
    # Known for generated datasets alone.
    truth: Truth | None
    settings: dict[str, Any]
    seed: int

    @cached_property
    def complete(self) -> GroundTruth:
        ranking, users = self.settings["ranking"], self.settings["users"]
        return complete_data(self.view, self.truth, ranking, users, self.seed)

    @cached_property
    def ranked(self) -> RankedItems:
        return RankedItems.of(self.complete.model, self.complete.ratings)
