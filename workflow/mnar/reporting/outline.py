"""What an experiment shows: its studies, tables and figures, by name and title."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module


@dataclass(frozen=True)
class Outline:
    title: str
    # Studies of the config whose runs are needed, for all their methods.
    studies: tuple[str, ...]
    # Name -> title, in the order of the page.
    tables: dict[str, str]
    figures: dict[str, str]
    # Further inputs; {dataset} is filled in.
    extras: tuple[str, ...] = ()
    # Tables that are also laid out across the paper's datasets.
    across: tuple[str, ...] = field(default=())
    # Further inputs for datasets whose complete truth is known.
    truth_extras: tuple[str, ...] = ()
    # Tables that belong to no dataset, made by rules of their own: name -> title.
    general: dict[str, str] = field(default_factory=dict)
    # Figure -> what a dataset must have (see mnar.config.settings.has), for figures that not all allow.
    needs: dict[str, str] = field(default_factory=dict)

    def missing(self, figure: str, has: Iterable[str]) -> str | None:
        """What a figure needs and a dataset does not have; None where it can be drawn."""
        needed = self.needs.get(figure)
        return needed if needed not in {None, *has} else None


def outline(experiment: str) -> Outline:
    return import_module(f"mnar.experiments.{experiment}").OUTLINE
