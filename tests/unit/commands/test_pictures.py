"""The pictures in docs/ come from results, and say from which."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mnar.commands import pictures

ROOT = Path(__file__).parents[3]


def test_every_picture_of_the_documentation_is_made():
    there = {path.stem for path in (ROOT / "docs").glob("*.png")}
    assert there == {*pictures.PICTURES, *pictures.PLACED}
    for name in pictures.PICTURES:
        assert re.fullmatch("[0-9a-f]{64}", pictures.stamp(ROOT / "docs" / f"{name}.png"))


@pytest.mark.parametrize(("name", "stem"), [*pictures.PICTURES.items(), *pictures.PLACED.items()])
def test_no_picture_is_older_than_the_code_that_draws_it(name, stem):
    drawn = pictures.stamp(ROOT / "docs" / f"{name}.png", pictures.CODE_KEY)
    assert drawn == pictures.drawn_by(stem), f"docs/{name}.png: run `make docs-pictures`"


def test_the_hash_of_the_code_changes_with_what_is_drawn_only(tmp_path, monkeypatch):
    file = tmp_path / "experiments/paper/figures.py"
    file.parent.mkdir(parents=True)
    monkeypatch.setattr(pictures, "LIBRARY", tmp_path)
    hashes = []
    for code in (
        "def one():\n    return 1",
        'import os\n\n\ndef one():\n    """Words."""\n    # More.\n    return 1',
        "def one():\n    return 2",
    ):
        file.write_text(code, encoding="utf-8")
        hashes.append(pictures.drawn_by("paper/data/one"))
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for stem in pictures.PICTURES.values():
        path = tmp_path / "results" / stem
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.zeros((2, 2), np.uint8)).save(f"{path}.png")
        Path(f"{path}.csv").write_text("a\n1\n")
    return tmp_path


def test_a_picture_is_outdated_when_its_data_change(results, capsys):
    assert pictures.main([]) == 0
    assert pictures.main(["--check"]) == 0
    (results / "results/trust/synthetic/trust_plot.csv").write_text("a\n2\n")
    assert pictures.main(["--check"]) == 1
    said = capsys.readouterr().err
    assert "docs/trust.png" in said
    assert "docs/track2.png" not in said


def test_without_results_it_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert pictures.main([]) == 1
    assert "run `make` first" in capsys.readouterr().err
