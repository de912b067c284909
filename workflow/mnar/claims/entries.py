"""The lists of claims beside the papers: read, and checked with clear messages."""

import ast
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pandas as pd
import yaml

from mnar import claims as helpers
from mnar.claims import generated
from mnar.claims.outcome import Outcome
from mnar.claims.tidy_tables import Data, path_of
from mnar.core.errors import UserError
from mnar.core.provenance import kernel_stamp
from mnar.reporting.published_numbers import all_published_files

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
# What the statement is about decides what generated data can say of it: mathematics and printed
# numbers are what they are, behaviour and its size are judged over many generators.
KINDS = ("theorem", "identity", "number", "behaviour", "size")
MATHEMATICS = ("theorem", "identity")
ABOUT_BEHAVIOUR = ("behaviour", "size")
ANY = "any"
REQUIRED = ("place", "statement", "kind")
OPTIONAL = ("datasets", "stand_ins", "files", "scope", "main_reading", "why")
# The same as safe_load, by libyaml where it is there, since every start of Snakemake reads the lists.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ID = re.compile(r"[a-z]{3}-\d{2}[a-z]?")

Test = Callable[[Data], Outcome]


@dataclass(frozen=True)
class Claim:
    id: str
    paper: str
    place: str
    statement: str
    kind: str
    test: Test
    # The paper's own datasets; and others that may stand in, `any` for all there are.
    datasets: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    # The tables that the test reads, the deciding one first; none for mathematics.
    files: tuple[str, ...] = ()
    # How the bounds of the test were taken from the paper's words, where these leave them open.
    why: str = ""
    main_reading: str = ""
    readings: Mapping[str, Test] = field(default_factory=dict)
    # In which settings of the grid of generators the statement is true, and which are asked.
    grid: Callable[[pd.DataFrame], pd.Series] | None = None
    scope: str = generated.ALL
    # Of all that decides: another one means that earlier verdicts were on another test.
    fingerprint: str = ""

    @property
    def experiment(self) -> str:
        """The experiment whose file decides; empty where no file does."""
        return path_of(self.files[0], self.paper, "").split("/")[0] if self.files else ""

    @property
    def is_mathematics(self) -> bool:
        return self.kind in MATHEMATICS

    def can_stand_in(self, dataset: str) -> bool:
        return dataset in self.stand_ins or ANY in self.stand_ins


def lists() -> dict[Path, str]:
    """The lists of all papers, and the modules with their tests."""
    found = sorted(EXPERIMENTS.glob("*/claims.yaml"))
    return {path: f"mnar.experiments.{path.parent.name}.claims" for path in found}


def files() -> list[Path]:
    """The lists, and the published numbers that tests read, of whatever paper."""
    return [*lists(), *all_published_files()]


def load() -> list[Claim]:
    """The claims of all papers that have a list."""
    return [
        claim
        for path, module in lists().items()
        for claim in read(path, path.parent.name, import_module(module))
    ]


def read(path: Path, paper: str, tests: ModuleType) -> list[Claim]:
    """The claims of one paper, each with the test of its id."""
    where = f"{path.parent.name}/{path.name}"
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
    except yaml.YAMLError as error:
        raise UserError(f"{where} is not valid YAML: {error}") from error
    if not isinstance(content, dict) or not isinstance(content.get("claims"), dict):
        raise UserError(f"{where}: a mapping with the key 'claims' is needed.")
    usual = {"scope": generated.ALL} | (content.get("defaults") or {})
    claims = []
    for name, entry in content["claims"].items():
        of_claim = f"{where}, claim {name}"
        if not isinstance(entry, dict):
            raise UserError(f"{of_claim}: a mapping is needed, found {entry!r}.")
        claims.append(_claim(name, _checked(usual | entry, of_claim), paper, tests))
    known = {claim.id for claim in claims}
    for name in (*vars(tests), *getattr(tests, "GRID", {})):
        tested = re.fullmatch(r"([a-z]{3}[_-]\d{2}[a-z]?)(_readings)?", name)
        if tested and tested[1].replace("_", "-") not in known:
            raise UserError(f"{where}: {name} tests a claim that is not listed; add its entry.")
    return claims


def _checked(entry: dict[str, Any], where: str) -> dict[str, Any]:
    if not _ID.fullmatch(where.rsplit(" ", 1)[-1]):
        raise UserError(f"{where}: an id has three letters and two digits, as in lim-01.")
    for key in REQUIRED:
        if key not in entry:
            raise UserError(f"{where}: the key {key!r} is missing.")
    for key in entry:
        if key not in (*REQUIRED, *OPTIONAL):
            known = ", ".join((*REQUIRED, *OPTIONAL))
            raise UserError(f"{where}: unknown key {key!r}; there are {known}.")
    for key in (*REQUIRED, "scope", "main_reading", "why"):
        if not isinstance(entry.get(key, ""), str):
            raise UserError(f"{where}: {key!r} must be text, found {entry[key]!r}; quote it.")
    for key, options in (("kind", KINDS), ("scope", generated.SCOPES)):
        if entry.get(key, options[0]) not in options:
            words = ", ".join(options)
            raise UserError(f"{where}: {key} {entry[key]!r} is unknown; it is one of {words}.")
    return entry | {key: _names(entry, key, where) for key in ("datasets", "stand_ins", "files")}


def _names(entry: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
    names = entry.get(key, [])
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UserError(f"{where}: {key!r} must be a list of names, found {names!r}.")
    return tuple(names)


def _claim(name: str, entry: dict[str, Any], paper: str, tests: ModuleType) -> Claim:
    function = _function_name(name)
    test = getattr(tests, function, None)
    if test is None:
        raise UserError(f"{paper}/claims.py has no function {function} for the claim {name}.")
    grid = getattr(tests, "GRID", {}).get(name)
    decides = [
        entry["kind"],
        entry["files"],
        entry["scope"],
        _source(test),
        _source(grid),
        _stamp(helpers),
    ]
    if entry["kind"] in ABOUT_BEHAVIOUR:
        decides.append(_stamp(generated))
    texts = {key: " ".join(entry.get(key, "").split()) for key in ("statement", "why")}
    return Claim(
        **{**entry, **texts},
        id=name,
        paper=paper,
        test=test,
        readings=getattr(tests, f"{function}_readings", {}),
        grid=grid,
        fingerprint=sha256(json.dumps(decides).encode()).hexdigest()[:8],
    )


def _function_name(claim: str) -> str:
    return claim.replace("-", "_")


def _stamp(module: ModuleType) -> str:
    """Of a module of the library and of all that it imports."""
    return kernel_stamp(str(module.__file__))


def _source(function: Any) -> list[str]:
    """The source of a test and of the functions in its module that it uses, the values that they
    take from there, and stamps of other modules of the library that they use."""
    if function is None:
        return []
    found: dict[str, str] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        found[one.__qualname__] = _text(one)
        for name, value in _used(one):
            values = []
            for leaf in _leaves(value):
                other = _module_of(leaf)
                if inspect.isfunction(leaf) and leaf.__module__ == function.__module__:
                    if leaf.__qualname__ not in found:
                        waiting.append(leaf)
                elif other:
                    found[other.__name__] = _stamp(other)
                elif leaf is None or isinstance(leaf, (str, int, float)):
                    values.append(leaf)
            if values:
                found[name] = repr(values)
    return [found[name] for name in sorted(found)]


def _used(function: Any) -> Iterator[tuple[str, Any]]:
    """Names of the module that a function uses, and what defaults and enclosing functions gave it."""
    for name in _names_in(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not parameter.empty:
            yield f"{function.__qualname__} {name}", parameter.default
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    yield from ((f"{function.__qualname__} {name}", cell.cell_contents) for name, cell in cells)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _module_of(value: Any) -> ModuleType | None:
    """The module of the library that something is, or comes from."""
    name = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
    return sys.modules.get(str(name)) if str(name).startswith("mnar.") else None


def _text(function: Any) -> str:
    if function.__name__ != "<lambda>":
        return inspect.getsource(function)
    module = ast.parse(inspect.getsource(sys.modules[function.__module__]))
    first = function.__code__.co_firstlineno
    found = [n for n in ast.walk(module) if isinstance(n, ast.Lambda) and n.lineno == first]
    return " ".join(ast.unparse(node) for node in found)


def _names_in(code: CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*map(_names_in, inner))
