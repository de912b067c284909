"""Which library files a script runs, so that a job reruns when one of them changes, and only then."""

import ast
import os
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent


def share_with_jobs() -> None:
    """Let the processes that run scripts find this library as the workflow did."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if str(ROOT) not in others:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *others])


@cache
def fingerprint(script: str, *modules: str) -> str:
    """A short hash of all library files that a script, and modules it loads by name, import."""
    files = set(_imported(ROOT / "scripts" / script))
    for module in modules:
        files.update(_files_of(module))
    digest = sha256()
    for file in sorted(_closure(frozenset(files))):
        digest.update(file.relative_to(ROOT).as_posix().encode())
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
    for node in _statements(ast.parse(file.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.extend(_files_of(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found.extend(_files_of(f"{node.module}.{alias.name}"))
    return tuple(found)


def _statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements, nested ones too. Imports are in no expression, where most of a tree is."""
    for node in block:
        yield node
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(node, part, ()))


def _files_of(module: str) -> list[Path]:
    """The file of a module of this library (or of the module a name is imported from)."""
    if module.split(".")[0] != "mnar":
        return []
    path = ROOT.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.exists():
            return [candidate]
    return _files_of(module.rpartition(".")[0]) if "." in module else []
