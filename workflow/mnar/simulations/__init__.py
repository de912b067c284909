"""Experiments where the truth is known: theorems, and behaviour over generator settings."""

from importlib import import_module
from pathlib import Path
from types import ModuleType


def names() -> list[str]:
    """Every file of `theorems` is a simulation, except those that start with an underscore."""
    return sorted(file.stem for file in (Path(__file__).parent / "theorems").glob("[a-z]*.py"))


def module_name(simulation: str) -> str:
    return f"mnar.simulations.theorems.{simulation}"


def load(simulation: str) -> ModuleType:
    return import_module(module_name(simulation))
