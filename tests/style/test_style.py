"""Style is part of the tests: formatting, lints, types, order of the rooms; and what no file may hold."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

CHECKS = {
    "ruff check": [BIN / "ruff", "check", "."],
    "ruff format": [BIN / "ruff", "format", "--check", "."],
    "snakefmt": [
        BIN / "snakefmt",
        "--check",
        "Snakefile",
        "workflow/rules",
        *sorted((ROOT / "workflow/mnar/experiments").glob("*/*.smk")),
    ],
    "snakemake --lint": [sys.executable, "-m", "snakemake", "--lint"],
    "mypy": [BIN / "mypy"],
    "import-linter": [BIN / "lint-imports"],
}


# Longer than others, because the whole is one thing.
LONG_MODULES = {
    # Lists of short tests, in the order of claims.yaml, each found by the id of its claim.
    "workflow/mnar/experiments/lim2015/claims.py",
    "workflow/mnar/experiments/pradel2012/claims.py",
    "workflow/mnar/experiments/steck2010/claims.py",
}
# Each experiment has its own, and each is the same kind of thing: the first four are found by name,
# `cells` are what its tables share, `differences` is the table of that name.
IN_EXPERIMENTS = {"claims", "tables", "figures", "findings", "cells", "differences"}
# One name for the simulation of an experiment and for what is shown of it; the room of claims is
# what the claims of the experiments are written with.
SAME_NAME = {"theorems", "trust", "claims"}


@pytest.mark.parametrize("check", CHECKS)
def test_clean(check):
    done = subprocess.run(CHECKS[check], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def tracked_files():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_no_package_index_is_named():
    wrong = re.compile(rb"--(extra-)?index-url|/simple/?[\"' ]|\.whl\b")
    for path in tracked_files():
        if path.is_file() and path != Path(__file__):
            assert not wrong.search(path.read_bytes()), path


def test_scripts_fit_on_a_screen():
    for path in (ROOT / "workflow" / "scripts").glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path
    assert len((ROOT / "Snakefile").read_text(encoding="utf-8").splitlines()) <= 80


def test_no_rule_is_generated():
    for path in [ROOT / "Snakefile", *(ROOT / "workflow").rglob("*.smk")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^[ \t]+rule\b|^[ \t]*rule[ \t]*:|^[ \t]*name:", text, flags=re.M), (
            path
        )
        assert len(text.splitlines()) <= 250, path


def test_rules_have_no_lambdas():
    for path in [ROOT / "Snakefile", *(ROOT / "workflow").rglob("*.smk")]:
        assert not re.search(r"\blambda\b", path.read_text(encoding="utf-8")), path


def test_every_rule_says_what_it_does():
    """`snakemake --list` shows the line."""
    for path in [ROOT / "Snakefile", *(ROOT / "workflow").rglob("*.smk")]:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r'^rule (\w+):\n(?! {4}""")', text, flags=re.M) == [], path


def test_helper_functions_of_the_rules_stay_few():
    lines = 0
    for path in (ROOT / "workflow").rglob("*.smk"):
        inside = False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line[0].isspace():
                inside = line.startswith("def ")
            lines += inside
    assert lines <= 300


def test_modules_and_functions_stay_short():
    modules, functions = set(), set()
    for path in tracked_files():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix != ".py" or name.startswith("tests/") or not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        if len(text.splitlines()) > 300:
            modules.add(name)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= 60:
                functions.add((name, node.name))
    # An exception that is no longer needed goes, too.
    assert (modules, functions) == (LONG_MODULES, set())


def test_no_private_name_is_used_across_rooms():
    """A module or name with an underscore belongs to its own room."""
    library = ROOT / "workflow/mnar"
    for path in library.rglob("*.py"):
        room = path.relative_to(library).parts[0]
        for module, names in re.findall(
            r"^\s*from mnar\.([\w.]+) import (\([^)]*\)|.*)", path.read_text(), flags=re.M
        ):
            private = [part for part in module.split(".") if part.startswith("_")]
            private += re.findall(r"(?<!\w)_\w+", names)
            assert not private or module.split(".")[0] == room, (path, module, names)


def test_what_is_imported_of_the_library_exists():
    """Also in programs that no test runs, as those of benchmarks and examples."""
    missing = []
    for path in tracked_files():
        if path.suffix != ".py" or not path.exists():
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mnar."):
                names = [alias.name for alias in node.names]
                missing += [(str(path), node.module, n) for n in names if not has(node.module, n)]
    assert missing == []


def has(module, name):
    """Whether a module of the library binds a name, or is a package that holds it."""
    stem = (ROOT / "workflow").joinpath(*module.split("."))
    if any((stem / f"{name}{ending}").exists() for ending in (".py", "/__init__.py")):
        return True
    file = stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")
    return file.exists() and re.search(rf"(?<![\w.]){name}\b", file.read_text(encoding="utf-8"))


def test_no_two_modules_share_a_name():
    """Scripts are left out: each is named after its rule."""
    modules = set()
    for folder in (ROOT / "workflow/mnar", ROOT / "benchmarks"):
        for path in folder.rglob("*.py"):
            named = path.parent if path.name == "__init__.py" else path.with_suffix("")
            if path.parts[-3] == "experiments" and path.stem in IN_EXPERIMENTS:
                named = folder / "experiments" / "<paper>" / path.stem
            modules.add(named.relative_to(ROOT))
    counts = Counter(path.name for path in modules)
    shared = {str(path) for path in modules if counts[path.name] > 1}
    assert {Path(path).name for path in shared} == SAME_NAME, shared


def test_words_are_plain():
    """Words that make readers stumble; the usual ones are again, this number, except."""
    stilted = re.compile(r"\b(anew|so many|but for)\b", re.I)
    for path in tracked_files():
        if path.suffix in {".py", ".smk", ".md", ".yaml", ".j2", ".rst", ".json"} and path.exists():
            if path == Path(__file__) or ROOT / "data" in path.parents:
                continue
            lines = path.read_text(encoding="utf-8").splitlines()
            found = [
                f"{path}:{n}: {line}" for n, line in enumerate(lines, 1) if stilted.search(line)
            ]
            assert not found, "\n".join(found)
