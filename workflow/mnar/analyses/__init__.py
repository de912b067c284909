"""Analyses: computed from chosen models, one file each.

An analysis is a module with

    methods(modules)                the methods it looks at, out of {name in the config: module}
    analyse(study, settings)        its result: a table and, where it needs them, arrays

found by its name. `study` is a ChosenStudy, `settings` its entry under `analyses` in the config. One
that has settings lists them in SETTINGS. One that takes measures by name lists them in MEASURES: a job
is made again when their files change.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from mnar.core.declared import Setting
from mnar.core.errors import UserError
from mnar.core.names import suggestion


def names() -> list[str]:
    """Every file here is an analysis, except those that start with an underscore."""
    return sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))


def load(analysis: str) -> ModuleType:
    return import_module(f"mnar.analyses.{analysis}")


def settings_of(analysis: str) -> dict[str, Setting]:
    """The settings that an analysis has, by their names."""
    return {setting.name: setting for setting in getattr(load(analysis), "SETTINGS", ())}


def measures_of(analysis: str) -> tuple[str, ...]:
    """The measures that an analysis takes by name, whatever the study takes."""
    return getattr(load(analysis), "MEASURES", ())


def check(entries: Mapping[str, Mapping[str, Any]]) -> None:
    """The section `analyses` of the config: no unknown name, no missing and no wrong setting."""
    for name in entries:
        if name not in names():
            raise UserError(f"analyses: unknown analysis {name!r}; {suggestion(name, names())}")
    for name in names():
        given, known = entries.get(name, {}), settings_of(name)
        for key, value in given.items():
            if key not in known:
                near = suggestion(key, known)
                raise UserError(f"analyses.{name}: unknown setting {key!r}; {near}")
            if not known[key].accepts(value):
                wanted = known[key].expected
                raise UserError(f"analyses.{name}.{key}: expected {wanted}, found {value!r}.")
        for key, setting in known.items():
            if setting.required and key not in given:
                raise UserError(
                    f"analyses.{name}: the setting {key!r} ({setting.meaning}) is missing; give "
                    f"{setting.expected}."
                )
