"""Style is part of the tests: ruff, snakefmt, snakemake --lint, mypy; and what no file may hold."""

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
    "snakefmt": [BIN / "snakefmt", "--check", "Snakefile", "workflow/rules"],
    "snakemake --lint": [BIN / "snakemake", "--lint"],
    "mypy": [BIN / "mypy"],
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
