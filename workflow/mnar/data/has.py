"""What a dataset has besides ratings, by its entry in the config alone: no data file is read."""

from collections.abc import Mapping
from typing import Any

from mnar.data import readers


def has(entry: Mapping[str, Any]) -> set[str]:
    """Of timestamps, random, taxonomy, item-types, truth, complete and probe, what the dataset has.

    A reader may say so itself (`has`); else files in the roles `random` and `probe` do.
    """
    if "generator" in entry:
        return _generated(entry["generator"] or {})
    files, form = set(entry.get("files") or {}), entry.get("format") or {}
    reader = readers.load(form.get("kind", "table"))
    if hasattr(reader, "has"):
        return reader.has(files, form, entry.get("catalogue") or {})
    return {"random", "probe"} & files


def _generated(settings: Mapping[str, Any]) -> set[str]:
    found = {"timestamps", "truth", "complete"}
    if settings.get("taxonomy", 0):
        found.add("taxonomy")
    if settings.get("random_users", 1):
        found.add("random")
    return found
