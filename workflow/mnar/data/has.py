"""What a dataset has besides ratings, by its entry in the config alone: no data file is read."""

from collections.abc import Mapping
from typing import Any

_TAXONOMY = {"album", "artist", "genre"}
_TAXONOMY_FILES = {"tracks", "albums"}


def has(entry: Mapping[str, Any]) -> set[str]:
    """Of timestamps, random, taxonomy, item-types, truth and probe, those that the dataset has."""
    if "generator" in entry:
        return _generated(entry["generator"] or {})
    files, form = set(entry.get("files") or {}), entry.get("format") or {}
    by_kind = _BY_KIND.get(form.get("kind", "table"), _other)
    return by_kind(files, form, entry.get("catalogue") or {})


def _generated(settings: Mapping[str, Any]) -> set[str]:
    found = {"timestamps", "truth"}
    if settings.get("taxonomy", 0):
        found.add("taxonomy")
    if settings.get("random_users", 1):
        found.add("random")
    return found


def _table(files: set[str], form: Mapping[str, Any], catalogue: Mapping[str, Any]) -> set[str]:
    columns = set(form.get("columns") or {})
    of_items = set(catalogue.get("columns") or {}) if "items" in files else set()
    marks = {
        "timestamps": "timestamp" in columns,
        "random": "random" in files or bool(columns & {"random", "selected"}),
        "taxonomy": bool(of_items & _TAXONOMY),
        "item-types": "type" in of_items,
    }
    return {name for name, there in marks.items() if there}


def _netflix(files: set[str], *_: Any) -> set[str]:
    return {"timestamps"} | ({"probe"} if "probe" in files else set())


def _yahoo_music(files: set[str], *_: Any) -> set[str]:
    """Track 1 has times and a validation file, Track 2 has neither."""
    marks = {
        "timestamps": "validation" in files,
        "taxonomy": bool(files & _TAXONOMY_FILES),
        "item-types": bool(files & {"tracks", "albums", "artists", "genres"}),
    }
    return {name for name, there in marks.items() if there}


def _other(files: set[str], *_: Any) -> set[str]:
    return {"random", "probe"} & files


_BY_KIND = {
    "table": _table,
    "netflix": _netflix,
    "yahoo-music": _yahoo_music,
}
