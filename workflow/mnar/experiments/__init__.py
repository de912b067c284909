"""What each paper shows, one folder each: an outline, its tables and its figures.

`OUTLINE` says which studies a paper needs on a dataset and what comes out of them; each table is the
function of that name in `tables.py`, each figure in `figures.py`, both given the `Results`.
"""

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
    # Tables that figures are drawn from.
    drawn: tuple[str, ...] = ()
    # Tables that are also laid out across the paper's datasets.
    across: tuple[str, ...] = field(default=())
    # The same for generated datasets alone: figures and inputs that need the complete truth.
    generated_figures: dict[str, str] = field(default_factory=dict)
    generated_extras: tuple[str, ...] = ()
    # Tables that belong to no dataset, made by rules of their own: name -> title.
    general: dict[str, str] = field(default_factory=dict)

    def figures_of(self, generated: bool) -> dict[str, str]:
        """The figures of a dataset, in the order of the page."""
        return self.figures | (self.generated_figures if generated else {})


def outline(experiment: str) -> Outline:
    return import_module(f"mnar.experiments.{experiment}").OUTLINE
