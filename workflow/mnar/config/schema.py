"""The form of the config: plain finite values, names that can be paths, keys and types by the schema."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from mnar.core.declared import LARGEST, text_hint
from mnar.core.errors import UserError
from mnar.core.names import check_names, suggestion

SCHEMA = Path(__file__).with_name("schema.json")
# Sections whose keys become parts of paths.
NAMED = ("datasets", "views", "protocols", "methods", "studies", "experiments")
_DEEPEST = 20


def check_form(config: Mapping[str, Any]) -> None:
    """Stop with one sentence that names the key, the value found and the known ones."""
    _check_finite(config, "", 0)
    for section in NAMED:
        if isinstance(config.get(section), Mapping):
            check_names(config[section], section)
    systems = config.get("trust", {}) if isinstance(config.get("trust"), Mapping) else {}
    if isinstance(systems.get("systems"), Mapping):
        check_names(systems["systems"], "trust.systems")
    _check_schema(config)


def _check_finite(value: Any, key: str, depth: int) -> None:
    """No NaN, no infinity and no number beyond them, wherever it stands."""
    if depth > _DEEPEST:
        raise UserError(
            f"{key[:80]}: it is nested too deeply; look for an entry that holds itself."
        )
    if isinstance(value, Mapping):
        for name, part in value.items():
            if isinstance(name, float) and not abs(name) <= LARGEST:
                raise UserError(f"{key or 'config'}: expected a finite number, found {name!r}.")
            _check_finite(part, f"{key}.{name}" if key else str(name), depth + 1)
    elif isinstance(value, list | tuple):
        for part in value:
            _check_finite(part, key, depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= LARGEST:
        raise UserError(f"{key}: expected a finite number, found {_shown(value)}.")


def _check_schema(config: Mapping[str, Any]) -> None:
    error = best_match(_validator().iter_errors(config))
    if error is None:
        return
    key = ".".join(str(part) for part in error.absolute_path) or "config"
    raise UserError(f"{key}: {_sentence(error)}")


def _sentence(error: Any) -> str:
    found = error.instance
    if error.validator == "additionalProperties":
        known = set(error.schema.get("properties", {}))
        extra = next(name for name in found if name not in known)
        return f"unknown key {extra!r}; {suggestion(extra, known)}"
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in found)
        return (
            f"the key {missing!r} is missing; give it (docs/configuration.md says what it means)."
        )
    if error.validator == "enum":
        options = map(str, error.validator_value)
        return f"unknown value {_shown(found)}; {suggestion(found, options)}"
    if error.validator == "type":
        kinds = error.validator_value
        wanted = kinds if isinstance(kinds, str) else " or ".join(kinds)
        why = error.schema.get("description", "")
        return f"expected {wanted}, found {_shown(found)}{text_hint(found)}.{why}"
    if error.validator in ("minLength", "maxLength", "pattern") and "description" in error.schema:
        return f"found {_shown(found)}.{error.schema['description']}"
    if error.validator in ("minItems", "minProperties"):
        return f"expected at least {error.validator_value} of them, found {len(found)}."
    return f"{error.message[:200]}."


def _shown(value: Any) -> str:
    """A value as it would be written, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:
        # More digits than Python prints.
        text = "a number of thousands of digits"
    return text if len(text) <= 80 else text[:80] + " …"


@cache
def _validator() -> Any:
    # A whole number is one without a point: 2.0 folds cannot be counted.
    kinds = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    kinds = kinds.redefine("array", lambda _, value: isinstance(value, list | tuple))
    strict = extend(Draft202012Validator, type_checker=kinds)
    return strict(json.loads(SCHEMA.read_text(encoding="utf-8")))
