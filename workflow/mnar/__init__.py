"""What can you trust, when users chose what they rated? The library behind the workflow."""

from importlib import import_module
from typing import Any

__all__ = ["evaluate"]


def __getattr__(name: str) -> Any:
    """`mnar.evaluate` is loaded when it is used: `import mnar` stays quick."""
    if name == "evaluate":
        return import_module("mnar.evaluation").evaluate
    raise AttributeError(f"module 'mnar' has no attribute {name!r}")
