"""Methods from the user's own folder: a file ending in .py, relative to the working directory."""

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from zlib import crc32

from mnar.core.errors import UserError
from mnar.models._about import About


def load_file(name: str) -> ModuleType:
    return _load(name, Path(name).resolve())


@cache
def _load(name: str, path: Path) -> ModuleType:
    """The module; the path without links is part of the key, as the working directory may change."""
    if not path.is_file():
        raise UserError(
            f"Method file {name} is not there; write it, or correct `module` in the config (a path is "
            "relative to the folder in which the workflow runs)."
        )
    # Two folders may have a file of the same name.
    unique = f"mnar_own_{path.stem}_{crc32(str(path).encode()):08x}"
    spec = spec_from_file_location(unique, path)
    if spec is None or spec.loader is None:
        raise UserError(f"Method file {name} cannot be read as Python; correct `module`.")
    module = module_from_spec(spec)
    # Dataclasses and pickle look a module up by its name.
    sys.modules[unique] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[unique]
        if isinstance(error, UserError) or not isinstance(error, Exception):
            raise
        raise UserError(_sentence(name, path, error)) from error
    _check(name, module)
    return module


def _sentence(name: str, path: Path, error: Exception) -> str:
    if isinstance(error, SyntaxError):
        file = name if error.filename == str(path) else error.filename
        return f"Method file {file}, line {error.lineno}: {error.msg}; correct the line."
    lines = [
        frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    where = f", line {lines[-1]}" if lines else ""
    return f"Method file {name}{where}: {type(error).__name__}: {error}; correct the line."


def _check(name: str, module: ModuleType) -> None:
    if not callable(getattr(module, "fit", None)):
        raise UserError(
            f"Method file {name} has no function `fit(train, settings, seed, threads)`; add it, "
            "as docs/methods.md shows."
        )
    if not isinstance(getattr(module, "ABOUT", None), About | None):
        raise UserError(
            f"Method file {name}: expected ABOUT to be an `mnar.models.About`, found "
            f"{type(module.ABOUT).__name__}; declare it as docs/methods.md shows."
        )
