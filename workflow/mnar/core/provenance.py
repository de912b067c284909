"""Which library files a script runs, so that a job reruns when one of them changes, and only then."""

import os
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Read as text: to parse the files takes five times as long.
_IMPORT = re.compile(r"^\s*(?:import (mnar[\w.]*)|from (mnar[\w.]*) import (\([^)]*\)|.*))", re.M)


def share_with_jobs() -> None:
    """Let the processes that run scripts find this library as the workflow did, and keep its bytecode.

    It lies beside the compiled kernels, which are kept in any case. Without it every job compiles all
    that it imports: by a profile, two CPU seconds of the default run.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if str(ROOT) not in others:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *others])


@cache
def fingerprint(script: str, *modules: str) -> str:
    """A short hash of all library files that a script, and modules it loads by name, import."""
    files = set(_imported(ROOT / "scripts" / script))
    for module in modules:
        files.update(_files_of(module))
    return _hash_of(frozenset(files))


@cache
def kernel_stamp(file: str) -> str:
    """A short hash of a file and all library files that it imports, whose kernels its own may call."""
    return _hash_of(frozenset([Path(file)]))


def _hash_of(files: frozenset[Path]) -> str:
    digest = sha256()
    for file in sorted(_closure(files)):
        digest.update(os.path.relpath(file, ROOT).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _closure(files: frozenset[Path]) -> set[Path]:
    seen: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(_imported(file))
    return seen


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for module, package, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
        whole = [module] if module else [f"{package}.{name}" for name in re.findall(r"\w+", names)]
        found.extend(path for name in whole for path in _files_of(name))
    return tuple(found)


def _files_of(module: str) -> list[Path]:
    """The file of a module of this library (or of the module a name is imported from)."""
    if module.split(".")[0] != "mnar":
        return []
    path = ROOT.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.exists():
            return [candidate]
    return _files_of(module.rpartition(".")[0]) if "." in module else []
