"""Which library files a job uses, so that it reruns when one of them changes, and only then."""

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
_IMPORT = re.compile(r"^\s*(?:import (mnar[\w.]*)|from (mnar[\w.]*) import (\([^)]*\)|.*))", re.M)


def fingerprint(script: str, *modules: str, files: Iterable[Path] = ()) -> str:
    """A short hash of a script, all library files that it imports, and other files that it reads.

    `modules` are library modules, or a user's own files, that the script loads by name.
    """
    return _fingerprint(script, modules, tuple(files))


@cache
def _fingerprint(script: str, modules: tuple[str, ...], files: tuple[Path, ...]) -> str:
    sources = {ROOT / "scripts" / script}
    for module in modules:
        sources.update(files_of(module))
    return _hash_of({*_closure(frozenset(sources)), *files})


@cache
def kernel_stamp(file: str) -> str:
    """A short hash of a file and all library files that it imports, whose kernels its own may call."""
    return _hash_of(_closure(frozenset([Path(file)])))


def _hash_of(files: Iterable[Path]) -> str:
    digest = sha256()
    for name, file in sorted((_name_of(file), file) for file in files):
        content = file.read_bytes()
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _name_of(file: Path) -> str:
    """The name below the project, or of a file elsewhere alone: moved folders keep their hash."""
    for root in (ROOT, ROOT.parent):
        if file.is_relative_to(root):
            return str(file.relative_to(root))
    return file.name


def _closure(files: frozenset[Path]) -> set[Path]:
    seen: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(imported(file))
    return seen


@cache
def imported(file: Path) -> tuple[Path, ...]:
    """The library files that a file imports, wherever in it the import stands."""
    found: list[Path] = []
    for module, package, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
        whole = [module] if module else [f"{package}.{name}" for name in re.findall(r"\w+", names)]
        found.extend(path for name in whole for path in files_of(name))
    return tuple(found)


def files_of(module: str) -> list[Path]:
    """The file of a library module with its packages, or a user's own file (`my_methods/ease.py`)."""
    if module.endswith(".py"):
        return [Path(module).absolute()]
    parts = module.split(".")
    if parts[0] != "mnar":
        return []
    found = []
    for length in range(1, len(parts) + 1):
        path = ROOT.joinpath(*parts[:length])
        # A name may be a function of the module, which has no file.
        found += [one for one in (path.with_suffix(".py"), path / "__init__.py") if one.exists()]
    return found
