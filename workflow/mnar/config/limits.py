"""Unknown names, and settings that a method cannot work with: each method's file says its own."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from mnar import models
from mnar.core.declared import text_hint
from mnar.core.errors import UserError
from mnar.core.names import suggestion

Grid = Mapping[str, Iterable[Any]]


def one_of(found: str, known: Iterable[str], key: str, what: str) -> None:
    """A name that is known, or a UserError with the nearest one."""
    if found not in known:
        raise UserError(f"{key}: unknown {what} {found!r}; {suggestion(found, known)}")


def check_module(module: str, key: str) -> None:
    """A method of the project, or a file of the user's own that can be loaded."""
    try:
        models.load(module)
    except UserError as error:
        text = str(error)
        raise UserError(f"{key}: {text[0].lower()}{text[1:]}") from error


def check(module: str, entry: Mapping[str, Any], key: str) -> None:
    """Each value in the settings and grids of an entry, and of its quick version, by itself."""
    for name, value, where in _values(entry, key):
        _check_value(module, name, value, where)


def check_settings(module: str, settings: Mapping[str, Any], key: str) -> None:
    """Complete settings: none unknown, none missing, each in its range, and all fit together."""
    for name, value in settings.items():
        _check_value(module, name, value, f"{key}.{name}")
    _check_complete(module, settings, key)


def check_search(module: str, settings: Mapping[str, Any], grid: Grid, key: str) -> None:
    """Settings and grid as a training job gets them; each value was checked where it stands."""
    if models.about(module).conflict is None:
        _check_complete(module, {**settings, **grid}, key)
        return
    for values in product(*grid.values()):
        point = dict(zip(grid, values, strict=True))
        _check_complete(module, {**settings, **point}, key)


def _check_complete(module: str, settings: Mapping[str, Any], key: str) -> None:
    about = models.about(module)
    for setting in about.known.values():
        if setting.required and setting.name not in settings:
            raise UserError(
                f"{key}: {module} needs the setting {setting.name!r} ({setting.meaning}); give "
                f"{setting.expected} under settings or grid."
            )
    found = about.conflict(settings) if about.conflict is not None else None
    if found is not None:
        raise UserError(f"{key}: {found}.")


def _check_value(module: str, name: str, value: Any, key: str) -> None:
    about = models.about(module)
    if about.settings is None:
        return
    if not about.settings:
        raise UserError(f"{key}: {module} has no settings; leave {name!r} out.")
    if name not in about.known:
        near = suggestion(name, list(about.known))
        raise UserError(f"{key}: {module} has no setting {name!r}; {near}")
    setting = about.known[name]
    if not setting.accepts(value):
        raise UserError(f"{key}: expected {setting.expected}, found {value!r}{text_hint(value)}.")


def _values(entry: Mapping[str, Any], key: str) -> Iterator[tuple[str, Any, str]]:
    for name, value in entry.get("settings", {}).items():
        yield name, value, f"{key}.settings.{name}"
    for name, values in entry.get("grid", {}).items():
        for value in values:
            yield name, value, f"{key}.grid.{name}"
    if isinstance(entry.get("quick"), dict):
        yield from _values(entry["quick"], f"{key}.quick")
