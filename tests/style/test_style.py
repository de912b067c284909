"""Style is part of the tests: formatting, lints, types, order of the rooms; and what no file may hold."""

import re
import subprocess
import sys
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


def test_helper_functions_of_the_rules_stay_few():
    lines = 0
    for path in (ROOT / "workflow").rglob("*.smk"):
        inside = False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line[0].isspace():
                inside = line.startswith("def ")
            lines += inside
    assert lines <= 300


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
