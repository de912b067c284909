"""The declaration of a method: `ABOUT = About(...)` in its own file tells others all they need."""

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from mnar.core.declared import Setting
from mnar.core.palette import OTHERS

# Looks of methods that declare none.
LOOKS = [(colour, marker) for marker in "hpd" for colour in OTHERS]
VARIANT_MARKERS = "oshdDv^"


@dataclass(frozen=True)
class About:
    """A method in words, its look in figures, its settings, and the nature of its scores."""

    # In tables and figures.
    label: str
    # One sentence, for a glossary.
    description: str
    # A colour of mnar.core.palette (or any #rrggbb) and a marker of matplotlib.
    colour: str
    marker: str
    # The kind of thing that it learns from; figures with many methods show one kind a panel or colour.
    family: str = "other"
    # The settings that the method knows; None: any.
    settings: tuple[Setting, ...] | None = None
    # Whether scores are on the scale of the ratings; if not, an RMSE has no meaning.
    predicts_ratings: bool = False
    # The same of complete settings, where it depends on them; predicts_ratings is that of the defaults.
    predicts_ratings_at: Callable[[Mapping[str, Any]], bool] | None = None
    # Settings that the method has by its definition: tables print them, nobody can change them.
    by_nature: Mapping[str, float] = field(default_factory=dict)
    # A part that a dataset must have besides ratings, such as "taxonomy".
    needs: str | None = None
    # Of complete settings, each of which is in its range: why they cannot go together, if so.
    conflict: Callable[[Mapping[str, Any]], str | None] | None = None
    # Bytes of memory beyond those of a factor model, from the numbers of users and items.
    memory: Callable[[int, int], int] = lambda users, items: 0

    @property
    def known(self) -> dict[str, Setting]:
        return {setting.name: setting for setting in self.settings or ()}

    @property
    def defaults(self) -> dict[str, Any]:
        return {s.name: s.default for s in self.settings or () if not s.required}

    def complete(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """The settings, with the default of each one that is left out."""
        return ChainMap(settings, self.defaults)


def undeclared(name: str) -> About:
    """The declaration of a method that has none: its look comes from its name."""
    colour, marker = LOOKS[crc32(name.encode()) % len(LOOKS)]
    return About(name, "", colour, marker)


def other_marker(marker: str, name: str) -> str:
    """Another marker than the given one, always the same for the same name."""
    others = [other for other in VARIANT_MARKERS if other != marker]
    return others[crc32(name.encode()) % len(others)]
