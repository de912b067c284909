"""The config file as text: UTF-8, YAML, each key once. YAML itself would take the last of two silently."""

from pathlib import Path
from typing import Any

import yaml

from mnar.core.errors import UserError

# The parser in C, where it is there, takes a tenth of the time.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def check_file(path: str | Path) -> None:
    """A UserError that names the file, the line and what to do."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror or error}).") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UserError(f"{path}, line {line}: it is not UTF-8; save the file as UTF-8.") from error
    try:
        node = yaml.compose(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError) as error:
        raise UserError(f"{path}{_where(error)}; correct the line.") from error
    if not isinstance(node, yaml.MappingNode):
        raise UserError(f"{path} has no keys at its top level; write it as config.yaml is written.")
    _check_keys(path, node, set())


def read_file(path: str | Path) -> dict[str, Any]:
    """The config that a command reads by itself, from the folder that it runs in."""
    if not Path(path).exists():
        raise UserError(f"{path} is not there; run this in the folder of the project.")
    check_file(path)
    return yaml.load(Path(path).read_text(encoding="utf-8-sig"), Loader=_Loader)


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    line = f", line {mark.line + 1}" if mark is not None else ""
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"{line}: it is not YAML ({problem})"


def _check_keys(path: str | Path, node: yaml.Node, done: set[int]) -> None:
    """Each key once in every mapping; an anchor may lead back to a node that was looked at."""
    if id(node) in done:
        return
    done.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for part in node.value:
            _check_keys(path, part, done)
    if not isinstance(node, yaml.MappingNode):
        return
    first: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if isinstance(key, yaml.ScalarNode) and first.setdefault(key.value, line) != line:
            raise UserError(
                f"{path}, line {line}: the key {key.value!r} is there twice, first on line "
                f"{first[key.value]}; keep one of them."
            )
        _check_keys(path, value, done)
