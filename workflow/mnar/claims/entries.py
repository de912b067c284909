"""The list of claims: reading claims.yaml, and saying clearly what is wrong with an entry."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from mnar.claims import generated
from mnar.claims.conditions import Parser, Test, filled
from mnar.core.errors import UserError

LIST = Path(__file__).parents[2] / "claims.yaml"
# What the statement is about decides what generated data can say of it: mathematics and printed
# numbers are what they are, behaviour and its size are judged over many generators.
KINDS = ("theorem", "identity", "number", "behaviour", "size")
ABOUT_BEHAVIOUR = ("behaviour", "size")
ANY = "any"
REQUIRED = ("id", "paper", "place", "statement", "kind", "test")
OPTIONAL = ("datasets", "stand_ins", "file", "readings", "grid", "main_reading", "why")
# The same as safe_load, ten times faster where libyaml is there.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ID = re.compile(r"[a-z]{3}-\d{2}[a-z]?")


@dataclass(frozen=True)
class Reading:
    """Another way to read the paper: a test of its own, on a file of its own if need be."""

    name: str
    file: str
    test: Test


@dataclass(frozen=True)
class Claim:
    id: str
    paper: str
    place: str
    statement: str
    kind: str
    # The paper's own datasets; and others that may stand in, `any` for all there are.
    datasets: tuple[str, ...]
    stand_ins: tuple[str, ...]
    # The deciding file below results/, with {dataset}; none for mathematics.
    file: str
    test: Test
    # How the bounds of the test were taken from the paper's words, where these leave them open.
    why: str
    main_reading: str
    readings: tuple[Reading, ...]
    # Conditions on a row of the grid of generators.
    grid: tuple[generated.Condition, ...]
    # Of all that decides: another one means that earlier verdicts were on another test.
    fingerprint: str

    @property
    def experiment(self) -> str:
        """The experiment whose file decides; empty where no file does."""
        return self.file.split("/")[0]

    @property
    def files(self) -> tuple[str, ...]:
        names = [self.file, *(reading.file for reading in self.readings)]
        return tuple(dict.fromkeys(name for name in names if name))

    def can_stand_in(self, dataset: str) -> bool:
        return dataset in self.stand_ins or ANY in self.stand_ins


def claim_files() -> list[Path]:
    """The files that say what is claimed and how it is tested."""
    return [LIST]


def load(path: str | Path = LIST) -> list[Claim]:
    path = Path(path)
    try:
        entries = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
    except yaml.YAMLError as error:
        raise UserError(f"{path.name} is not valid YAML: {error}") from error
    if not isinstance(entries, list):
        raise UserError(f"{path.name}: a list of claims is needed, found {type(entries).__name__}.")
    claims = [_claim(entry, path.name, number) for number, entry in enumerate(entries, start=1)]
    seen: set[str] = set()
    for claim in claims:
        if claim.id in seen:
            raise UserError(f"{path.name}: two claims have the id {claim.id}; give one another.")
        seen.add(claim.id)
    return claims


def _claim(entry: Any, name: str, number: int) -> Claim:
    if not isinstance(entry, dict):
        raise UserError(f"{name}, entry {number}: a mapping is needed, found {entry!r}.")
    place = f"{name}, claim {entry.get('id', number)}"
    for key in REQUIRED:
        if key not in entry:
            raise UserError(f"{place}: the key {key!r} is missing.")
    for key in entry:
        if key not in (*REQUIRED, *OPTIONAL):
            known = ", ".join((*REQUIRED, *OPTIONAL))
            raise UserError(f"{place}: unknown key {key!r}; there are {known}.")
    for key in ("id", "paper", "place", "statement", "kind", "file", "main_reading", "why"):
        if not isinstance(entry.get(key, ""), str):
            raise UserError(f"{place}: {key!r} must be text, found {entry[key]!r}; quote it.")
    if not _ID.fullmatch(entry["id"]):
        raise UserError(f"{place}: an id has three letters and two digits, as in lim-01.")
    if entry["kind"] not in KINDS:
        raise UserError(
            f"{place}: kind {entry['kind']!r} is unknown; it is one of {', '.join(KINDS)}."
        )
    file = entry.get("file", "")
    test = Parser(place).parse(entry["test"])
    if not file and not _needs_no_file(entry["test"]):
        raise UserError(f"{place}: the key 'file' is missing; only mathematics needs none.")
    readings = tuple(
        Reading(
            title, one.get("file") or file, Parser(f"{place}, reading {title!r}").parse(one["test"])
        )
        for title, one in _readings(entry, place)
    )
    return Claim(
        entry["id"],
        entry["paper"],
        entry["place"],
        " ".join(entry["statement"].split()),
        entry["kind"],
        _names(entry, "datasets", place),
        _names(entry, "stand_ins", place),
        file,
        test,
        " ".join(entry.get("why", "").split()),
        entry.get("main_reading", ""),
        readings,
        tuple(generated.Condition.parse(text, place) for text in _names(entry, "grid", place)),
        _fingerprint(entry),
    )


def _fingerprint(entry: dict[str, Any]) -> str:
    decides = {key: entry.get(key) for key in ("kind", "file", "test", "grid")}
    return sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:8]


def _needs_no_file(test: dict[str, Any]) -> bool:
    return "identity" in test or "untestable" in test


def _names(entry: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
    names = entry.get(key, [])
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UserError(f"{place}: {key!r} must be a list of names, found {names!r}.")
    return tuple(names)


def _readings(entry: dict[str, Any], place: str) -> list[tuple[str, dict[str, Any]]]:
    """Name and content of each; one with `each` stands for several."""
    readings = entry.get("readings", {})
    right = isinstance(readings, dict) and all(
        isinstance(one, dict) and "test" in one and not set(one) - {"test", "file", "each"}
        for one in readings.values()
    )
    if not right:
        raise UserError(
            f"{place}: each of 'readings' needs a name and a test, and may have file and each."
        )
    found = []
    for name, one in readings.items():
        for values in one.get("each", [{}]):
            if not isinstance(values, dict):
                raise UserError(f"{place}: 'each' of reading {name!r} needs a list of mappings.")
            found.append((filled(name, values), filled(one, values)))
    return found
