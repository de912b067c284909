"""The documentation knows every key of the config, and every dataset, method, measure, protocol."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from mnar import models, splits
from mnar.data import readers
from mnar.data.synthetic import Settings

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
SCHEMA = json.loads((ROOT / "workflow/mnar/config/schema.json").read_text(encoding="utf-8"))
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))

# Where the page explains the parts that several keys of the schema refer to.
HEADINGS = {
    "dataset": "datasets.<name>",
    "method_of_dataset": "datasets.<name>.methods.<name>",
    "view_part": "views.<name>",
    "protocol": "protocols.<name>",
    "method": "methods.<name>",
    "search": "methods.<name>.quick",
    "mechanisms": "trust.mechanisms",
    "price": "trust.price",
    "system": "trust.systems.<name>",
    "searched": "Searches of synthetic_grid",
    "study": "studies.<name>",
    "rivals": "studies.<name>.rivals",
    "experiment": "experiments.<name>",
}


def keys_in_schema(node, heading):
    """heading -> the keys below it, for this object and those written out inside it."""
    found = {heading: set(node["properties"])}
    for key, value in node["properties"].items():
        if "properties" in value:
            inside = key if heading == "Top level" else f"{heading}.{key}"
            found |= keys_in_schema(value, inside)
    return found


def schema_keys():
    found = keys_in_schema(SCHEMA, "Top level")
    for name, part in SCHEMA["$defs"].items():
        if "properties" in part:
            found |= keys_in_schema(part, HEADINGS[name])
    return found


def documented_keys():
    """heading -> the first column of its table, for the headings that the schema has."""
    found, heading = {}, ""
    for line in (DOCS / "configuration.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ").replace("`", "")
        elif row := re.match(r"\| `(\w+)` \|", line):
            found.setdefault(heading, set()).add(row[1])
    return found


@pytest.mark.parametrize("heading", sorted(schema_keys()))
def test_every_key_of_the_schema_has_a_row_and_every_row_is_a_key(heading):
    assert documented_keys().get(heading) == schema_keys()[heading]


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("datasets.md", CONFIG["datasets"]),
        ("datasets.md", [field.name for field in fields(Settings)]),
        ("datasets.md", CONFIG["views"]),
        ("methods.md", models.names()),
        ("protocols.md", splits.names()),
        ("configuration.md", readers.names()),
    ],
)
def test_every_name_stands_on_its_page(page, names):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}`" not in text] == []


def test_every_measure_of_the_config_stands_on_its_page():
    text = (DOCS / "measures.md").read_text(encoding="utf-8")
    wanted = {
        measure
        for study in CONFIG["studies"].values()
        for measure in [*study["measures"], *study.get("chosen_measures", [])]
    }
    spelt = {re.sub(r"\([\d.]+\)", "(beta)", re.sub(r"(?<=[@_])\d+", "k", m)) for m in wanted}
    assert [name for name in sorted(spelt) if f"`{name}`" not in text] == []
