"""What is computed from chosen models: analyses, one file each.

An analysis is a module with

    methods(modules)                the methods it looks at, out of {name in the config: module}
    analyse(study, settings)        what it finds: a table and, where it needs them, arrays

found by its name. `study` is a ChosenStudy, `settings` its entry under `analyses` in the config.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType


def names() -> list[str]:
    """Every file here is an analysis, except those that start with an underscore."""
    return sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))


def load(analysis: str) -> ModuleType:
    return import_module(f"mnar.analyses.{analysis}")
