"""Which files a dataset needs, where they are looked for, and what to say when they are missing."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from mnar.core.errors import UserError
from mnar.data import readers
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
    """What lies on disk and is read: files, and folders where a pattern names files in a folder."""
    paths = []
    for names in _wanted(entry).values():
        for one in names:
            sources = _sources(one, folder)
            if sources:
                parent = PurePosixPath(one).parent
                in_folder = _WILD & set(PurePosixPath(one).name) and parent != PurePosixPath()
                paths += [folder / parent] if in_folder else [source.path for source in sources]
                break
    return list(dict.fromkeys(paths))


def reader_module(entry: Mapping[str, Any]) -> str:
    """The library module that reads a dataset's files."""
    return readers.module_name(entry["format"].get("kind", "table"))


def downloaded(entry: Mapping[str, Any], folder: Path) -> Path | None:
    """Where the download of a dataset goes; None where there is none."""
    if "download" not in entry:
        return None
    return folder / PurePosixPath(urlsplit(entry["download"]["url"]).path).name


def missing_message(name: str, entry: Mapping[str, Any], folder: Path) -> str | None:
    """What to tell a user whose files are not all there; None when they are."""
    _check(name, entry)
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
    lines.append(f"Put what you get into {folder}, or take {name!r} out of what is to be run.")
    return "\n".join(lines)


def _check(name: str, entry: Mapping[str, Any]) -> None:
    """What the entry of a dataset says must be what its reader understands."""
    roles, known_settings = readers.format_of(entry["format"].get("kind", "table"))
    understood = {
        "files": tuple(roles),
        "format": ("kind", *known_settings),
        "catalogue": known_settings if "items" in roles else (),
    }
    for section, known in understood.items():
        for key in entry.get(section) or ():
            if key not in known:
                raise UserError(
                    f"Dataset {name!r} has an unknown key {key!r} in `{section}`; "
                    f"known are {', '.join(known) or 'none'}."
                )
    for role, needed in roles.items():
        if needed and role not in entry["files"]:
            raise UserError(f"Dataset {name!r} names no file for {role!r} under `files`.")


def _wanted(entry: Mapping[str, Any]) -> dict[str, list[str]]:
    """For each role the names it may have, the first that is there counts."""
    return {
        role: [names] if isinstance(names, str) else list(names)
        for role, names in entry["files"].items()
    }


def _sources(name: str, folder: Path) -> list[Source]:
    """The files of a name or pattern that are there, in the order of their names."""
    if _WILD & set(name):
        return [Source(path) for path in sorted(folder.glob(name))]
    source = locate(name, folder)
    return [source] if source.path.exists() else []
