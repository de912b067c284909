"""The config of the project, free to be changed in one place."""

from pathlib import Path
from typing import Any

import yaml


def project_config() -> dict[str, Any]:
    """Entries that share an anchor are one object in Python; here each is one of its own."""
    path = Path(__file__).parents[2] / "config.yaml"
    return _unshared(yaml.safe_load(path.read_text(encoding="utf-8")))


def _unshared(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unshared(part) for name, part in value.items()}
    return [_unshared(part) for part in value] if isinstance(value, list) else value
