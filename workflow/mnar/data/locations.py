"""Which files a dataset needs, where they are looked for, and the message when they are missing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mnar.core.errors import UserError
from mnar.data import readers
from mnar.data.entry import check_entry, file_name
from mnar.data.sources import Source, locate

_WILD = set("*?[")


def find(name: str, entry: Mapping[str, Any], folder: Path) -> dict[str, list[Source]]:
    """The sources of each role; a UserError with all that is missing, where to get and put it."""
    message = missing_message(name, entry, folder)
    if message:
        raise UserError(message)
    return {
        role: next(sources for sources in (_sources(one, folder) for one in names) if sources)
        for role, names in _wanted(entry).items()
    }


def inputs(entry: Mapping[str, Any], folder: Path) -> list[Path]:
    """Every file on disk that is read, so that a change of any of them is noticed."""
    paths = []
    for names in _wanted(entry).values():
        found = (_sources(one, folder) for one in names)
        paths += [source.path for source in next((some for some in found if some), [])]
    return list(dict.fromkeys(paths))


def size_mb(entry: Mapping[str, Any], folder: Path) -> float:
    """The size of all files that are read."""
    return sum(path.stat().st_size for path in inputs(entry, folder)) / 1e6


def reader_module(entry: Mapping[str, Any]) -> str:
    """The library module that reads a dataset's files."""
    return readers.module_name(entry["format"].get("kind", "table"))


def downloaded(entry: Mapping[str, Any], folder: Path) -> Path | None:
    """Where the download of a dataset goes; None where there is none."""
    if "download" not in entry:
        return None
    return folder / file_name(entry["download"]["url"])


def missing_message(name: str, entry: Mapping[str, Any], folder: Path) -> str | None:
    """What to tell a user whose files are not all there; None when they are."""
    check_entry(name, entry)
    missing = [
        " or ".join(names)
        for names in _wanted(entry).values()
        if not any(_sources(one, folder) for one in names)
    ]
    if not missing:
        return None
    verb = "is" if len(missing) == 1 else "are"
    lines = [f"Dataset {name!r} cannot be read: {', '.join(missing)} {verb} not in {folder}."]
    if "source" in entry:
        lines.append(f"Where to get it: {entry['source']}")
    if "licence" in entry:
        lines.append(f"Terms: {entry['licence']}")
    lines.append(f"Put the files into {folder}, or leave {name!r} out of the run.")
    return "\n".join(lines)


def _wanted(entry: Mapping[str, Any]) -> dict[str, list[str]]:
    """For each role the names it may have, the first that is there counts."""
    return {
        role: [names] if isinstance(names, str) else list(names)
        for role, names in entry["files"].items()
    }


def _sources(name: str, folder: Path) -> list[Source]:
    """The files of a name or pattern that are there, in the order of their names.

    A file of exactly this name goes before all that a pattern may mean. Hidden files are passed over,
    since programs keep half-written files there.
    """
    source = locate(name, folder)
    if source.path.exists() or not _WILD & set(name):
        return [source] if source.path.exists() else []
    try:
        found = sorted(folder.glob(name))
    except (ValueError, NotImplementedError) as error:
        raise UserError(f"{name!r} under `files` is not a name or pattern ({error}).") from error
    return [
        Source(path)
        for path in found
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    ]
