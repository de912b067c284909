"""A dataset's entry in the config: it must say what its reader understands, in the right types."""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from mnar.core.errors import UserError
from mnar.core.names import suggestion
from mnar.data import readers
from mnar.data.sources import is_encoding, locate


def check_entry(name: str, entry: Mapping[str, Any]) -> None:
    """A UserError that names the key, its value, and what it should be."""
    where = f"Dataset {name!r}"
    for section in ("format", "files"):
        if section not in entry:
            raise UserError(f"{where} has no `{section}`; say {_MEANING[section]}.")
    for section in ("format", "files", "catalogue", "download", "sha256"):
        given = entry.get(section, {})
        if not isinstance(given, Mapping):
            raise UserError(f"{where}: `{section}` is {given!r}; say {_MEANING[section]}.")
    kind = entry["format"].get("kind", "table")
    if not isinstance(kind, str):
        raise UserError(f"{where}: `kind` in `format` is {kind!r}; give one of {_known_kinds()}.")
    roles, known_settings = readers.format_of(kind)
    _check_keys(where, "files", entry["files"], tuple(roles))
    _check_keys(where, "format", entry["format"], ("kind", *known_settings))
    _check_keys(where, "catalogue", entry.get("catalogue", {}), _catalogue(roles, known_settings))
    for role, needed in roles.items():
        if needed and role not in entry["files"]:
            raise UserError(f"{where} names no file for {role!r} under `files`.")
    for role, names in entry["files"].items():
        _check_names(where, role, names)
    for section in ("format", "catalogue"):
        _check_format(f"{where}: ", section, entry.get(section, {}))
        known = getattr(readers.load(kind), "COLUMNS", {}).get(section)
        if known and (section in entry):
            _check_columns(f"{where}: `{section}`", entry[section].get("columns"), known, section)
    if "catalogue" in entry and "items" not in entry["files"]:
        raise UserError(
            f"{where} has a `catalogue`, but names no file for 'items' under `files`; name it, or leave "
            "`catalogue` out."
        )
    _check_random(where, entry)
    _check_numbers(where, entry)
    _check_download(where, entry)


def _check_random(where: str, entry: Mapping[str, Any]) -> None:
    """Which ratings are of items chosen at random is said once."""
    columns = entry["format"].get("columns") or {}
    said = [f"the column {name!r}" for name in ("selected", "random") if name in columns]
    said += ["the file 'random'"] if "random" in entry["files"] else []
    if len(said) > 1:
        raise UserError(
            f"{where}: {' and '.join(said)} both say which ratings were chosen at random; keep one."
        )


_MEANING = {
    "format": "how its files are written, for example {columns: {user: 1, item: 2, rating: 3}}",
    "files": "which files it has, for example {ratings: ratings.csv}",
    "catalogue": "how the file of items is written, for example {columns: {item: 1}}",
    "download": "where it comes from, for example {url: https://…}",
    "sha256": "the checksum of each file, for example {ratings.csv: …}",
}


def _known_kinds() -> str:
    return ", ".join(readers.names())


def _catalogue(roles: Mapping[str, bool], settings: tuple[str, ...]) -> tuple[str, ...]:
    return settings if "items" in roles else ()


def _check_keys(where: str, section: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            near = get_close_matches(str(key), known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UserError(
                f"{where} has an unknown key {key!r} in `{section}`; "
                f"known are {', '.join(known) or 'none'}{hint or '.'}"
            )


def _check_names(where: str, role: str, names: Any) -> None:
    several = [names] if isinstance(names, str) else names
    if (
        not isinstance(several, list | tuple)
        or not several
        or not all(isinstance(one, str) and one.strip() and "\0" not in one for one in several)
    ):
        raise UserError(
            f"{where}: the file for {role!r} under `files` is {names!r}; "
            "give a file name, or a list of names of which the first that is there counts."
        )


def _one_character(quote: Any) -> bool:
    return quote is None or (
        isinstance(quote, str) and len(quote) <= 1 and quote.isascii() and quote not in ("\n", "\r")
    )


def _columns(columns: Any) -> bool:
    return (
        isinstance(columns, Mapping)
        and bool(columns)
        and all(
            isinstance(column, str | int) and not isinstance(column, bool)
            for column in columns.values()
        )
    )


# What each key of a format may hold, and how to say so.
_FORMAT: dict[str, tuple[Callable[[Any], bool], str]] = {
    "separator": (
        lambda it: isinstance(it, str) and it != "" and not set(it) & set("\r\n"),
        "give the characters between two columns, for example ',' or '::'",
    ),
    "quote": (_one_character, "give one ASCII character, or null where quotes mean nothing"),
    "encoding": (
        lambda it: isinstance(it, str) and is_encoding(it),
        "give one that text files are written in: utf-8, latin-1, cp1252 and utf-16 are known",
    ),
    "header": (lambda it: isinstance(it, bool), "give true or false"),
    "columns": (_columns, "give for each column its name, or its number from 1"),
}


def _check_format(where: str, section: str, given: Mapping[str, Any]) -> None:
    for key, (is_right, wanted) in _FORMAT.items():
        if key in given and not is_right(given[key]):
            raise UserError(f"{where}`{key}` in `{section}` is {given[key]!r}; {wanted}.")
    separator, quote = given.get("separator", ","), given.get("quote")
    if quote and len(separator) > 1:
        raise UserError(
            f"{where}`quote` in `{section}` is {quote!r} and the separator {separator!r}; "
            "quotes need a separator of one character, set `quote: null`."
        )
    if quote and quote == separator:
        raise UserError(
            f"{where}quote and separator in `{section}` are both {quote!r}; change one."
        )


def _check_columns(where: str, given: Any, known: Mapping[str, str], section: str) -> None:
    # Imported here, since every start of Snakemake imports this file, and polars takes its time.
    from mnar.data.columns import same_column

    for name in given or {}:
        if name not in known:
            raise UserError(f"{where} has an unknown column {name!r}; {suggestion(name, known)}")
    # A catalogue may leave its columns to be named as they are.
    for name, kind in known.items():
        if kind == "id" and name not in (given or {}) and (given or section == "format"):
            raise UserError(
                f"{where} does not say which column is the {name}; add it to `columns`."
            )
    for one, other in same_column(given or {}):
        raise UserError(
            f"{where} has {given[one]!r} as the column of both {one!r} and {other!r}; "
            "give each its own."
        )


def _check_numbers(where: str, entry: Mapping[str, Any]) -> None:
    scale = entry.get("scale")
    if scale is not None:
        is_pair = isinstance(scale, list | tuple) and len(scale) == 2
        if not is_pair or not all(map(_is_number, scale)) or not scale[0] < scale[1]:
            raise UserError(
                f"{where}: `scale` is {scale!r}; give the lowest and the highest rating, as in [1, 5]."
            )
    for key, low, high in (("relevant", float("-inf"), float("inf")), ("bad_lines", 0, 1)):
        value = entry.get(key)
        if value is not None and not (_is_number(value) and low <= value <= high):
            wanted = "a share from 0 to 1" if key == "bad_lines" else "the lowest relevant rating"
            raise UserError(f"{where}: `{key}` is {value!r}; give {wanted}.")
    relevant = entry.get("relevant")
    if scale is not None and relevant is not None and relevant > scale[1]:
        raise UserError(
            f"{where}: `relevant` is {relevant!r}, above the `scale` {list(scale)!r}, so nothing would be "
            "relevant; correct one of them."
        )


def _check_download(where: str, entry: Mapping[str, Any]) -> None:
    download = entry.get("download", {})
    if "download" in entry and not isinstance(download.get("url"), str):
        raise UserError(f"{where}: `download` names no `url`; say {_MEANING['download']}.")
    for address in [download["url"], *download.get("mirrors", [])] if download else []:
        if not isinstance(address, str) or not re.match("https?://[^/]", address):
            raise UserError(
                f"{where}: {address!r} in `download` is not an address that begins with https://; "
                "give the address of the file."
            )
    there = _file_names(entry)
    if download:
        there.append(file_name(download["url"]))
    for name in entry.get("sha256", {}):
        if not any(fnmatchcase(str(name), pattern) for pattern in there):
            raise UserError(
                f"{where}: `sha256` has a checksum of {name!r}, which is none of its files; "
                f"{suggestion(name, there)}"
            )
    sums = {"download": download.get("sha256"), **entry.get("sha256", {})}
    for name, given in sums.items():
        if given is not None and not re.fullmatch("[0-9a-f]{64}", str(given)):
            raise UserError(
                f"{where}: the checksum of {name} is {given!r}, not a sha256 of 64 digits and "
                "letters from a to f; copy it from `sha256sum`."
            )


def _file_names(entry: Mapping[str, Any]) -> list[str]:
    """Names, or patterns, of the files on disk, without their folders."""
    every = [
        name
        for names in entry["files"].values()
        for name in ([names] if isinstance(names, str) else names)
    ]
    return [locate(name, Path()).path.name for name in every]


def file_name(url: str) -> str:
    """The last part of an address, under which its file is kept."""
    try:
        name = PurePosixPath(urlsplit(url).path).name
    except ValueError as error:
        raise UserError(f"{url!r} is not an address ({error}); correct it.") from error
    if name.strip(".") == "":
        raise UserError(f"The address {url!r} ends in no file name; give that of the file itself.")
    return name


def _is_number(value: Any) -> bool:
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return is_real and abs(value) < float("inf")
