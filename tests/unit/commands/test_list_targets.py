"""The list of targets, and the names that a typo is near."""

import subprocess
import sys

import pytest
from helpers.running import ROOT

from mnar.commands import list_targets


def test_the_list_fits_a_screen():
    done = subprocess.run(
        [sys.executable, "-m", "mnar", "list-targets"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 50
    for name in ("all", "lim2015", "movielens-small", "coat", "table1_candidates", "trust_plot"):
        assert name in done.stdout


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("lim2051", "lim2015"),
        ("stablity", "stability"),
        ("results/lim2015/coat/tabel1.md", "results/lim2015/coat/table1.md"),
        ("results/sumary.html", "results/summary.html"),
    ],
)
def test_near_names(typed, near, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert f"Did you mean {near}" in list_targets.unknown(typed)


def test_nothing_near(monkeypatch):
    monkeypatch.chdir(ROOT)
    said = list_targets.unknown("xyzzy")
    assert "Did you mean" not in said
    assert "`make targets`" in said
