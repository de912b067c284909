"""Names from the config: they become paths, so one pattern holds for all of them."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from mnar.core.errors import UserError

# No separator, no leading dot and nothing that a shell, a pattern or Snakemake reads in its own way.
PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def check_names(names: Iterable[Any], key: str) -> None:
    """A UserError for a name that is no text, may not be part of a path, or looks like another."""
    seen: dict[str, str] = {}
    for name in names:
        if not isinstance(name, str):
            raise UserError(
                f"{key}: the name {name!r} is no text for YAML (a number, or a word such as no); "
                "put it in quotes."
            )
        if not PATTERN.fullmatch(name):
            raise UserError(
                f"{key}: the name {name[:120]!r} cannot be part of a path; use at most 100 letters "
                "(a to z), digits, '-', '_' and '.', and begin with a letter or digit."
            )
        other = seen.setdefault(name.replace("_", "-").casefold(), name)
        if other != name:
            raise UserError(
                f"{key}: the names {other!r} and {name!r} are too much alike; rename one of them."
            )


def suggestion(name: Any, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, and all of them."""
    options = sorted(known)
    near = get_close_matches(str(name), options, n=1)
    asked = f"did you mean {near[0]!r}? Known" if near else "known"
    return f"{asked} are {', '.join(options) or 'none'}."
