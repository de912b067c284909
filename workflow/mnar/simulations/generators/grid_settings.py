"""The section `synthetic_grid` of the config: settings that the generator and each search can work with."""

from typing import Any

from mnar.config import limits
from mnar.config.checking import check_generator
from mnar.simulations.generators import OBJECTIVES, SEARCHES


def check(grid: dict[str, Any]) -> None:
    """Stop with one sentence that names the key, the value found and the known ones."""
    check_generator(grid["generator"], "synthetic_grid.generator")
    for name, values in grid["vary"].items():
        for value in values:
            check_generator({**grid["generator"], name: value}, f"synthetic_grid.vary.{name}")
    modules = {name: methods[0] for name, methods in SEARCHES.items()}
    searches = [(grid, modules, "synthetic_grid")]
    searches.append((grid["objectives"], OBJECTIVES, "synthetic_grid.objectives"))
    for entries, named, where in searches:
        for name, module in named.items():
            entry, key = entries[name], f"{where}.{name}"
            limits.check(module, entry, key)
            limits.check_search(module, entry["settings"], entry["grid"], key)
