"""Experiments where the truth is known: theorems, and behaviour over generator settings."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from mnar import measures, models, splits


def names() -> list[str]:
    """Every file of `theorems` is a simulation, except those that start with an underscore."""
    return sorted(file.stem for file in (Path(__file__).parent / "theorems").glob("[a-z]*.py"))


def module_name(simulation: str) -> str:
    return f"mnar.simulations.theorems.{simulation}"


def load(simulation: str) -> ModuleType:
    return import_module(module_name(simulation))


def settings_of(simulation: str, theorems: dict[str, Any]) -> dict[str, Any]:
    """The settings of the config that a simulation reads."""
    return {name: theorems[name] for name in load(simulation).SETTINGS}


def modules_of(simulation: str, theorems: dict[str, Any]) -> list[str]:
    """The library modules that a simulation takes by name: itself, its ranking, measures, protocols."""
    loaded = load(simulation)
    return [
        module_name(simulation),
        models.module_name(theorems["ranking"]["method"]),
        *measures.modules_of(getattr(loaded, "MEASURES", ())),
        *map(splits.module_name, getattr(loaded, "PROTOCOLS", ())),
    ]
